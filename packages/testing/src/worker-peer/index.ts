// A service for tests of workers.
export { type Fault, type PeerExecution, type PeerJob, ServicePeer } from './service-peer.ts'
