// store/epoch.ts: tells two lives of a store apart. The version of a resource is the epoch and the number of a change;
// both lives of a store that was restored may count the same changes, with other content. Random, because the same
// backup may be restored more than once, and a store in memory begins anew with every process.
import { randomInt } from 'node:crypto'

/** A restore began another life of the store: what is numbered from then on has numbers that the lost life gave, too. */
export interface StoreRestore {
  /** Of the life that it began. */
  readonly epoch: number
  /** The number of the last operation that was in the backup. */
  readonly lastOperation: number
}

/** A store can be raised a million times before its epochs are no longer exact numbers. */
const furthest = 2 ** 32

export function newEpoch(): number {
  return raisedEpoch(0)
}

export function raisedEpoch(epoch: number): number {
  return epoch + 1 + randomInt(furthest)
}
