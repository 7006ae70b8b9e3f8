// checks/troubles.ts: the troubles that people have with targets, and the exact sentence that a driver says
// about each. The contract holds the driver to every sentence, and a table for the docs can be made of the same rows,
// without starting anything: that is why they are constants beside the peers and not part of them.

type TroubleKind =
  | 'refused'
  | 'black_hole'
  | 'wrong_credentials'
  | 'wrong_protocol'
  | 'slow'
  | 'certificate'
  /** The target itself says that it is not well, or is not what was expected. */
  | 'unhealthy'

export interface Trouble {
  /** The peer of the scenarios that is in this trouble. */
  readonly peer: string
  /** What is wrong, as a sentence of the docs. */
  readonly trouble: string
  /** The whole reason (or warning). HOST, PORT and TIMEOUT stand for what the encounter has there. */
  readonly sentence: string
}

/** Every kind must be thought of; an empty list says that a target of this check cannot be in such trouble. */
export type Troubles = Readonly<Record<TroubleKind, readonly Trouble[]>>
