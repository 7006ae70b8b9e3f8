// Entry point for tests of recoveries.
export { checkFixture } from '../checks/check-fixture.ts'
export { httpPeers } from '../outbound-contract/http-peers.ts'
export { type Encounters, expects, neverAnswers, type OutboundPeers } from '../outbound-contract/peers.ts'
export { recoveryContracts, recoveryFindings } from './contract.ts'
export { intervention } from './intervention.ts'
export { recoverOnce } from './recover-once.ts'
