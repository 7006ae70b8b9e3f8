// store/epoch.ts: tells a store from its restored copies. The version of a resource is the epoch and a change number.
// After a restore, the same change numbers are used again for other content, so each restore begins a new epoch. Epochs
// are random, because one backup may be restored more than once, and a store in memory starts over with every process.
import { randomInt } from 'node:crypto'

/** A restore: numbers issued after it were also issued by the lost store. */
export interface StoreRestore {
  /** The epoch that it began. */
  readonly epoch: number
  /** The number of the last operation in the backup. */
  readonly lastOperation: number
}

/** The largest step: a store can be restored a million times before its epochs are no longer exact numbers. */
const furthest = 2 ** 32

export function newEpoch(): number {
  return raisedEpoch(0)
}

export function raisedEpoch(epoch: number): number {
  return epoch + 1 + randomInt(furthest)
}
