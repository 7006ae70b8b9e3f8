// bulk/staging-loss.ts: what was staged for an operation may be lost: it is not in a backup, people may remove it, and a disk
// may damage it. That never mends itself, so it is told from an error that may pass.
import { StoreError } from '../store/store.ts'

/** How it was lost, as a word of the reason that the operation ends with. */
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
