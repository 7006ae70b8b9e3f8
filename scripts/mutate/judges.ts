// scripts/mutate/judges.ts: the tests that run against a mutant, the fastest first: the quick tests beside the mutated
// file, the other quick tests, the slow ones, some seeds of the simulation, and finally the tests of the whole service.
// All of them must pass on the unchanged code; their time then limits their time with a mutant.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, matchesGlob } from 'node:path'
import { runBounded } from './bounded-process.ts'

export const judgeNames = ['beside', 'quick', 'slow', 'simulation', 'service'] as const
export type JudgeName = (typeof judgeNames)[number]

const quickMs = 1_000
/** Timelines, troubles, and what the API and the metrics show of them. */
const serviceTests = 'packages/server/src/{*,editions/*,projection/metrics}.test.ts'
const simulation = ['scripts/simulate.ts', '--seeds', '6', '--hours', '6', '--monitors', '12']
/** For starting vitest and importing the tested code on a busy machine. */
const spareMs = 30_000
const patience = 5
const longestBaselineMs = 15 * 60_000

export interface Notice {
  readonly judge: JudgeName
  /** The failure, so that a reader can tell a noticed defect from a test that fails by itself. */
  readonly words: string
}

interface TimedTest {
  readonly path: string
  readonly ms: number
}

export class Judges {
  readonly #tests: readonly TimedTest[]
  readonly #simulationMs: number

  private constructor(tests: readonly TimedTest[], simulationMs: number) {
    this.#tests = tests
    this.#simulationMs = simulationMs
  }

  /** Runs all of them on the code without a mutant. */
  static async prepare(root: string, mutated: readonly string[]): Promise<Judges> {
    const folders = [...new Set(mutated.map(dirname))]
    const globs = [...folders.map((folder) => `${folder}/*.test.ts`), serviceTests]
    const paths = [...new Set(globs.flatMap((glob) => globSync(glob, { cwd: root })))].sort()
    const report = join(root, 'baseline.json')
    const words = [...vitest(paths), '--reporter=json', `--outputFile=${report}`]
    const tests = await runBounded(words, root, longestBaselineMs)
    if (tests.code !== 0)
      throw new Error(`The tests fail without a mutant: mend them first.\n${tests.output}`)
    const simulated = await runBounded(simulation, root, longestBaselineMs)
    if (simulated.code !== 0)
      throw new Error(`The simulation fails without a mutant: mend that first.\n${simulated.output}`)
    return new Judges(timesIn(report, root), simulated.ms)
  }

  /** The first that notices the mutant in this file of the tree; null if none does. */
  async firstToNotice(root: string, file: string): Promise<Notice | null> {
    for (const judge of judgeNames) {
      const words = await this.#notice(judge, root, file)
      if (words !== null) return { judge, words }
    }
    return null
  }

  #notice(name: JudgeName, root: string, file: string): Promise<string | null> {
    if (name === 'simulation') return complaintOf(simulation, root, this.#simulationMs)
    const isBeside = ({ path }: TimedTest) => dirname(path) === dirname(file)
    const isQuick = ({ ms }: TimedTest) => ms < quickMs
    const judgeOf = (test: TimedTest): JudgeName => {
      if (matchesGlob(test.path, serviceTests)) return 'service'
      if (!isQuick(test)) return 'slow'
      return isBeside(test) ? 'beside' : 'quick'
    }
    const chosen = this.#tests.filter((test) => judgeOf(test) === name)
    if (chosen.length === 0) return Promise.resolve(null)
    const totalMs = chosen.reduce((sum, { ms }) => sum + ms, 0)
    const words = [...vitest(chosen.map(({ path }) => path)), '--reporter=dot', '--bail=1']
    return complaintOf(words, root, totalMs)
  }
}

/** The test that failed, or the rule that was broken; null if all pass. A mutant that makes the tests hang is noticed. */
async function complaintOf(
  words: readonly string[],
  root: string,
  baselineMs: number,
): Promise<string | null> {
  const { code, output } = await runBounded(words, root, spareMs + patience * baselineMs)
  if (code === 0) return null
  if (code === null) return 'it did not end'
  return /^.*(?: FAIL |✗)\s*(.*)$/m.exec(output)?.[1] ?? `it ended with ${code}`
}

function vitest(paths: readonly string[]): string[] {
  const common = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'parts', '--maxWorkers', '1']
  return [...common, ...paths]
}

function timesIn(report: string, root: string): TimedTest[] {
  interface FileReport {
    readonly name: string
    readonly startTime: number
    readonly endTime: number
  }
  const { testResults }: { testResults: FileReport[] } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.map(({ name, startTime, endTime }) => ({
    path: name.slice(root.length + 1),
    ms: endTime - startTime,
  }))
}
