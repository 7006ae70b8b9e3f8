// scripts/test/measuring-runner.ts: vitest's runner, which also records the CPU time of each test file in its
// process and its child processes. The browser is shared by all files and not included.
import { type RunnerTestFile, TestRunner } from 'vitest'
import { cpuTime } from './cpu-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number
  }
}

/** Files run one after the other in one process: each starts where the previous one ended. */
let noted = cpuTime()

export default class MeasuringRunner extends TestRunner {
  override onAfterRunFiles(files: RunnerTestFile[]): void {
    const now = cpuTime()
    const cpuMs = now.ownMs + now.endedMs - noted.ownMs - noted.endedMs
    noted = now
    for (const file of files) file.meta.cpuMs = cpuMs / files.length
    super.onAfterRunFiles(files)
  }
}
