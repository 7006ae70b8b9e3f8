// editions/read-together.ts: what a start reads: the fleet files, and what the previous process left in the store.

import type { FirstLoad } from '../fleet/load-arrangement.ts'
import type { OpenedStore } from './edition.ts'

/**
 * What the previous process left is read while the files load. Without any, the files come first: those that are refused
 * must not make a store.
 */
export async function readTogether(
  load: () => Promise<FirstLoad>,
  open: () => Promise<OpenedStore>,
  isAnyLeft: boolean,
): Promise<{ inFiles: FirstLoad; inStore: OpenedStore }> {
  if (!isAnyLeft) return { inFiles: await load(), inStore: await open() }
  const [files, store] = await Promise.allSettled([load(), open()])
  if (files.status === 'fulfilled' && store.status === 'fulfilled')
    return { inFiles: files.value, inStore: store.value }
  if (store.status === 'fulfilled') await store.value[Symbol.asyncDispose]()
  throw files.status === 'rejected' ? files.reason : (store as PromiseRejectedResult).reason
}
