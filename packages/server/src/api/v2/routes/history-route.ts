// api/v2/routes/history-route.ts: all events in commit order: of monitors, of other resources and of the
// service itself. A pagination sees the log as it was at its first page.
import { eventView } from '../../../projection/v2/event-view.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import type { Store } from '../../../store/store.ts'
import type { ListPages } from '../list-pages.ts'
import { type V2Route, v2Read } from '../v2-route.ts'

export interface HistoryRouteOptions {
  readonly store: Pick<Store, 'readEvents'>
  readonly pages: ListPages
  /** The committed position now. */
  readonly position: () => number
}

export function historyRoute({ store, pages, position }: HistoryRouteOptions): V2Route {
  return v2Read('GetHistory', async (asked) => {
    const page = pages.open('GetHistory', asked, position())
    const { upTo, afterNumber: after, limit } = page
    const monitorId = asked.query.monitorID
    const { events, more, oldest } = await store.readEvents({ monitorId, order: 'asc', upTo, after, limit })
    // Retention has removed the event that would come next.
    if (after !== null && after + 1 < oldest)
      throw new V2Problem('cursorExpired', 'The next event is no longer kept. Begin again without a cursor.')
    const last = more ? events.at(-1) : undefined
    return { body: page.body(events.map(eventView), last === undefined ? null : String(last.position)) }
  })
}
