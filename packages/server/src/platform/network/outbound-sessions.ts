// platform/network/outbound-sessions.ts: TLS sessions of calls that go to the same destination again and again, such as a
// webhook in a storm, or the outside watcher. A call may resume what an earlier one with the same destination, authorities and
// client certificate has left, for five minutes after the certificate was verified; any call that is not answered ends that.
import { createHash } from 'node:crypto'
import type { TLSSocket } from 'node:tls'
import { systemClock } from '../clock.ts'
import { stableHash } from '../string-hash.ts'
import { type KnownSession, SessionMemory } from '../tls/session-memory.ts'

/** Enough for more than a thousand destinations. */
const memoryBytes = 2 * 1024 * 1024
const fullEveryMs = 300_000

const memory = new SessionMemory(systemClock, memoryBytes)

export class OutboundSession {
  readonly #destination: string
  readonly #owner: { readonly row: number; readonly version: 0; readonly intervalMs: 0 }
  readonly #beganMs = systemClock.monotonicMs()
  #offered: KnownSession | null = null

  /** `server`: where the peer is, and the name that its certificate must have. `material`: keys and certificates in PEM. */
  constructor(server: string, material: readonly (string | undefined)[]) {
    this.#destination = `${server} ${createHash('sha256').update(JSON.stringify(material)).digest('base64')}`
    this.#owner = { row: stableHash(this.#destination), version: 0, intervalMs: 0 }
  }

  /** Whether a handshake that broke may have broken because of the session. */
  get isOffered(): boolean {
    return this.#offered !== null
  }

  /** Undefined for a full handshake. */
  offer(): Buffer | undefined {
    this.#offered = memory.find(this.#owner, this.#destination)
    return this.#offered?.session
  }

  /** After a handshake whose certificate is good. */
  keepFrom(secured: TLSSocket): void {
    const known = secured.isSessionReused() ? this.#offered : null
    const expiresAt = known?.certificateExpiresAt ?? secured.getPeerX509Certificate()?.validToDate.getTime()
    if (expiresAt === undefined) return
    const fullAtMs = known?.fullAtMs ?? this.#beganMs
    const keep = (session: Buffer | undefined): void => {
      if (session === undefined) return
      // With its certificate, unlike those of checks: here Node.js itself refuses a peer without a good one.
      const kept = { session, fullAtMs, certificateExpiresAt: expiresAt }
      memory.keep(this.#owner, this.#destination, kept, fullEveryMs)
    }
    // Since TLS 1.3 a server sends its tickets after the handshake.
    if (secured.getProtocol() === 'TLSv1.3') secured.on('session', keep)
    else keep(secured.getSession())
  }

  forget(): void {
    memory.forget(this.#owner.row)
    this.#offered = null
  }
}
