// platform/tls/handshakes.ts: the TLS handshakes of one check, and what each of them may leave out. A handshake that
// resumes the session of the monitor's last check shows no certificate, and one that offers the common groups alone costs
// less; neither says anything about the server if it breaks. Then the check begins again and leaves nothing out.
import type { Abandon } from '../network/network.ts'
import type { KnownSession, SessionMemory, SessionOwner } from './session-memory.ts'

/** What waits for a handshake. Without `handshakes` nothing is left out, and nothing is kept. */
export interface HandshakeRun extends Abandon {
  readonly handshakes?: Handshakes | null
}

export interface Offer {
  readonly everything: boolean
  /** The session to resume; null for a full handshake. */
  readonly known: KnownSession | null
}

export const EVERYTHING: Offer = { everything: true, known: null }

interface Kept {
  readonly known: KnownSession
  readonly fullEveryMs: number
}

export class Handshakes {
  readonly #memory: SessionMemory
  readonly #owner: SessionOwner
  /** By server; kept once the check has succeeded. Null when there is nothing, as for most checks. */
  #kept: Map<string, Kept> | null = null
  /** Servers that were offered everything because a handshake had broken. */
  #demanding: Set<string> | null = null
  #leavesOut = true
  #broke = false

  constructor(memory: SessionMemory, owner: SessionOwner) {
    this.#memory = memory
    this.#owner = owner
  }

  get nowMs(): number {
    return this.#memory.clock.monotonicMs()
  }

  /** For the next handshake with this server. `server` names all that a session may be used for. */
  offer(server: string, fullEveryMs: number): Offer {
    if (!this.#leavesOut) {
      this.#demanding ??= new Set()
      this.#demanding.add(server)
      return EVERYTHING
    }
    if (this.#memory.isDemanding(server)) return EVERYTHING
    return { everything: false, known: fullEveryMs === 0 ? null : this.#memory.find(this.#owner, server) }
  }

  /** A handshake broke, perhaps because of what it left out. */
  broke(): void {
    this.#broke = true
  }

  /** For the next check, if this one succeeds. The last one for a server counts. */
  keep(server: string, known: KnownSession, fullEveryMs: number): void {
    this.#kept ??= new Map()
    this.#kept.set(server, { known, fullEveryMs })
  }

  succeeded(): void {
    for (const server of this.#demanding ?? []) this.#memory.noteDemanding(server)
    for (const [server, { known, fullEveryMs }] of this.#kept ?? [])
      this.#memory.keep(this.#owner, server, known, fullEveryMs)
  }

  /**
   * True if the failure says nothing about the server: the check is to begin again, now with everything offered. Its
   * sessions are forgotten by whoever runs it, since it may also fail without a handshake.
   */
  failed(): boolean {
    this.#kept = null
    const mayBeOurs = this.#broke && this.#leavesOut
    if (mayBeOurs) this.#leavesOut = false
    return mayBeOurs
  }
}
