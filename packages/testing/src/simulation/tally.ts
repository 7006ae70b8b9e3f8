// simulation/tally.ts: what happened in a simulation, as counts that can be added up over seeds and threads.

export interface Tally {
  simulatedMs: number
  steps: number
  checks: number
  commits: number
  crashes: number
  /** Provider calls by color, and recoveries. */
  readonly actions: Record<string, number>
  readonly faults: Record<string, number>
  /** Answers to writes through v2, by their outcome. */
  readonly writes: Record<string, number>
  /** Answers to controls, by their verb or the code of their refusal. */
  readonly controls: Record<string, number>
  /** Answers to calls of operations of many items, by the call or the code of their refusal. */
  readonly operations: Record<string, number>
  /** Calls of external workers, by their outcome. */
  readonly workers: Record<string, number>
  /** Signals of jobs that report by themselves, by their kind and what became of them. */
  readonly signals: Record<string, number>
  /** Comparisons with the reference model. */
  readonly compared: Record<string, number>
}

export function emptyTally(): Tally {
  return {
    simulatedMs: 0,
    steps: 0,
    checks: 0,
    commits: 0,
    crashes: 0,
    actions: {},
    faults: {},
    writes: {},
    controls: {},
    operations: {},
    workers: {},
    signals: {},
    compared: {},
  }
}

export function count(counts: Record<string, number>, name: string, times = 1): void {
  counts[name] = (counts[name] ?? 0) + times
}

export function addTally(sum: Tally, one: Tally): void {
  sum.simulatedMs += one.simulatedMs
  sum.steps += one.steps
  sum.checks += one.checks
  sum.commits += one.commits
  sum.crashes += one.crashes
  for (const [name, times] of Object.entries(one.actions)) count(sum.actions, name, times)
  for (const [name, times] of Object.entries(one.signals)) count(sum.signals, name, times)
  for (const [name, times] of Object.entries(one.compared)) count(sum.compared, name, times)
  for (const [name, times] of Object.entries(one.writes)) count(sum.writes, name, times)
  for (const [name, times] of Object.entries(one.controls)) count(sum.controls, name, times)
  for (const [name, times] of Object.entries(one.operations)) count(sum.operations, name, times)
  for (const [name, times] of Object.entries(one.workers)) count(sum.workers, name, times)
  for (const [name, times] of Object.entries(one.faults)) count(sum.faults, name, times)
}
