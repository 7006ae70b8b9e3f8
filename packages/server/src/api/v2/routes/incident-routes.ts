// api/v2/routes/incident-routes.ts: open incidents and those closed in the last 30 days, newest first.
import type { IncidentViews } from '../../../projection/v2/incident-views.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import type { Store } from '../../../store/store.ts'
import type { ListPages } from '../list-pages.ts'
import { type V2Route, v2Read } from '../v2-route.ts'

export interface IncidentRoutesOptions {
  readonly store: Pick<Store, 'listIncidents' | 'readIncident'>
  readonly views: IncidentViews
  readonly pages: ListPages
  /** The committed position now. */
  readonly position: () => number
}

export function incidentRoutes({ store, views, pages, position }: IncidentRoutesOptions): V2Route[] {
  return [
    v2Read('ListIncidents', async (asked) => {
      const page = pages.open('ListIncidents', asked, position())
      const { upTo, afterNumber: after, limit } = page
      const monitorId = asked.query.monitorID
      const { incidents, more } = await store.listIncidents({ monitorId, upTo, after, limit })
      const last = more ? incidents.at(-1) : undefined
      const items = incidents.map((incident) => views.view(incident))
      return { body: page.body(items, last === undefined ? null : String(last.opened)) }
    }),
    v2Read('GetIncident', async ({ path: { id } }) => {
      const incident = await store.readIncident(id)
      if (incident === null)
        throw new V2Problem('notFound', 'There is no open incident with this id, nor one that is still kept.')
      const body = views.view(incident)
      return { body, version: body.revision }
    }),
  ]
}
