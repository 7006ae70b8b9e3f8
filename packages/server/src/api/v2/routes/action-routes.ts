// api/v2/routes/action-routes.ts: recoveries and notifications, newest first. All pages of a list show the
// actions that were queued before its first page, each in its state at the time its page is read.
import type { ActionViews } from '../../../projection/v2/action-views.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import type { Store } from '../../../store/store.ts'
import type { ListPages } from '../list-pages.ts'
import { type V2Route, v2Read } from '../v2-route.ts'

export interface ActionRoutesOptions {
  readonly store: Pick<Store, 'listActions' | 'readAction'>
  readonly views: ActionViews
  readonly pages: ListPages
  /** The committed position now. */
  readonly position: () => number
}

export function actionRoutes({ store, views, pages, position }: ActionRoutesOptions): V2Route[] {
  return [
    v2Read('ListActions', async (asked) => {
      const page = pages.open('ListActions', asked, position())
      const { afterNumber: after, limit } = page
      const { actions, more } = await store.listActions({ monitorId: asked.query.monitorID, after, limit })
      const last = more ? actions.at(-1) : undefined
      const items = await views.views(actions.map(({ action }) => action))
      return { body: page.body(items, last === undefined ? null : String(last.number)) }
    }),
    v2Read('GetAction', async ({ path: { id } }) => {
      const action = await store.readAction(id)
      if (action === null)
        throw new V2Problem('notFound', 'There is no action with this id, or it is no longer kept.')
      const body = await views.view(action)
      return { body, version: body.reviewRevision }
    }),
  ]
}
