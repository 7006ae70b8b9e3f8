// v2/wire/apply.ts: many resources in one operation: staged, validated whole, then applied one by one, each by
// compare-and-swap. Every single write leaves an operation too.
import { type Static, type TUnion, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Credential } from './credential.ts'
import { JobType } from './job-type.ts'
import { Monitor } from './monitor.ts'
import { NotificationEndpoint, NotificationGroup } from './notification.ts'
import { FieldError } from './problem.ts'
import { count, flag, identifier, listing, oneOf, revision, text, wireType } from './wire-type.ts'

export const operationStates = [
  'staging',
  'validating',
  'validated',
  'rejected',
  'applying',
  'completed',
  'partial',
  'failed',
  'cancelled',
  'expired',
] as const
export type OperationState = (typeof operationStates)[number]

/** States that an operation leaves by itself; in all others it waits for a person, or has ended. */
export const runningOperationStates = ['validating', 'applying'] as const satisfies readonly OperationState[]

export const itemOutcomes = [
  'created',
  'updated',
  'unchanged',
  'conflict',
  'dependencyBlocked',
  'failed',
  'notAttempted',
] as const

/** Opaque to the wire: the same content has the same digest. */
const digest = (description: string) => text(description, { minLength: 1, maxLength: 128 })

export const Resource: TUnion<
  [typeof Monitor, typeof NotificationEndpoint, typeof NotificationGroup, typeof Credential, typeof JobType]
> = Type.Union([Monitor, NotificationEndpoint, NotificationGroup, Credential, JobType], {
  title: 'Resource',
  description: 'A resource of any kind; its kind tells which.',
})

export const ApplyItem = wireType('ApplyItem', 'One resource of a collection.', {
  id: text('The item within its collection.', { minLength: 1, maxLength: 256 }),
  contentDigest: digest('The digest of this resource.'),
  source: text('Where it comes from, such as a file and a line.', { maxLength: 1024 }),
  resource: Resource,
})

export const ApplyResult = wireType('ApplyResult', 'What became of one item.', {
  id: text('The item.'),
  outcome: oneOf(itemOutcomes, 'What became of it.'),
  oldVersion: Type.Optional(revision('The resourceVersion before.')),
  newVersion: Type.Optional(revision('The resourceVersion after.')),
  message: Type.Optional(text('Why, in words.')),
  committed: Type.Optional(flag('Whether it is durable.')),
  applied: Type.Optional(flag('Whether the controller runs it.')),
})

export const PreflightRequest = wireType('PreflightRequest', 'A collection to validate; nothing is kept.', {
  items: listing(ApplyItem, 'The whole collection, as far as a body can hold it.'),
})

export const Preflight = wireType('Preflight', 'What would become of a collection.', {
  valid: flag('Whether the whole collection may be activated.'),
  contentDigest: Type.Optional(digest('The digest of the collection.')),
  items: Type.Optional(listing(ApplyResult, 'What would become of each item.')),
  errors: Type.Optional(listing(FieldError, 'What is wrong with the collection.')),
})

export const OperationCreateRequest = wireType(
  'OperationCreateRequest',
  'A collection that will be uploaded.',
  {
    contentDigest: digest('The digest of the whole collection.'),
    itemCount: Type.Integer({
      minimum: 1,
      maximum: limits.operationItems,
      description: 'How many items it has.',
    }),
  },
)

export const UploadRequest = wireType('UploadRequest', 'Some items of a collection.', {
  items: listing(ApplyItem, `At most ${limits.uploadItems} items.`, { maxItems: limits.uploadItems }),
})

export const Operation = wireType('Operation', 'A write and what became of it.', {
  id: identifier('The operation.'),
  state: oneOf(operationStates, 'How far it is.'),
  contentDigest: Type.Optional(digest('The digest of the whole collection.')),
  itemCount: Type.Optional(count('How many items it has.')),
  uploaded: Type.Optional(count('How many of them are staged.')),
  validated: Type.Optional(flag('Whether the whole collection was found valid.')),
  committed: Type.Optional(count('How many changes are durable.')),
  applied: Type.Optional(count('How many changes the controller runs.')),
  items: Type.Optional(listing(ApplyResult, 'A page of outcomes.', { maxItems: limits.listLimit })),
  nextCursor: Type.Optional(text('Asks for the next page of outcomes.')),
  retryAfterSeconds: Type.Optional(count('When to ask again, while it runs.')),
  reason: Type.Optional(text('Why it ended as it did, in words.')),
})

export type Resource = Static<typeof Resource>
export type ApplyItem = Static<typeof ApplyItem>
export type ApplyResult = Static<typeof ApplyResult>
export type PreflightRequest = Static<typeof PreflightRequest>
export type Preflight = Static<typeof Preflight>
export type OperationCreateRequest = Static<typeof OperationCreateRequest>
export type UploadRequest = Static<typeof UploadRequest>
export type Operation = Static<typeof Operation>
