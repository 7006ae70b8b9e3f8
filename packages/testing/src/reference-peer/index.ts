// The door of the reference peer; apart from the rest of the testing package, which brings the whole service with it.
export { type PeerAnswer, problemAnswer } from './answer.ts'
export { type BodyMistake, mistakesOf } from './body-mistakes.ts'
export * as misbehaviours from './misbehaviour.ts'
export { ReferencePeer } from './reference-peer.ts'
export { metricsText } from './v1-routes.ts'
