// scripts/test/slowest-files.ts: a vitest reporter that prints the ten test files with the most CPU time, so
// that a file that becomes slow is noticed at once.
import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'
import { isCpuTimeKnown } from './cpu-time.ts'

const shown = 10

export default class SlowestFiles implements Reporter {
  /** A file that gets the times of all test files. */
  readonly #table = process.env['PULSEWARD_TEST_TABLE']

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < shown || !isCpuTimeKnown) return
    const rows = modules
      .map((module) => ({
        cpuMs: module.meta().cpuMs ?? 0,
        wallMs: module.diagnostic().duration,
        file: module.relativeModuleId,
      }))
      .sort((one, other) => other.cpuMs - one.cpuMs)
      .map(({ cpuMs, wallMs, file }) => `${seconds(cpuMs)} ${seconds(wallMs)}  ${file}\n`)
    const head = '     CPU      wall  of the processes of a test file, without the shared browser\n'
    process.stdout.write(`\n${head}${rows.slice(0, shown).join('')}\n`)
    if (this.#table !== undefined) writeFileSync(this.#table, `${head}${rows.join('')}`)
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1).padStart(7)} s`
}
