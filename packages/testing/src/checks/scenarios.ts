// checks/scenarios.ts: what a driver brings to its contract: every kind of peer that it may meet, each with
// the right outcome. The suite itself knows nothing about protocols.
import type { Evidence, OutcomeStatus } from '@pulseward/server/internal/checks/driver.ts'
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'
import type { Troubles } from './troubles.ts'

/** Every driver meets these. A reflecting peer is needed only if a configuration may contain a secret. */
export const requiredPeers = ['healthy', 'refusing', 'silent', 'garbage', 'endless'] as const
export type RequiredPeer = (typeof requiredPeers)[number]

/** Peers whose name starts with this echo whatever they are sent, so a secret could come back. */
export const reflecting = 'reflecting'
/** Peers whose name starts with this never stop sending. */
export const endless = 'endless'

export interface Encounter {
  /** As a fleet file writes it, with { credential: NAME } where there is a secret. */
  readonly config: object
  readonly status: OutcomeStatus
  readonly evidence: Evidence
  readonly timeoutMs?: number
}

export type Peers = Readonly<Record<RequiredPeer, Encounter>> & Readonly<Record<string, Encounter>>

/** The running targets of one driver, and what to expect of them. */
export interface CheckScenarios extends AsyncDisposable {
  readonly network: Network
  /** Values of the credentials that configurations name. */
  readonly credentials: ReadonlyMap<string, string>
  readonly peers: Peers
  /** The exact sentences that are promised about some of the peers. */
  readonly troubles: Troubles
  /** Connections that the targets have open now. */
  openConnections(): number
}

export type StartScenarios = () => Promise<CheckScenarios>

export function succeeds(config: object): Encounter {
  return { config, status: 'success', evidence: 'target' }
}

export function fails(config: object, evidence: Evidence = 'target'): Encounter {
  return { config, status: 'failure', evidence }
}

/** For a configuration that cannot be checked, so the outcome is no_data. */
export function givesNoData(config: object): Encounter {
  return { config, status: 'no_data', evidence: 'local' }
}

export function timesOut(config: object): Encounter {
  return { config, status: 'timeout', evidence: 'local' }
}

/** 2 s, or 150 ms where a timeout is the right outcome. */
export function timeoutMsOf({ timeoutMs, status }: Encounter): number {
  return timeoutMs ?? (status === 'timeout' ? 150 : 2_000)
}
