// v2/operations/resource-verbs.ts: list, create, get, replace, patch and delete, the same for every kind of resource.
import type { TSchema } from 'typebox'
import { Operation } from '../wire/apply.ts'
import { MergePatch } from '../wire/merge-patch.ts'
import type { ResourceKind } from '../wire/resource.ts'
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
  type Variation,
  writeProblems,
} from './parts.ts'

export interface ResourceFamily<Schema extends TSchema, List extends TSchema> extends Variation {
  readonly kind: ResourceKind
  /** In the middle of a sentence: a monitor, monitors. */
  readonly one: string
  readonly many: string
  readonly tag: string
  readonly path: string
  readonly schema: Schema
  readonly list: List
  /** Fleet files may have it too; such a one is read-only here. Their credentials are not resources. */
  readonly inFiles?: true
  /** Verbs that go on from an answer with one resource. */
  readonly next: readonly ('Get' | 'Replace' | 'Patch' | 'Delete')[]
}

type Family<Schema extends TSchema = TSchema, List extends TSchema = TSchema> = ResourceFamily<Schema, List>

export function list<List extends TSchema>(family: Family<TSchema, List>) {
  return operation({
    ...common(family),
    summary: `Lists ${family.many}`,
    method: 'GET',
    path: family.path,
    ...filteredBy('selector'),
    answers: { 200: answer(`A page of ${family.many}`, family.list, 'read') },
    problems: [...listProblems, ...absent(family)],
  })
}

export function create<Schema extends TSchema>(family: Family<Schema>) {
  return operation({
    ...common(family),
    summary: `Creates ${family.one}`,
    method: 'POST',
    path: family.path,
    headers: ifNoneMatch,
    body: jsonBody(family.schema),
    answers: { 201: answer('Created', family.schema, 'created', linksOf(family)) },
    problems: [...bodyProblems, ...preconditionProblems, ...writeProblems, ...absent(family)],
  })
}

export function get<Schema extends TSchema>(family: Family<Schema>) {
  return operation({
    ...common(family),
    summary: `Reads ${family.one}`,
    method: 'GET',
    path: `${family.path}/{id}`,
    pathParameters: idParameter,
    answers: { 200: answer('As it is now', family.schema, 'readOne', linksOf(family, 'Get')) },
    problems: ['notFound', ...absent(family)],
  })
}

export function replace<Schema extends TSchema>(family: Family<Schema>) {
  return operation({
    ...common(family),
    summary: `Replaces ${family.one}`,
    method: 'PUT',
    path: `${family.path}/{id}`,
    pathParameters: idParameter,
    headers: ifMatch,
    body: jsonBody(family.schema),
    answers: { 200: answer('Replaced', family.schema, 'written', linksOf(family)) },
    problems: [...editProblems, ...fileManaged(family), ...immutable(family), ...absent(family)],
  })
}

export function patch<Schema extends TSchema>(family: Family<Schema>) {
  return operation({
    ...common(family),
    summary: `Changes parts of ${family.one} (JSON merge patch)`,
    method: 'PATCH',
    path: `${family.path}/{id}`,
    pathParameters: idParameter,
    headers: ifMatch,
    body: { ...jsonBody(MergePatch), mediaType: mergePatchMediaType },
    answers: { 200: answer('Changed', family.schema, 'written', linksOf(family)) },
    problems: [...editProblems, ...fileManaged(family), ...absent(family)],
  })
}

export function remove(family: Family) {
  return operation({
    ...common(family),
    summary: `Deletes ${family.one}`,
    method: 'DELETE',
    path: `${family.path}/{id}`,
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
      ...fileManaged(family),
      'resourceReferenced',
      ...absent(family),
    ],
  })
}

const editProblems = ['notFound', ...bodyProblems, ...preconditionProblems, ...writeProblems] as const

function common({ tag, build }: Family) {
  return { tag, ...servedBy, ...(build === undefined ? {} : { build }) }
}

function absent({ build }: Family) {
  return build === undefined ? [] : (['featureUnavailable'] as const)
}

function fileManaged({ inFiles }: Family) {
  return inFiles === true ? (['managedByFile'] as const) : []
}

function immutable({ kind }: Family) {
  return kind === 'JobType' ? (['jobTypeImmutable'] as const) : []
}

/** A create, or an edit, leads on to every verb of its resource; a read does not lead to itself. */
function linksOf({ kind, next }: Family, except?: 'Get') {
  const id = '$response.body#/metadata/id'
  const version = '$response.header.ETag'
  return Object.fromEntries(
    next
      .filter((verb) => verb !== except)
      .map((verb) => [`${verb}${kind}`, verb === 'Get' ? { id } : { id, 'If-Match': version }]),
  )
}
