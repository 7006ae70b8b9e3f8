// scripts/test/measuring-runner.ts: vitest's runner, which also notes the CPU time that each test file took in its process
// and in the processes that it started. The browser is shared by all files and is not in it.
import { type RunnerTestFile, TestRunner } from 'vitest'
import { cpuTime } from './cpu-time.ts'

declare module 'vitest' {
  interface TaskMeta {
    cpuMs?: number
  }
}

/** Files follow each other in one process: each begins where the one before ended. */
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
