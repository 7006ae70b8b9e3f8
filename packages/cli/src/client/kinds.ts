// client/kinds.ts: the kinds of v2 that commands name: how people call them, what can be done with them, and through
// which operations. One table, so that describe, patch, delete, wait and api-resources agree.
import type { CallOptions, Client, Response, v2 } from '@pulseward/client'
import { nearestName, UsageError } from '@pulseward/server'

type Resource = v2.Monitor | v2.NotificationEndpoint | v2.NotificationGroup | v2.Credential | v2.JobType
type Read = (client: Client, id: string, options: CallOptions) => Promise<Response<object>>
type Change = (
  client: Client,
  given: { id: string; ifMatch: string; body: v2.MergePatch },
  options: CallOptions,
) => Promise<Response<object>>
type Create = (client: Client, body: Resource, options: CallOptions) => Promise<Response<object>>
type Replace = (
  client: Client,
  given: { id: string; ifMatch: string; body: Resource },
  options: CallOptions,
) => Promise<Response<object>>
type Remove = (
  client: Client,
  given: { id: string; ifMatch: string },
  options: CallOptions,
) => Promise<Response<v2.Operation>>

interface Listed {
  items: object[]
  nextCursor?: string
}
type List = (
  client: Client,
) => (given: { cursor?: string; limit?: number }, options: CallOptions) => Promise<Response<Listed>>

export interface Kind {
  /** On the wire. */
  readonly kind: string
  /** The first is the one that commands show. */
  readonly names: readonly [string, ...string[]]
  readonly get: Read
  readonly list?: List
  readonly create?: Create
  readonly replace?: Replace
  readonly patch?: Change
  readonly remove?: Remove
  /** What commands do with it, for api-resources. */
  readonly verbs: readonly string[]
}

const resourceVerbs = ['apply', 'diff', 'describe', 'patch', 'delete']

export const kinds: readonly Kind[] = [
  {
    kind: 'Monitor',
    names: ['monitor', 'monitors'],
    get: (client, id, options) => client.getMonitor({ id }, options),
    list: (client) => client.listMonitors,
    create: (client, body, options) =>
      client.createMonitor({ body: body as v2.Monitor, ifNoneMatch: '*' }, options),
    replace: (client, given, options) =>
      client.replaceMonitor({ ...given, body: given.body as v2.Monitor }, options),
    patch: (client, given, options) => client.patchMonitor(given, options),
    remove: (client, given, options) => client.deleteMonitor(given, options),
    verbs: [...resourceVerbs, 'enable', 'disable', 'snooze', 'unsnooze', 'recover', 'wait'],
  },
  {
    kind: 'NotificationEndpoint',
    names: ['endpoint', 'endpoints', 'notification-endpoint', 'notification-endpoints'],
    get: (client, id, options) => client.getNotificationEndpoint({ id }, options),
    list: (client) => client.listNotificationEndpoints,
    create: (client, body, options) =>
      client.createNotificationEndpoint({ body: body as v2.NotificationEndpoint, ifNoneMatch: '*' }, options),
    replace: (client, given, options) =>
      client.replaceNotificationEndpoint({ ...given, body: given.body as v2.NotificationEndpoint }, options),
    patch: (client, given, options) => client.patchNotificationEndpoint(given, options),
    remove: (client, given, options) => client.deleteNotificationEndpoint(given, options),
    verbs: ['get', ...resourceVerbs],
  },
  {
    kind: 'NotificationGroup',
    names: ['group', 'groups', 'notification-group', 'notification-groups'],
    get: (client, id, options) => client.getNotificationGroup({ id }, options),
    list: (client) => client.listNotificationGroups,
    create: (client, body, options) =>
      client.createNotificationGroup({ body: body as v2.NotificationGroup, ifNoneMatch: '*' }, options),
    replace: (client, given, options) =>
      client.replaceNotificationGroup({ ...given, body: given.body as v2.NotificationGroup }, options),
    patch: (client, given, options) => client.patchNotificationGroup(given, options),
    remove: (client, given, options) => client.deleteNotificationGroup(given, options),
    verbs: ['get', ...resourceVerbs],
  },
  {
    kind: 'Credential',
    names: ['credential', 'credentials'],
    get: (client, id, options) => client.getCredential({ id }, options),
    list: (client) => client.listCredentials,
    create: (client, body, options) =>
      client.createCredential({ body: body as v2.Credential, ifNoneMatch: '*' }, options),
    replace: (client, given, options) =>
      client.replaceCredential({ ...given, body: given.body as v2.Credential }, options),
    patch: (client, given, options) => client.patchCredential(given, options),
    remove: (client, given, options) => client.deleteCredential(given, options),
    verbs: ['get', ...resourceVerbs],
  },
  {
    kind: 'JobType',
    names: ['job-type', 'job-types'],
    get: (client, id, options) => client.getJobType({ id }, options),
    list: (client) => client.listJobTypes,
    create: (client, body, options) =>
      client.createJobType({ body: body as v2.JobType, ifNoneMatch: '*' }, options),
    replace: (client, given, options) =>
      client.replaceJobType({ ...given, body: given.body as v2.JobType }, options),
    remove: (client, given, options) => client.deleteJobType(given, options),
    verbs: ['get', ...resourceVerbs.filter((verb) => verb !== 'patch')],
  },
  {
    kind: 'Incident',
    names: ['incident', 'incidents'],
    get: (client, id, options) => client.getIncident({ id }, options),
    verbs: ['describe', 'ack', 'dismiss', 'reopen', 'wait'],
  },
  {
    kind: 'Action',
    names: ['action', 'actions'],
    get: (client, id, options) => client.getAction({ id }, options),
    verbs: ['get', 'describe', 'review', 'wait'],
  },
  {
    kind: 'Operation',
    names: ['operation', 'operations'],
    get: (client, id, options) => client.getOperation({ id }, options),
    verbs: ['get', 'describe', 'delete', 'wait'],
  },
]

export const kindNames: readonly string[] = kinds.map(({ names }) => names[0])

export function findKind(name: string): Kind {
  const wanted = name.toLowerCase()
  const found = kinds.find(({ kind, names }) => names.includes(wanted) || kind.toLowerCase() === wanted)
  if (found !== undefined) return found
  const nearest = nearestName(name, kindNames)
  throw new UsageError(
    `There is no kind "${name}".${nearest === null ? ` There are ${kindNames.join(', ')}.` : ` Did you mean ${nearest}?`}`,
  )
}

export interface Reference {
  readonly kind: Kind
  readonly id: string
}

/** Written as two words or as one: `monitor checkout-api`, `monitor/checkout-api`. */
export function referenceFrom(operands: readonly string[], usage: string): Reference {
  const [first = '', ...rest] = operands
  const slash = first.indexOf('/')
  const words = slash === -1 ? operands : [first.slice(0, slash), first.slice(slash + 1), ...rest]
  const [name, id, ...others] = words
  if (!name || !id || others.length > 0) throw new UsageError(`Name one: pulseward ${usage}`)
  return { kind: findKind(name), id }
}

/** Of one kind, by one or more ids, or each written as one word. */
export function referencesFrom(
  operands: readonly string[],
  usage: string,
): readonly [Reference, ...Reference[]] {
  const [first = '', ...rest] = operands
  const isWhole = first.includes('/')
  const one = referenceFrom(isWhole ? [first] : operands.slice(0, 2), usage)
  const others = isWhole ? rest.map((word) => [word]) : rest.slice(1).map((id) => [first, id])
  return [one, ...others.map((words) => referenceFrom(words, usage))]
}

export function shown({ kind, id }: Reference): string {
  return `${kind.names[0]} ${id}`
}

/** At the beginning of a sentence. */
export function shownFirst(reference: Reference): string {
  const words = shown(reference)
  return words[0]!.toUpperCase() + words.slice(1)
}
