// client/apply/failed-items.ts: the items that the service found wrong, as many as it names.
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { mayPass } from '../may-pass.ts'
import type { Session } from '../session.ts'

/** known: the first of them, which are enough when the others cannot be read. */
export async function failedItems(
  { client, signal }: Session,
  id: string,
  known: wire.ApplyResult[],
): Promise<wire.ApplyResult[]> {
  if (known.length > 0 && known.length < v2.limits.preflightItems) return known
  const found: wire.ApplyResult[] = []
  try {
    for (let cursor: string | undefined; found.length < v2.limits.rejectedItems; ) {
      const page = { id, limit: v2.limits.listLimit, ...(cursor === undefined ? {} : { cursor }) }
      const { items = [], nextCursor } = (await client.getOperation(page, { signal })).data
      found.push(...items.filter(({ outcome }) => outcome === 'failed'))
      if (nextCursor === undefined) break
      cursor = nextCursor
    }
  } catch (error) {
    if (!mayPass(error)) throw error
  }
  return found.length < known.length ? known : found.slice(0, v2.limits.rejectedItems)
}
