// servers/session-server.ts: what tests ask of a server that terminates TLS: on this port, this version, and what it does
// with sessions. Each answers `full` or `resumed` by its own word of the handshake.
import type { ServerKind } from './server-process.ts'

export interface SessionSetup {
  readonly port: number
  readonly version: 'TLSv1.2' | 'TLSv1.3'
  /** Tickets that the client keeps, sessions that the server keeps, or nothing that could be resumed. */
  readonly sessions: 'tickets' | 'cache' | 'none'
}

export interface SessionServer {
  readonly kind: ServerKind
  /** What it can be told to do with sessions. */
  readonly offers: readonly SessionSetup['sessions'][]
  start(program: string, setup: SessionSetup): Promise<AsyncDisposable>
}
