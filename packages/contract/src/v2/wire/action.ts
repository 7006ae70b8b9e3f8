// v2/wire/action.ts: a recovery or a notification, from queued to its end. An action with an unknown outcome
// is never repeated automatically; a review records what a person found out about it.
import { type Static, Type } from 'typebox'
import { actionKinds, actionStates } from '../../v1/values.ts'
import { Because } from './because.ts'
import { flag, listing, listOf, oneOf, revision, text, timestamp, wireType } from './wire-type.ts'

export const reviewResolutions = ['accepted', 'rejected', 'inconclusive'] as const

export const ActionReview = wireType('ActionReview', 'What a person found out about an unknown action.', {
  revision: Type.Optional(revision('The reviewRevision that this review made.')),
  resolution: Type.Optional(
    oneOf(reviewResolutions, 'Accepted and rejected end the hold, inconclusive keeps it.'),
  ),
  actor: Type.Optional(text('Who reviewed it; from the credential.')),
  reviewedAt: Type.Optional(timestamp('When.')),
  reason: Type.Optional(text('Why.')),
  note: Type.Optional(text('A note.')),
  evidenceRefs: Type.Optional(listing(Type.String(), 'References to evidence; never fetched.')),
  conflict: Type.Optional(
    text('Late evidence that contradicts the resolution, in words. It restores the hold.'),
  ),
})

export const Action = wireType('Action', 'A recovery or a notification on its way.', {
  id: text('The action.'),
  monitorID: Type.Optional(text('Its monitor.')),
  incarnationUID: Type.Optional(text('The uid of the incarnation of the monitor that it was made for.')),
  incidentID: Type.Optional(text('Its incident.')),
  state: oneOf(actionStates, 'A started action is never started again.'),
  kind: Type.Optional(oneOf(actionKinds, 'An intervention is a recovery, a code is a notification.')),
  executionID: Type.Optional(text('Its execution.')),
  executionRevision: Type.Optional(revision('Fences its execution.')),
  reviewRevision: Type.Optional(revision('There from the start; the value for If-Match of review.')),
  held: Type.Optional(flag('Whether it holds back further recovery of its monitor.')),
  createdAt: Type.Optional(timestamp('When it was queued.')),
  updatedAt: Type.Optional(timestamp('When it changed last.')),
  reason: Type.Optional(text('Why it ended as it did, in words and without secrets.')),
  outcome: Type.Optional(
    text('How it ended: accepted, rejected, timed_out, interrupted, superseded, snoozed, …'),
  ),
  because: Type.Optional(Because),
  delay: Type.Optional(Because),
  endedBecause: Type.Optional(Because),
  receiptID: Type.Optional(text('The receipt of its result.')),
  review: Type.Optional(ActionReview),
})
export const ActionList = listOf('ActionList', Action)

export type Action = Static<typeof Action>
export type ActionList = Static<typeof ActionList>
