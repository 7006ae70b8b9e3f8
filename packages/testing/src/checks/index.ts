// Entry point for tests of checks, and for the peers of their contract.

export { temporaryFolder } from '../files/temporary-folder.ts'
export { littleCpuMs, promptlyMs, threadCpuMs } from '../lateness.ts'
export { checkFixture } from './check-fixture.ts'
export { CheckedMonitor } from './checked-monitor.ts'
export { checkContracts, contractFindings } from './contract/check-contract.ts'
export { harmedAnswers, harmedLogin } from './contract/harmed-answers.ts'
export { LoopbackRun, runCheck } from './loopback-run.ts'
export { peersOf } from './peers-of.ts'
export { ScenarioWorld } from './scenario-world.ts'
export { type CheckScenarios, fails, givesNoData, type Peers, succeeds, timesOut } from './scenarios.ts'
export { type Address, credentials, login, password, serverPeers, serverTroubles } from './server-peers.ts'
export type { Troubles } from './troubles.ts'
