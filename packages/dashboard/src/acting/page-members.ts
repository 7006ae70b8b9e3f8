// acting/page-members.ts: the monitors that a page of a policy waits for: those of its open incidents that nobody has
// acknowledged. When all of them were, before the page started again, all are asked about once more. They are collected page
// by page, up to the limit of one operation.
import type { v2 } from '@pulseward/contract'
import { pathOf } from '../data/request.ts'
import type { V2Requests } from '../data/v2-request.ts'
import { mostOfMany, type Names } from './choose-many.ts'

const pageLimit = 500

/** Null if there are more than one operation accepts. */
export async function pageMembers(
  page: string,
  requests: Pick<V2Requests, 'read'>,
  signal: AbortSignal,
  onProgress: (found: number) => void,
): Promise<Names | null> {
  const waiting = new Map<string, string>()
  const all = new Map<string, string>()
  for (let cursor: string | undefined; ; ) {
    const address = pathOf('/api/v2/incidents', {
      limit: pageLimit,
      ...(cursor === undefined ? {} : { cursor }),
    })
    const { items, nextCursor } = (await requests.read<v2.IncidentList>(address, signal)).body
    for (const { monitorID, escalation, acknowledgedBy } of items) {
      if (escalation?.id !== page) continue
      all.set(monitorID, monitorID)
      if (acknowledgedBy === undefined) waiting.set(monitorID, monitorID)
    }
    onProgress(waiting.size)
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  const found = waiting.size > 0 ? waiting : all
  return found.size > mostOfMany ? null : found
}
