// The door of the testing package.
export { expectV1Answer, expectV1Problem } from './api-answers.ts'
export { describeUnless } from './describe-unless.ts'
export { EngineUnderTest, type StartedCheck } from './engine-under-test.ts'
export { eventually, until } from './eventually.ts'
export { FakeClock, type FakeClockStart } from './fake-clock.ts'
export {
  definitionOf,
  type FleetFileOptions,
  loadFleetFiles,
  type MonitorAsLoaded,
  mistakesIn,
  monitorsOf,
} from './fleet-files.ts'
export {
  type CommandEnd,
  type CommandOptions,
  RunningCommand,
  type RunningService,
  runCommand,
} from './running-command.ts'
export { type Delivery, type RecoveryCall, SimulatedProviders } from './simulated-providers.ts'
export { SimulatedTarget, SimulatedTargets } from './simulated-targets.ts'
export { type FileContents, type TemporaryFolder, temporaryFolder } from './temporary-folder.ts'
export { endpoints, http, type TestFleet, TestService, type TestServiceOptions } from './test-service.ts'
