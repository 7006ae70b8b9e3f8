// Entry point for tests that need a target or a provider to talk to.

export { BlackHole } from './black-hole.ts'
export { CERTIFICATES_END_AT, certificates, type Identity } from './certificates.ts'
export { type DnsBehaviour, DnsTarget } from './dns-target.ts'
export type { Zone, ZoneRecord } from './dns-zone.ts'
export { type Hello, HelloGate, X25519MLKEM768 } from './hello-gate.ts'
export {
  answers,
  answersBy,
  type Behaviour,
  closesEarly,
  drips,
  HttpTarget,
  hangs,
  hangsAfterHead,
  type OrdinaryAnswer,
  renegotiates,
  resets,
  sends,
  sendsEndlessBody,
  sendsEndlessHeaders,
  type TlsSetup,
} from './http-target.ts'
export { ProtocolTarget, type Serve, ServedConnection } from './protocol-target.ts'
export { type ReceivedRequest, readRequest } from './received-request.ts'
export { ScramServer } from './scram-server.ts'
export { ScriptedTlsTarget, type TlsScript, type TlsVoice } from './scripted-tls-target.ts'
export { type SmtpScript, SmtpTarget, type SmtpTargetOptions } from './smtp-target.ts'
export { type TcpBehaviour, TcpTarget } from './tcp-target.ts'
export { trustTestAuthority } from './trusted-authority.ts'
export { type UdpBehaviour, UdpTarget } from './udp-target.ts'
