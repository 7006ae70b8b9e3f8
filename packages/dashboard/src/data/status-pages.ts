// data/status-pages.ts: status pages, what people wrote on them, and what customers read of a page now.
import type { v2 } from '@pulseward/contract'
import { failureOf } from './failure.ts'
import type { Reading } from './reading.ts'
import { readProblem, send } from './request.ts'
import { useReading } from './use-reading.ts'
import { useV2Reading } from './v2-reading.ts'

/** As many as one answer may have; the view says when there are more. */
const listLimit = 500

export function useStatusPages(enabled = true): Reading<v2.StatusPageList> {
  return useV2Reading('/api/v2/status-pages', { limit: listLimit }, undefined, enabled)
}

export function useStatusIncidents(): Reading<v2.StatusIncidentList> {
  return useV2Reading('/api/v2/status-incidents', { limit: listLimit })
}

export type ShownState = v2.WrittenState | 'under_maintenance'

/** The part that the view shows of the document that every client of a page reads. */
export interface PublicPage {
  readonly status: { readonly indicator: string; readonly description: string }
  readonly components: readonly {
    readonly id: string
    readonly name: string
    readonly status: ShownState
    readonly group: boolean
  }[]
}

/** Where customers read a page. */
export function addressOfPage(id: string): string {
  return `/status/${encodeURIComponent(id)}/`
}

export function usePublicPage(id: string): Reading<PublicPage> {
  return useReading('status-page', `${addressOfPage(id)}api/v2/summary.json`, {
    async read(path, signal) {
      // Customers may see it from a cache for some seconds; here it follows what was just written.
      const response = await send(path, signal, { cache: 'no-cache' })
      if (!response.ok) throw failureOf(response.status, await readProblem(response))
      return (await response.json()) as PublicPage
    },
  })
}
