// store/epoch.ts: tells two lives of a store apart. The version of a resource is the epoch and the number of a change;
// both lives of a store that was restored may count the same changes, with other content. Random, because the same
// backup may be restored more than once, and a store in memory begins anew with every process.
import { randomInt } from 'node:crypto'

/** A store can be raised a million times before its epochs are no longer exact numbers. */
const furthest = 2 ** 32

export function newEpoch(): number {
  return raisedEpoch(0)
}

export function raisedEpoch(epoch: number): number {
  return epoch + 1 + randomInt(furthest)
}
