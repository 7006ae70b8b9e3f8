// api/v2/routes/resource-routes.ts: create, get, replace, patch, delete and list, the same for every kind of resource.
import { v2 } from '@pulseward/contract'
import type { Principal } from '../../../access/principals-format.ts'
import type { ManagedKind, Sent } from '../../../kinds/kind.ts'
import type { ResourceDesk } from '../../../managing/resource-desk.ts'
import type { AnyResource, ResourceLists } from '../../../managing/resource-lists.ts'
import type { Json } from '../../../platform/json/json.ts'
import type { ResourceViews } from '../../../projection/v2/resource-views.ts'
import { requireShape } from '../../../requests/check-shape.ts'
import { refusal, V2Problem } from '../../../requests/v2-problem.ts'
import type { AskedPage, ListPages } from '../list-pages.ts'
import { type V2Route, type V2RouteAnswer, v2Route } from '../v2-route.ts'
import { authorOf, made } from './resource-writes.ts'

export interface ResourceRoutesOptions {
  readonly desk: ResourceDesk
  readonly views: ResourceViews
  readonly lists: ResourceLists
  readonly pages: ListPages
  /** The number of the last committed change. */
  readonly change: () => number
  /** Includes job types only if external jobs are on. */
  readonly kinds: readonly ManagedKind[]
}

export function resourceRoutes(options: ResourceRoutesOptions): V2Route[] {
  return options.kinds.flatMap((kind) => [
    ...routesOf(kind, options),
    ...(v2.isPatched(kind) ? [patchRoute(kind, options)] : []),
  ])
}

function routesOf(kind: ManagedKind, options: ResourceRoutesOptions): V2Route[] {
  const { desk, views, lists } = options
  const path = v2.operations[`List${v2.kinds[kind].plural}`].path
  const shown = showing(views)
  return [
    v2Route(`List${v2.kinds[kind].plural}`, async (asked) => ({ body: await pageOf(kind, asked, options) })),
    v2Route(`Create${kind}`, async (asked) => {
      const sent = sentIn(asked.body)
      const { resource } = await made(desk.create(kind, sent, authorOf(asked)))
      const location = `${path}/${encodeURIComponent(resource.id)}`
      return { ...shown(resource, asked.principal), location }
    }),
    v2Route(`Get${kind}`, async ({ path: { id }, principal }) => {
      const found = await lists.find(kind, id)
      if (found === null) throw new V2Problem('notFound', `There is no ${v2.kinds[kind].names[0]} "${id}".`)
      return shown(found, principal)
    }),
    v2Route(`Replace${kind}`, async (asked) => {
      const sent = sentIn(asked.body)
      if (sent.metadata.id !== asked.path.id)
        throw refusal('invalidResource', 'body', [
          { field: '/metadata/id', reason: 'notAllowed', message: 'must be the id of the path' },
        ])
      const version = views.changeOf(asked.version)
      const { resource } = await made(desk.replace(kind, sent, version, authorOf(asked)))
      return shown(resource, asked.principal)
    }),
    v2Route(`Delete${kind}`, async (asked) => {
      const version = views.changeOf(asked.version)
      await made(desk.remove(kind, asked.path.id, version, authorOf(asked)))
      const { id } = asked.operation
      const operation: v2.Operation = { id, state: 'completed', itemCount: 1, committed: 1, applied: 1 }
      return { body: operation }
    }),
  ]
}

function patchRoute(kind: v2.PatchedKind, { desk, views }: ResourceRoutesOptions): V2Route {
  const schema = v2.resourceTypes[kind].one
  const shown = showing(views)
  return v2Route(`Patch${kind}`, async (asked) => {
    const { id } = asked.path
    const sentOf = (patched: Json) => {
      const sent = sentIn(requireShape(schema, patched))
      if (sent.metadata.id === id) return sent
      const message = 'cannot be changed; delete the resource and create another one'
      throw refusal('invalidResource', 'body', [{ field: '/metadata/id', reason: 'notAllowed', message }])
    }
    const version = views.changeOf(asked.version)
    const patch = asked.body as Json
    const { resource } = await made(desk.patch(kind, id, patch, version, authorOf(asked), sentOf))
    return shown(resource, asked.principal)
  })
}

function showing(views: ResourceViews): (resource: AnyResource, principal: Principal) => V2RouteAnswer {
  return (resource, { role }) => ({ body: views.view(resource, role), version: views.tagOf(resource) })
}

async function pageOf(
  kind: ManagedKind,
  asked: AskedPage,
  { views, lists, pages, change }: ResourceRoutesOptions,
): Promise<object> {
  const opened = pages.open(`List${v2.kinds[kind].plural}`, asked, change())
  const { upTo: upToChange, after, limit } = opened
  const page = await lists.page(kind, { upToChange, after, limit, selector: asked.query.selector })
  if (page === 'unavailable')
    throw new V2Problem('unavailable', 'The list cannot be read at this moment; try again.', {
      retryAfterSeconds: 1,
    })
  if (page === 'expired')
    throw new V2Problem(
      'cursorExpired',
      'The state that this list shows is no longer kept. Begin again without a cursor.',
    )
  const items = page.resources.map((resource) => views.view(resource, asked.principal.role))
  return opened.body(items, page.more ? (page.resources.at(-1)?.id ?? null) : null)
}

/** Members that the service sets are ignored; but clients must not say who manages a resource. */
function sentIn(body: unknown): Sent {
  const { metadata, spec } = body as { metadata: v2.Metadata; spec: Json }
  if (metadata.managedBy !== undefined && metadata.managedBy !== 'api')
    throw refusal('invalidResource', 'body', [
      { field: '/metadata/managedBy', reason: 'notAllowed', message: 'cannot be set; leave it out' },
    ])
  const { id, name, labels } = metadata
  return {
    metadata: { id, ...(name === undefined ? {} : { name }), ...(labels === undefined ? {} : { labels }) },
    spec,
  }
}
