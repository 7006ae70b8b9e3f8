// bulk/staging-loss.ts: staged items may be lost: they are not in a backup, people may remove them, and a
// disk may damage them. That is permanent, so it is distinguished from a transient error.
import { StoreError } from '../store/store.ts'

/** How they were lost, as a word in the reason that ends the operation. */
export type Loss = 'gone' | 'damaged'

export function stagingGone(number: number): StoreError {
  return new StoreError('gone', `What was staged for the operation ${number} is gone.`)
}

/** Null for any other error. */
export function lossOf(error: unknown): Loss | null {
  if (!(error instanceof StoreError)) return null
  if (error.problem === 'gone') return 'gone'
  return error.problem === 'corrupt' ? 'damaged' : null
}
