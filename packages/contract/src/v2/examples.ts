// v2/examples.ts: one value of every top-level type, and one exchange per operation made of them. Docs show
// them, the reference peer answers with them, and a test validates them against the schemas.
import type { TSchema } from 'typebox'
import { applyExamples } from './examples/apply.ts'
import { explanationExamples } from './examples/explanations.ts'
import { externalWorkerExamples } from './examples/external-workers.ts'
import { lifeExamples } from './examples/life.ts'
import { onCallExamples } from './examples/on-call.ts'
import { resourceExamples } from './examples/resources.ts'
import { serviceExamples } from './examples/service.ts'
import { trialExamples } from './examples/trials.ts'
import { kinds, resourceKinds } from './kinds.ts'
import type { V2Operation } from './operations/parts.ts'
import { type OperationName, operationNames, operations, successOf } from './operations.ts'
import type { ControlRequest } from './wire/control.ts'
import type { Metadata } from './wire/resource.ts'
import { nameOf } from './wire/wire-type.ts'

export const examples: Readonly<Record<string, unknown>> = {
  ...resourceExamples,
  ...lifeExamples,
  ...onCallExamples,
  ...applyExamples,
  ...serviceExamples,
  ...trialExamples,
  ...explanationExamples,
  ...externalWorkerExamples,
}

/** A request and its answer, as sent. */
export interface Exchange {
  readonly path: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string | number>>
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  readonly status: number
  readonly answerHeaders: Readonly<Record<string, string>>
  readonly answer: unknown
}

const requestId = 'req-01JQ8X4F'
const operationId = 'op-01JQ8X4E'

/** Ids of the examples, by the path segment before `{id}`. */
const exampleIds: Readonly<Record<string, string>> = {
  ...ofResources(({ id }) => id),
  incidents: 'inc-01JQ8X4A',
  actions: 'act-01JQ8X4B',
  operations: operationId,
  schemas: 'NotificationGroup',
}

/** The versions of the examples, by collection. */
const exampleVersions: Readonly<Record<string, string>> = {
  ...ofResources(({ resourceVersion = '' }) => resourceVersion),
  incidents: '3',
  actions: '2',
}

function ofResources(value: (metadata: Metadata) => string): Record<string, string> {
  return Object.fromEntries(
    resourceKinds.map((kind) => [kinds[kind].collection, value(resourceExamples[kind].metadata)]),
  )
}

/** Bodies that are written differently from how they are read, or that depend on the operation. */
const requestBodies: { readonly [name in OperationName]?: unknown } = {
  CreateCredential: {
    ...resourceExamples.Credential,
    spec: { ...resourceExamples.Credential.spec, value: 'example-secret-value' },
  },
  AcknowledgeIncident: { revision: '3', note: 'looking into it' } satisfies ControlRequest,
  DismissIncident: { revision: '3', reason: 'a known fault of the provider' } satisfies ControlRequest,
  ReopenIncident: { revision: '3', reason: 'it is ours after all' } satisfies ControlRequest,
  SnoozeMonitor: { revision: '7', reason: 'planned work', duration: '2h' } satisfies ControlRequest,
  UnsnoozeMonitor: { revision: '7', reason: 'done early' } satisfies ControlRequest,
  RecoverMonitor: {
    revision: '7',
    reason: 'the runbook was repaired',
    incidentID: 'inc-01JQ8X4A',
  } satisfies ControlRequest,
  ReviewAction: {
    revision: '2',
    resolution: 'accepted',
    reason: 'the restart is in the log of the host',
    evidenceRefs: ['https://runbooks.test/log/2026-03-29'],
  } satisfies ControlRequest,
}

export function exchangeOf(name: OperationName): Exchange {
  const operation: V2Operation = operations[name]
  const { status, answer } = successOf(operation)
  const collection = operation.path.split('/')[3]!
  const body = requestBodies[name] ?? (operation.body && exampleFor(operation.body.schema))
  const version = (body as ControlRequest | undefined)?.revision ?? exampleVersions[collection]
  const id = exampleIds[collection]!
  const sent = operation.headers?.properties ?? {}
  const returned = answer.headers?.properties ?? {}
  return {
    path: operation.pathParameters ? { id } : {},
    query: exampleQuery(operation),
    headers: {
      ...('If-Match' in sent && { 'If-Match': `"${version}"` }),
      ...('If-None-Match' in sent && { 'If-None-Match': '*' }),
    },
    body,
    status,
    answerHeaders: {
      'X-Request-ID': requestId,
      ...('ETag' in returned && { ETag: `"${exampleVersions[collection]}"` }),
      ...('X-Operation-ID' in returned && { 'X-Operation-ID': operationId }),
      ...('Location' in returned && { Location: `${operation.path}/${id}` }),
    },
    answer: exampleFor(answer.schema!),
  }
}

function exampleFor(schema: TSchema): unknown {
  return examples[nameOf(schema) ?? '']
}

function exampleQuery({ queryParameters, filters = [] }: V2Operation): Exchange['query'] {
  const known = queryParameters?.properties ?? {}
  return {
    ...('limit' in known && { limit: 100 }),
    ...('cursor' in known && { cursor: 'eyJwIjoxODczNH0.c2lnbmF0dXJl' }),
    ...(filters.includes('selector') && { selector: 'team=payments,tier in (gold,silver),!legacy' }),
    ...(filters.includes('monitorID') && { monitorID: 'checkout-api' }),
    ...(filters.includes('state') && { state: 'staging' }),
  }
}

export const exchanges = Object.fromEntries(
  operationNames.map((name) => [name, exchangeOf(name)]),
) as Readonly<Record<OperationName, Exchange>>

export const requestExamples: Readonly<Record<string, unknown>> = Object.fromEntries(
  operationNames.map((name) => [name, exchanges[name].body]).filter(([, body]) => body !== undefined),
)
