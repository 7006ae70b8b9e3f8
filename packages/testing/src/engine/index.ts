// The door for tests that drive an engine in one process, with fake time, targets and providers.
export { EngineUnderTest, type StartedCheck } from './engine-under-test.ts'
export { type Delivery, type RecoveryCall, SimulatedProviders } from './simulated-providers.ts'
export { SimulatedTarget, SimulatedTargets } from './simulated-targets.ts'
export { endpoints, http, type TestFleet, TestService, type TestServiceOptions } from './test-service.ts'
