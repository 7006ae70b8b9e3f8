// editions/read-together.ts: reads the fleet files and the store at the start.

import type { FirstLoad } from '../fleet/load-arrangement.ts'
import type { OpenedStore } from './edition.ts'

/**
 * Reads the store while the files load. If there is no store yet, the files come first, because files that
 * are refused must not create a store.
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
