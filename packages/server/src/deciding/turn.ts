// deciding/turn.ts: what a part of the engine may do within one turn. A turn has one time, and everything
// decided in it is stored together; effects outside the process wait until that is on disk.
import type { Input } from './decide.ts'
import type { Decision } from './decision.ts'
import type { Instant } from './health/health.ts'

export interface Turn {
  readonly now: Instant
  /** Decides, and passes the decision on to be stored at the end of the turn. */
  decide(input: Input): Decision
  /** Runs once everything of this turn is on disk; never if that fails. */
  afterCommit(effect: () => void): void
}
