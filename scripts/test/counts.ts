// scripts/test/counts.ts: the outcomes of a test run by test id, its closing line, and the merge of several runs.
export type TestOutcome = 'passed' | 'failed' | 'skipped'
export type RunOutcomes = Readonly<Record<string, TestOutcome>>

const weights = { skipped: 1, passed: 2, failed: 3 } as const

/** "N passed, N failed, N skipped". */
export function countLine(run: RunOutcomes): string {
  const outcomes = Object.values(run)
  const count = (wanted: TestOutcome) => outcomes.filter((outcome) => outcome === wanted).length
  return `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
}

/**
 * Every test once: a test that one run skipped and another ran counts as run, and a failure in any run stays a failure.
 */
export function mergeRuns(runs: readonly RunOutcomes[]): RunOutcomes {
  const merged: Record<string, TestOutcome> = {}
  for (const [test, outcome] of runs.flatMap((run) => Object.entries(run))) {
    const known = merged[test]
    if (known === undefined || weights[outcome] > weights[known]) merged[test] = outcome
  }
  return merged
}
