// v2/wire/apply.ts: many resources in one operation: staged, validated as a whole, then applied one by one,
// each by compare-and-swap; or one control of many monitors. Every single write creates an operation too.
import { type Static, type TUnion, Type } from 'typebox'
import { limits } from '../limits.ts'
import { Resource } from '../resource-types.ts'
import { controlWords } from './control.ts'
import { FieldError } from './problem.ts'
import {
  count,
  flag,
  identifier,
  listing,
  listOf,
  oneOf,
  revision,
  text,
  textOfBytes,
  timestamp,
  wireType,
} from './wire-type.ts'

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

/** States that an operation leaves by itself. In all others it waits for a person, or has ended. */
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

/** Opaque: the same content has the same digest. */
const digest = (description: string) => text(description, { minLength: 1, maxLength: 128 })

export const ApplyItem = wireType('ApplyItem', 'One resource of a collection.', {
  id: text('The item within its collection.', { minLength: 1, maxLength: 256 }),
  contentDigest: digest(
    'The digest of this resource. One that begins with sha256: is checked: over its JSON with sorted keys and no spaces.',
  ),
  source: text('Where it comes from, such as a file and a line.', { maxLength: 1024 }),
  resource: Resource,
})

export const ApplyResult = wireType('ApplyResult', 'What became of one item.', {
  id: text('The item.'),
  outcome: oneOf(itemOutcomes, 'What became of it.'),
  oldVersion: Type.Optional(revision('The resourceVersion before.')),
  newVersion: Type.Optional(revision('The resourceVersion after.')),
  message: Type.Optional(
    text('Why, in words. Of an item that is not valid: its source, a JSON pointer and a sentence.'),
  ),
  committed: Type.Optional(flag('Whether it is durable.')),
  applied: Type.Optional(flag('Whether the controller runs it.')),
})

export const PreflightRequest = wireType('PreflightRequest', 'A collection to validate; nothing is kept.', {
  items: listing(ApplyItem, 'The whole collection, as far as a body can hold it.'),
})

export const Preflight = wireType('Preflight', 'What would become of a collection.', {
  valid: flag('Whether the whole collection may be activated; false while that is being found out.'),
  contentDigest: Type.Optional(digest('The digest of the collection.')),
  items: Type.Optional(
    listing(ApplyResult, `What would become of the items: the first ${limits.preflightItems}.`, {
      maxItems: limits.preflightItems,
    }),
  ),
  errors: Type.Optional(listing(FieldError, 'What is wrong with the collection.')),
  notes: Type.Optional(
    listing(
      FieldError,
      'What is not wrong but worth knowing, in whole sentences: monitors that tell nobody when they fail, or that cannot turn red or recover while one of their locations is away. Only for collections that came in one request.',
      { maxItems: limits.preflightItems },
    ),
  ),
})

export const CollectionOperation = wireType(
  'CollectionOperation',
  'A collection that will be uploaded, validated and activated.',
  {
    contentDigest: digest(
      'The digest of the whole collection. One that begins with sha256: is checked: over a line for each item in the order of upload, with its id, a space and its digest.',
    ),
    itemCount: Type.Integer({
      minimum: 1,
      maximum: limits.operationItems,
      description: 'How many items it has.',
    }),
  },
)

export const controlVerbs = [
  'acknowledge',
  'dismiss',
  'reopen',
  'snooze',
  'unsnooze',
  'enable',
  'disable',
  'recover',
] as const

export const BulkControl = Type.Refine(
  wireType('BulkControl', 'One control of many monitors, named by a selector or by their ids.', {
    verb: oneOf(
      controlVerbs,
      'Acknowledge, dismiss and reopen mean the open incidents of the monitors, all others the monitors.',
    ),
    selector: Type.Optional(
      textOfBytes('Clauses over the labels of monitors, as for a list.', {
        minLength: 1,
        maxBytes: limits.selectorBytes,
      }),
    ),
    ids: Type.Optional(
      listing(identifier('A monitor.'), 'Monitors by id.', { minItems: 1, maxItems: limits.controlIDs }),
    ),
    ...controlWords,
  }),
  ({ selector, ids }) => (selector === undefined) !== (ids === undefined),
  () => 'must have either selector or ids',
)

export const ControlOperation = wireType(
  'ControlOperation',
  'A control of many monitors. It begins validated: what it applies to, and in which revision, is frozen at one position. Activation applies it.',
  { control: BulkControl },
)

export const OperationCreateRequest: TUnion<[typeof CollectionOperation, typeof ControlOperation]> =
  Type.Union([CollectionOperation, ControlOperation], {
    title: 'OperationCreateRequest',
    description: 'What an operation is opened for: a collection, or a control of many monitors.',
  })

export const UploadRequest = wireType('UploadRequest', 'Some items of a collection.', {
  items: listing(ApplyItem, `At most ${limits.uploadItems} items.`, { maxItems: limits.uploadItems }),
})

export const Operation = wireType('Operation', 'A write and what became of it.', {
  id: identifier('The operation.'),
  state: oneOf(operationStates, 'How far it is.'),
  actor: Type.Optional(text('The principal that began it.')),
  verb: Type.Optional(oneOf(controlVerbs, 'What a control of many monitors does; a collection has none.')),
  createdAt: Type.Optional(timestamp('When it was begun.')),
  updatedAt: Type.Optional(timestamp('The last call or progress; the end of one that has ended.')),
  contentDigest: Type.Optional(digest('The digest of the whole collection.')),
  itemCount: Type.Optional(count('How many items it has.')),
  uploaded: Type.Optional(count('How many of them are staged.')),
  validated: Type.Optional(flag('Whether the whole collection was found valid.')),
  committed: Type.Optional(count('How many changes are durable.')),
  applied: Type.Optional(count('How many changes the controller runs.')),
  items: Type.Optional(
    listing(
      ApplyResult,
      `A page of outcomes. Of a rejected operation the items that failed, at most ${limits.rejectedItems} in all.`,
      { maxItems: limits.listLimit },
    ),
  ),
  nextCursor: Type.Optional(text('Asks for the next page of outcomes.')),
  retryAfterSeconds: Type.Optional(count('When to ask again, while it runs.')),
  reason: Type.Optional(
    text('Why it ended as it did, in words. Of a rejected operation, how many items failed.'),
  ),
})

export const OperationList = listOf('OperationList', Operation)

export type ApplyItem = Static<typeof ApplyItem>
export type ApplyResult = Static<typeof ApplyResult>
export type PreflightRequest = Static<typeof PreflightRequest>
export type Preflight = Static<typeof Preflight>
export type OperationCreateRequest = Static<typeof OperationCreateRequest>
export type CollectionOperation = Static<typeof CollectionOperation>
export type ControlOperation = Static<typeof ControlOperation>
export type UploadRequest = Static<typeof UploadRequest>
export type Operation = Static<typeof Operation>
export type OperationList = Static<typeof OperationList>
