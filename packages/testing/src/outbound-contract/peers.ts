// outbound-contract/peers.ts: what a notifier or a recovery brings to its contract: every kind of peer that
// it may meet, each with the right outcome. The suite knows nothing else about providers.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'

export interface Encounter {
  /** As a fleet file writes it, with { credential: NAME } where there is a secret. */
  readonly config: object
  /** The kind of the right outcome. */
  readonly kind: ActionOutcome['kind']
  /** The wait that the peer asks for, if any. */
  readonly retryAfterMs?: number
  /** 3 s by default; short if the peer never answers. */
  readonly timeoutMs?: number
}

export type Encounters = Readonly<Record<string, Encounter>>

/** The running peers of one driver. */
export interface OutboundPeers extends AsyncDisposable {
  readonly network: Network
  /** Values of the credentials that configurations name. */
  readonly credentials: ReadonlyMap<string, string>
  /** Texts that must not appear in a target, a reason or a note, besides the values of credentials. */
  readonly secrets: readonly string[]
  readonly encounters: Encounters
  /** How often the targets have been reached. */
  attempts(): number
  /** Connections that the targets have open now. */
  openConnections(): number
}

/** How long to wait for a peer that never answers. */
const IMPATIENT_MS = 200

export function expects(
  kind: ActionOutcome['kind'],
  config: object,
  more: Partial<Encounter> = {},
): Encounter {
  return { config, kind, ...more }
}

export function neverAnswers(kind: ActionOutcome['kind'], config: object): Encounter {
  return { config, kind, timeoutMs: IMPATIENT_MS }
}
