// outbound-contract/peers.ts: what a notifier or a recovery brings to its contract: peers of every kind that it may
// meet, each with the right outcome. The suite knows nothing else about providers.
import type { ActionOutcome } from '@pulseward/server/internal/platform/action-outcome.ts'
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'

export interface Encounter {
  /** As a fleet file writes it, with { credential: NAME } where there is a secret. */
  readonly config: object
  /** The kind of the right outcome. */
  readonly kind: ActionOutcome['kind']
  /** The wait that the peer asks for, if it does. */
  readonly retryAfterMs?: number
  /** 3 s by default; short if the peer never answers. */
  readonly timeoutMs?: number
}

export type Encounters = Readonly<Record<string, Encounter>>

/** The peers of one driver, all of them running. */
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

/** How long a peer that never answers is waited for. */
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
