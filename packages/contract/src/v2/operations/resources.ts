// v2/operations/resources.ts: list, create, get, replace, patch and delete: the same operations for every
// kind of resource, made from the table of kinds. Immutable kinds have no patch.
import { isPatched, kinds, type PatchedKind, type ResourceKind, resourceKinds } from '../kinds.ts'
import { resourceTypes } from '../resource-types.ts'
import { Operation } from '../wire/apply.ts'
import { MergePatch } from '../wire/merge-patch.ts'
import {
  answer,
  bodyProblems,
  filteredBy,
  idParameter,
  ifMatch,
  ifNoneMatch,
  jsonBody,
  listProblems,
  mergePatchMediaType,
  operation,
  preconditionProblems,
  servedBy,
  writeProblems,
} from './parts.ts'

type Types = typeof resourceTypes
type Kind = ResourceKind

/** All operations on a kind, by name. */
export type ResourceOperations<Of extends Kind> = {
  readonly [One in Of as `List${(typeof kinds)[One]['plural']}`]: ReturnType<typeof list<One>>
} & { readonly [One in Of as `Create${One}`]: ReturnType<typeof create<One>> } & {
  readonly [One in Of as `Get${One}`]: ReturnType<typeof get<One>>
} & { readonly [One in Of as `Replace${One}`]: ReturnType<typeof replace<One>> } & {
  readonly [One in Extract<Of, PatchedKind> as `Patch${One}`]: ReturnType<typeof patch<One>>
} & { readonly [One in Of as `Delete${One}`]: ReturnType<typeof remove> }

export function operationsOn<Of extends Kind>(some: readonly Of[]): ResourceOperations<Of> {
  const named = some.flatMap((kind) => [
    [`List${kinds[kind].plural}`, list(kind)],
    [`Create${kind}`, create(kind)],
    [`Get${kind}`, get(kind)],
    [`Replace${kind}`, replace(kind)],
    ...(isPatched(kind) ? [[`Patch${kind}`, patch(kind)]] : []),
    [`Delete${kind}`, remove(kind)],
  ])
  return Object.fromEntries(named)
}

function list<One extends Kind>(kind: One) {
  const { many } = kinds[kind]
  return operation({
    ...common(kind),
    summary: `Lists ${many}`,
    method: 'GET',
    path: pathOf(kind),
    ...filteredBy('selector'),
    answers: { 200: answer(`A page of ${many}`, resourceTypes[kind].list as Types[One]['list'], 'read') },
    problems: [...listProblems, ...absent(kind)],
  })
}

function create<One extends Kind>(kind: One) {
  return operation({
    ...common(kind),
    summary: `Creates ${kinds[kind].one}`,
    method: 'POST',
    path: pathOf(kind),
    headers: ifNoneMatch,
    body: jsonBody(typeOf(kind)),
    answers: { 201: answer('Created', typeOf(kind), 'created', linksOf(kind)) },
    problems: [...bodyProblems, ...preconditionProblems, ...writeProblems, ...absent(kind)],
  })
}

function get<One extends Kind>(kind: One) {
  return operation({
    ...common(kind),
    summary: `Reads ${kinds[kind].one}`,
    method: 'GET',
    path: `${pathOf(kind)}/{id}`,
    pathParameters: idParameter,
    answers: { 200: answer('As it is now', typeOf(kind), 'readOne', linksOf(kind, 'Get')) },
    problems: ['notFound', ...absent(kind)],
  })
}

function replace<One extends Kind>(kind: One) {
  return operation({
    ...common(kind),
    summary: `Replaces ${kinds[kind].one}`,
    method: 'PUT',
    path: `${pathOf(kind)}/{id}`,
    pathParameters: idParameter,
    headers: ifMatch,
    body: jsonBody(typeOf(kind)),
    answers: { 200: answer('Replaced', typeOf(kind), 'written', linksOf(kind)) },
    problems: [...editProblems, ...fileManaged(kind), ...immutable(kind), ...absent(kind)],
  })
}

function patch<One extends Kind>(kind: One) {
  return operation({
    ...common(kind),
    summary: `Changes parts of ${kinds[kind].one} (JSON merge patch)`,
    method: 'PATCH',
    path: `${pathOf(kind)}/{id}`,
    pathParameters: idParameter,
    headers: ifMatch,
    body: { ...jsonBody(MergePatch), mediaType: mergePatchMediaType },
    answers: { 200: answer('Changed', typeOf(kind), 'written', linksOf(kind)) },
    problems: [...editProblems, ...fileManaged(kind), ...absent(kind)],
  })
}

function remove(kind: Kind) {
  return operation({
    ...common(kind),
    summary: `Deletes ${kinds[kind].one}`,
    method: 'DELETE',
    path: `${pathOf(kind)}/{id}`,
    pathParameters: idParameter,
    headers: ifMatch,
    answers: {
      200: answer('Deleted, or being deleted', Operation, 'done', {
        GetOperation: { id: '$response.body#/id' },
      }),
    },
    problems: [
      'notFound',
      ...preconditionProblems,
      ...writeProblems,
      ...fileManaged(kind),
      ...referenced(kind),
      ...absent(kind),
    ],
  })
}

const editProblems = ['notFound', ...bodyProblems, ...preconditionProblems, ...writeProblems] as const

function pathOf(kind: Kind): string {
  return `/api/v2/${kinds[kind].collection}`
}

function typeOf<One extends Kind>(kind: One): Types[One]['one'] {
  return resourceTypes[kind].one
}

function common(kind: Kind) {
  const { build } = kinds[kind]
  return { tag: tagOf(kind), ...servedBy, ...(build === null ? {} : { build }) }
}

/** The name of the operations on a kind in documents. */
export function tagOf(kind: Kind): string {
  const { many } = kinds[kind]
  return many[0]!.toUpperCase() + many.slice(1)
}

function absent(kind: Kind) {
  return kinds[kind].build === null ? [] : (['featureUnavailable'] as const)
}

function fileManaged(kind: Kind) {
  return kinds[kind].inFiles ? (['managedByFile'] as const) : []
}

/** Only kinds that others may refer to can be in use. */
function referenced(kind: Kind) {
  const isNamed = resourceKinds.some((user) => (kinds[user].refersTo as readonly string[]).includes(kind))
  return isNamed ? (['resourceReferenced'] as const) : []
}

function immutable(kind: Kind) {
  return isPatched(kind) ? [] : (['jobTypeImmutable'] as const)
}

/** Links from a create or an edit to every verb of its resource; a read does not link to itself. */
function linksOf(kind: Kind, except?: 'Get') {
  const id = '$response.body#/metadata/id'
  const version = '$response.header.ETag'
  const next = ['Get', 'Replace', ...(isPatched(kind) ? ['Patch'] : []), 'Delete']
  return Object.fromEntries(
    next
      .filter((verb) => verb !== except)
      .map((verb) => [`${verb}${kind}`, verb === 'Get' ? { id } : { id, 'If-Match': version }]),
  )
}
