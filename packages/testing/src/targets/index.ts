// The door for tests that need a target or a provider to talk to.
export { trustTestAuthority } from '../trusted-authority.ts'
export { BlackHole } from './black-hole.ts'
export { certificates } from './certificates.ts'
export {
  answers,
  answersBy,
  type Behaviour,
  closesEarly,
  HttpTarget,
  hangs,
  type OrdinaryAnswer,
  resets,
  sends,
  sendsEndlessBody,
} from './http-target.ts'
export { type ReceivedRequest, readRequest } from './received-request.ts'
export { type SmtpScript, SmtpTarget, type SmtpTargetOptions } from './smtp-target.ts'
export { type TcpBehaviour, TcpTarget } from './tcp-target.ts'
