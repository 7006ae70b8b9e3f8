// v2/word-lists.ts: the closed sets of words of the v2 wire under their names. Wherever one of them is used, the OpenAPI
// document refers to it, so that generated clients have one type for it and not one for each field.
import {
  actionKinds,
  actionStates,
  becauseKinds,
  codes,
  pipelines,
  sloConditions,
  storeModes,
} from '../v1/values.ts'
import { resourceKinds } from './kinds.ts'
import { IfNoneMatch } from './operations/parts.ts'
import { reviewResolutions } from './wire/action.ts'
import { controlVerbs, itemOutcomes, operationStates } from './wire/apply.ts'
import { eventKinds } from './wire/event.ts'
import { everyOutcomeStatus, receiptDispositions, startDispositions } from './wire/external-worker.ts'
import { incidentStates } from './wire/incident.ts'
import { jobKinds } from './wire/job-type.ts'
import { healthStates } from './wire/monitor.ts'
import { managers } from './wire/resource.ts'
import { oneOf } from './wire/wire-type.ts'

export const wordLists = {
  ActionKind: oneOf(actionKinds, 'A recovery or a notification.'),
  ActionState: oneOf(actionStates, 'How far an action is.'),
  BecauseKind: oneOf(becauseKinds, 'What decided something.'),
  Color: oneOf(codes, 'The color of a notification, the most important first.'),
  ControlVerb: oneOf(controlVerbs, 'What a control of many monitors does.'),
  EventKind: oneOf(eventKinds, 'What an event tells of.'),
  HealthState: oneOf(healthStates, 'The health of a monitor.'),
  IfNoneMatch,
  IncidentState: oneOf(incidentStates, 'Whether an incident is open.'),
  ItemOutcome: oneOf(itemOutcomes, 'What became of an item of an operation.'),
  JobKind: oneOf(jobKinds, 'What a job stands in for.'),
  Manager: oneOf(managers, 'Who writes a resource.'),
  OperationState: oneOf(operationStates, 'How far an operation is.'),
  OutcomeStatus: oneOf(everyOutcomeStatus, 'How a job ended.'),
  Pipeline: oneOf(pipelines, 'A queue with its pool.'),
  ReceiptDisposition: oneOf(receiptDispositions, 'What became of a result.'),
  ResourceKind: oneOf(resourceKinds, 'The kind of a resource.'),
  ReviewResolution: oneOf(reviewResolutions, 'The result of a review.'),
  SLOCondition: oneOf(sloConditions, 'What limits the service, if anything.'),
  StartDisposition: oneOf(startDispositions, 'Whether a job may be started.'),
  StorageMode: oneOf(storeModes, 'The kind of a store.'),
} as const
