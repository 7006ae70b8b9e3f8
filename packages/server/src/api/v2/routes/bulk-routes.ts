// api/v2/routes/bulk-routes.ts: the routes of bulk operations. The listener passes an upload unread to the
// thread that processes it.
import type { v2 } from '@pulseward/contract'
import type { KnownOperation } from '../../../bulk/open-operations.ts'
import { isRunning, type State } from '../../../bulk/operation-state.ts'
import {
  bulkView,
  foreseenView,
  outcomeView,
  preflightView,
  retryAfterSeconds,
} from '../../../bulk/operation-views.ts'
import type { BulkOperations, KnownValidation } from '../../../bulk/operations.ts'
import { V2Problem } from '../../../requests/v2-problem.ts'
import type { Store } from '../../../store/store.ts'
import type { ListPages } from '../list-pages.ts'
import type { OperationIds } from '../operation-ids.ts'
import {
  type V2Route,
  type V2RouteAnswer,
  type V2RouteRequest,
  v2BytesRoute,
  v2Read,
  v2Route,
} from '../v2-route.ts'

export interface BulkRoutesOptions {
  readonly operations: BulkOperations
  readonly ids: OperationIds
  readonly pages: ListPages
  readonly store: Pick<Store, 'readOutcomes'>
  readonly versionOf: (change: number) => string
}

export function bulkRoutes(options: BulkRoutesOptions): V2Route[] {
  const { operations, ids, versionOf } = options
  const numberOf = (id: string): number => {
    const number = ids.bulkNumberOf(id)
    if (number !== null) return number
    if (ids.numberOf(id) !== null)
      throw new V2Problem('operationConflict', 'This is the operation of a single write, which is done.')
    throw new V2Problem('notFound', 'There is no operation with this id.')
  }
  return [
    v2BytesRoute('PreflightCollection', async ({ body: { contentType, bytes } }) => ({
      body: preflightView(await operations.preflight(contentType, bytes), versionOf),
    })),
    v2Route('CreateOperation', async ({ body, principal, operation }) => {
      const { number } = operation
      const known =
        'control' in body
          ? await operations.createControl(number, principal.name, body)
          : await operations.create(number, principal.name, body)
      const id = ids.bulkNameOf(operation.number)
      return { ...shown(id, known), location: `/api/v2/operations/${id}` }
    }),
    v2BytesRoute('UploadOperation', async ({ path: { id }, body: { contentType, bytes } }) =>
      shown(id, await operations.upload(numberOf(id), contentType, bytes)),
    ),
    v2Route('ValidateOperation', async ({ path: { id } }) =>
      validationAnswer(id, await operations.validate(numberOf(id)), versionOf),
    ),
    v2Route('ActivateOperation', async (asked) => {
      const { path, principal } = asked
      return withOutcomes(asked, await operations.activate(numberOf(path.id), principal.name), options)
    }),
    v2Route('CancelOperation', async (asked) =>
      withOutcomes(asked, await operations.cancel(numberOf(asked.path.id)), options),
    ),
    v2Read('ListOperations', async (asked) => {
      const page = options.pages.open('ListOperations', asked, ids.last)
      const { upTo, afterNumber: after, limit } = page
      const { state } = asked.query
      const found = await operations.list({ upTo, after, state, limit })
      const items = found.operations.map((known) => bulkView(ids.bulkNameOf(known.operation.id), known))
      const last = found.more ? found.operations.at(-1) : undefined
      return { body: page.body(items, last === undefined ? null : String(last.operation.id)) }
    }),
  ]
}

/** An ended operation is returned with its first outcomes; the client polls any other again. */
async function withOutcomes(
  asked: V2RouteRequest<'ActivateOperation' | 'CancelOperation'>,
  known: KnownOperation,
  options: BulkRoutesOptions,
): Promise<V2RouteAnswer<v2.Operation>> {
  const { id } = asked.path
  if (known.operation.endedAt === null) return shown(id, known)
  return { ...(await readBulk(known.operation.id, asked, options)), operationId: id }
}

/** A bulk operation and a page of its outcomes. */
export async function readBulk(
  number: number,
  asked: Pick<V2RouteRequest<'GetOperation'>, 'path' | 'principal' | 'query'>,
  { operations, pages, store }: BulkRoutesOptions,
): Promise<V2RouteAnswer<v2.Operation>> {
  const { id } = asked.path
  const known = await operations.read(number)
  const page = pages.open('GetOperation', asked, 0, id)
  const from = page.afterNumber ?? 0
  const { outcomes, more } = await store.readOutcomes(number, from, page.limit)
  const items = outcomes.map(outcomeView)
  const { nextCursor } = page.body(items, more ? String(from + outcomes.length) : null)
  const view = bulkView(id, known)
  return {
    body: {
      ...view,
      ...(items.length === 0 ? {} : { items }),
      ...(nextCursor === undefined ? {} : { nextCursor }),
    },
    ...runsOn(known.operation.state),
  }
}

function shown(id: string, known: KnownOperation): V2RouteAnswer<v2.Operation> {
  return { body: bulkView(id, known), operationId: id, ...runsOn(known.operation.state) }
}

function validationAnswer(
  id: string,
  { operation, isValid, foreseen, failed }: KnownValidation,
  versionOf: (change: number) => string,
): V2RouteAnswer<v2.Preflight> {
  const { contentDigest, reason } = operation
  const digest = contentDigest === null ? {} : { contentDigest }
  if (isValid === null) return { body: { valid: false, ...digest }, operationId: id, retryAfterSeconds }
  if (isValid) {
    const items = foreseen.map((item) => foreseenView(item, versionOf))
    return { body: { valid: true, ...digest, ...(items.length === 0 ? {} : { items }) }, operationId: id }
  }
  const errors = reason === null ? {} : { errors: [{ field: '', message: reason }] }
  return { body: { valid: false, ...digest, items: failed.map(outcomeView), ...errors }, operationId: id }
}

function runsOn(state: string): { retryAfterSeconds?: number } {
  return isRunning(state as State) ? { retryAfterSeconds } : {}
}
