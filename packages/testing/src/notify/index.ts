// The door for tests of notifiers.
export { checkFixture } from '../check-fixture.ts'
export { httpPeers } from '../outbound-contract/http-peers.ts'
export { type Encounter, type Encounters, expects, neverAnswers } from '../outbound-contract/peers.ts'
export { type NotifierPeers, notifierContracts, notifierFindings } from './contract.ts'
export { httpProviderPeers } from './http-provider.ts'
export { hostileNotification, longNotification, notificationOf } from './notifications.ts'
export { answered, brokenOff, codePoints } from './provider-answers.ts'
