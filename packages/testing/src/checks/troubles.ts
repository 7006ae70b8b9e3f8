// checks/troubles.ts: what can be wrong with a target, and the exact sentence that a driver says about it.
// The contract tests every sentence. The docs make a table from the same rows without starting a server, so
// they are constants beside the peers.

type TroubleKind =
  | 'refused'
  | 'black_hole'
  | 'wrong_credentials'
  | 'wrong_protocol'
  | 'slow'
  | 'certificate'
  /** The target reports that it is unhealthy, or is not what was expected. */
  | 'unhealthy'

export interface Trouble {
  /** The peer of the scenarios that has this trouble. */
  readonly peer: string
  /** What is wrong, as a sentence of the docs. */
  readonly trouble: string
  /** The whole reason (or warning). HOST, PORT and TIMEOUT stand for the values of the encounter. */
  readonly sentence: string
}

/** Every kind must be present; an empty list says that a target of this check cannot have that trouble. */
export type Troubles = Readonly<Record<TroubleKind, readonly Trouble[]>>
