// projection/storage-trouble.ts: what is wrong with the store, by kind or as the store tells it: never a path, an address
// or a secret.
import type { StoreError, StoreProblem } from '../store/store.ts'

const troubles: Readonly<Record<StoreProblem, string>> = {
  full: 'the disk is full',
  io: 'reading or writing failed',
  gone: 'a file of the store was removed or replaced',
  corrupt: 'the store is damaged',
  newer_format: 'the store was written by a newer version',
  managed: 'the store has resources that are managed through v2',
  locked: 'another process owns the store',
  fenced: 'another process has taken over the store',
  moved: 'the store was moved elsewhere',
  closed: 'the store is closed',
}

export function storageTrouble(error: Pick<StoreError, 'problem' | 'told'> | null): string | null {
  return error === null ? null : (error.told ?? troubles[error.problem])
}
