// Entry point for tests that drive an engine in one process, with fake time, targets and providers.
export { EngineUnderTest } from './engine-under-test.ts'
export { FakeProviders } from './fake-providers.ts'
export { type CheckInFlight, FakeTargets } from './fake-targets.ts'
export { ProbedTargets } from './probed-targets.ts'
export { ScriptedProviders } from './scripted-providers.ts'
export { ScriptedTargets } from './scripted-targets.ts'
export {
  type CheckingSource,
  endpoints,
  http,
  keyOf,
  push,
  type SourceSurroundings,
  TestService,
} from './test-service.ts'
