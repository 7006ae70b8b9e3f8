// client/kinds.ts: the kinds of v2 that commands name: what people call them, what can be done with them, and
// through which operations. One table, so that describe, patch, delete, wait and api-resources agree.
import type { CallOptions, Client, Response, v2 } from '@pulseward/client'
import { v2 as contract } from '@pulseward/contract'
import { nearestName, UsageError } from '@pulseward/server'
import { type WithId, withIncident, withMonitor } from './named-monitor.ts'

type Resource = contract.Resource
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
  /** The name on the wire. */
  readonly kind: string
  /** Commands show the first. */
  readonly names: readonly [string, ...string[]]
  /** How users name one, where that is not by id alone. */
  readonly withId: WithId
  readonly get: Read
  readonly list?: List
  readonly create?: Create
  readonly replace?: Replace
  readonly patch?: Change
  readonly remove?: Remove
  /** What commands can do with it, for api-resources. */
  readonly verbs: readonly string[]
}

const resourceVerbs = ['apply', 'diff', 'describe', 'patch', 'delete']
const verbsOfMonitors = [...resourceVerbs, 'enable', 'disable', 'snooze', 'unsnooze', 'recover', 'wait']

/** Client operations by kind name; all take and return the same. */
type ByKind = Readonly<Record<string, (given: object, options: CallOptions) => Promise<never>>>

function resourceKind(kind: contract.ResourceKind): Kind {
  const { names, plural } = contract.kinds[kind]
  const isPatched = contract.isPatched(kind)
  const call = (client: Client, verb: string) => (client as unknown as ByKind)[`${verb}${kind}`]!
  return {
    kind,
    names,
    withId: kind === 'Monitor' ? withMonitor : byId,
    get: (client, id, options) => call(client, 'get')({ id }, options),
    list: (client) => (client as unknown as ByKind)[`list${plural}`]!,
    create: (client, body, options) => call(client, 'create')({ body, ifNoneMatch: '*' }, options),
    replace: (client, given, options) => call(client, 'replace')(given, options),
    ...(isPatched ? { patch: (client, given, options) => call(client, 'patch')(given, options) } : {}),
    remove: (client, given, options) => call(client, 'delete')(given, options),
    verbs:
      kind === 'Monitor'
        ? verbsOfMonitors
        : ['get', ...resourceVerbs.filter((verb) => isPatched || verb !== 'patch')],
  }
}

const byId: WithId = (_client, id, _options, use) => use(id)

/** The operations of all kinds that start with this verb. */
export function operationsNamed(
  verb: 'Create' | 'Delete' | 'Get' | 'List' | 'Patch' | 'Replace',
): contract.OperationName[] {
  return contract.resourceKinds
    .map((kind) => `${verb}${verb === 'List' ? contract.kinds[kind].plural : kind}`)
    .filter((name): name is contract.OperationName => name in contract.operations)
}

export const kinds: readonly Kind[] = [
  ...contract.resourceKinds.map(resourceKind),
  {
    kind: 'Incident',
    names: ['incident', 'incidents'],
    withId: withIncident,
    get: (client, id, options) => client.getIncident({ id }, options),
    verbs: ['describe', 'ack', 'dismiss', 'reopen', 'note', 'wait'],
  },
  {
    kind: 'Action',
    names: ['action', 'actions'],
    withId: byId,
    get: (client, id, options) => client.getAction({ id }, options),
    verbs: ['get', 'describe', 'review', 'wait'],
  },
  {
    kind: 'Operation',
    names: ['operation', 'operations'],
    withId: byId,
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

/** Accepts two words or one: `monitor checkout-api`, `monitor/checkout-api`. */
export function referenceFrom(operands: readonly string[], usage: string): Reference {
  const [first = '', ...rest] = operands
  const slash = first.indexOf('/')
  const words = slash === -1 ? operands : [first.slice(0, slash), first.slice(slash + 1), ...rest]
  const [name, id, ...others] = words
  if (!name || !id || others.length > 0) throw new UsageError(`Name one: pulseward ${usage}`)
  return { kind: findKind(name), id }
}

/** Accepts one kind with one or more ids, or references written as one word each. */
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

/** For the beginning of a sentence. */
export function shownFirst(reference: Reference): string {
  const words = shown(reference)
  return words[0]!.toUpperCase() + words.slice(1)
}
