// api/v2/routes/operation-route.ts: the outcome of a write, by the id that its answer named. Distinguishes an
// id that was never issued from one whose record is no longer kept.
import type { v2 } from '@pulseward/contract'
import { operationView } from '../../../projection/v2/operation-view.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import { storeBounds } from '../../../store/retention.ts'
import type { Store } from '../../../store/store.ts'
import type { ListPages } from '../list-pages.ts'
import type { OperationIds } from '../operation-ids.ts'
import { type V2Route, type V2RouteAnswer, type V2RouteRequest, v2Read } from '../v2-route.ts'

export interface OperationRouteOptions {
  readonly store: Pick<Store, 'readOperation'>
  readonly operations: OperationIds
  readonly pages: ListPages
  /** Answers for a bulk operation. */
  readonly ofMany: (
    number: number,
    asked: V2RouteRequest<'GetOperation'>,
  ) => Promise<V2RouteAnswer<v2.Operation>>
  /** How many records the store keeps. */
  readonly kept?: number
}

export function operationRoute(options: OperationRouteOptions): V2Route {
  const { store, operations, pages, kept = storeBounds.operations } = options
  return v2Read('GetOperation', async (asked) => {
    const { id } = asked.path
    const ofMany = operations.bulkNumberOf(id)
    if (ofMany !== null) return await options.ofMany(ofMany, asked)
    const number = operations.numberOf(id)
    if (number === null) throw new V2Problem('notFound', 'There is no operation with this id.')
    // A single write has one outcome, so this list never issued a cursor: any is refused.
    pages.open('GetOperation', asked, 0)
    const operation = await store.readOperation(number)
    if (operation !== null) return { body: operationView(id, operation) }
    if (number > operations.last - kept)
      throw new V2Problem('notFound', 'The write under this id was not made.')
    throw new V2Problem('operationExpired', `Only the last ${kept} operations of single writes are kept.`)
  })
}
