// The main entry point: what any test may need. Every test file pays for what is loaded here, so it loads
// nothing of the service; every other subject has a separate entry point (package.json).
export { describeUnless } from './describe-unless.ts'
export { FakeClock } from './engine/fake-clock.ts'
export { eventually, until } from './eventually.ts'
export { type FileContents, type TemporaryFolder, temporaryFolder } from './files/temporary-folder.ts'
export { littleCpuMs, promptlyMs, threadCpuMs } from './lateness.ts'
export { OwnTimers } from './own-timers.ts'
export { Random } from './random.ts'
