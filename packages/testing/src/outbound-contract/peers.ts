// outbound-contract/peers.ts: what a notifier or a recovery brings to its contract: peers of every kind that it may
// meet, each with the outcome that is right. The suite knows nothing of providers; all it needs to know is here.
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'

export interface Encounter {
  /** As a fleet file writes it, with { credential: NAME } where there is a secret. */
  readonly config: object
  /** The kind of the right outcome. */
  readonly kind: string
  /** The wait that the peer asks for, where it asks for one. */
  readonly retryAfterMs?: number
  /** 3 s unless told; short where the peer never answers. */
  readonly timeoutMs?: number
}

export type Encounters = Readonly<Record<string, Encounter>>

/** A small world for one driver, with all of its targets running. */
export interface OutboundPeers extends AsyncDisposable {
  readonly network: Network
  /** Values of the credentials that configurations name. */
  readonly credentials: ReadonlyMap<string, string>
  /** Texts that must not be seen in a target, a reason or a note, besides those of credentials. */
  readonly secrets: readonly string[]
  readonly encounters: Encounters
  /** How often the targets were reached so far. */
  attempts(): number
  /** Connections that the targets have open now. */
  openConnections(): number
}

/** How long a peer that never answers is waited for. */
const IMPATIENT_MS = 200

export function expects(kind: string, config: object, more: Partial<Encounter> = {}): Encounter {
  return { config, kind, ...more }
}

export function neverAnswers(kind: string, config: object): Encounter {
  return { config, kind, timeoutMs: IMPATIENT_MS }
}
