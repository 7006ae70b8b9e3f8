// Entry point for tests of workers: a service that they can talk to.
export { type Fault, type PeerExecution, type PeerJob, ServicePeer } from './service-peer.ts'
