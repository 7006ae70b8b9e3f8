// Entry point of the reference peer; separate, because the rest of the testing package loads the whole service.
export { type PeerAnswer, problemAnswer } from './answer.ts'
export { type BodyMistake, mistakesOf } from './body-mistakes.ts'
export * as misbehaviours from './misbehaviour.ts'
export { ReferencePeer } from './reference-peer.ts'
export { metricsText } from './v1-routes.ts'
