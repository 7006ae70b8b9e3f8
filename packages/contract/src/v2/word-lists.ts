// v2/word-lists.ts: the closed sets of words of v2, by name. The OpenAPI document refers to them wherever
// they are used, so that generated clients have one type per set and not one per field.
import { audienceRuleKinds } from '../v1/audience.ts'
import {
  actionKinds,
  actionStates,
  becauseKinds,
  checkOutcomes,
  codes,
  pipelines,
  pushStates,
  sloConditions,
  storeModes,
} from '../v1/values.ts'
import { resourceKinds } from './kinds.ts'
import { IfNoneMatch } from './operations/parts.ts'
import { reviewResolutions } from './wire/action.ts'
import { controlVerbs, itemOutcomes, operationStates } from './wire/apply.ts'
import { badgeFigures } from './wire/badge.ts'
import { explainedKinds, explainedRules, ruleVerdicts } from './wire/decision-explanation.ts'
import { escalationStates, severities } from './wire/escalation-page.ts'
import { eventKinds } from './wire/event.ts'
import { everyOutcomeStatus, receiptDispositions, startDispositions } from './wire/external-worker.ts'
import { incidentStates } from './wire/incident.ts'
import { jobKinds } from './wire/job-type.ts'
import { failsWhenWords, healthStates } from './wire/monitor.ts'
import { quietEffects } from './wire/policy.ts'
import { managers } from './wire/resource.ts'
import { weekdays } from './wire/schedule.ts'
import { incidentPhases, writtenStates } from './wire/status-incident.ts'
import { logoTypes, statusAccess } from './wire/status-page.ts'
import { checkTrialOutcomes, notificationTrialOutcomes, trialPhases } from './wire/trial.ts'
import { oneOf } from './wire/wire-type.ts'

export const wordLists = {
  ActionKind: oneOf(actionKinds, 'A recovery or a notification.'),
  ActionState: oneOf(actionStates, 'The state of an action.'),
  AudienceRuleKind: oneOf(audienceRuleKinds, 'What names a destination.'),
  BadgeFigure: oneOf(badgeFigures, 'What a badge says.'),
  BecauseKind: oneOf(becauseKinds, 'What decided something.'),
  CheckOutcome: oneOf(checkOutcomes, 'What a check came to.'),
  CheckTrialOutcome: oneOf(checkTrialOutcomes, 'The outcome of a check that was tried.'),
  Color: oneOf(codes, 'The color of a notification, the most important first.'),
  ControlVerb: oneOf(controlVerbs, 'What a control of many monitors does.'),
  ExplainedKind: oneOf(explainedKinds, 'What is explained.'),
  ExplainedRuleName: oneOf(explainedRules, 'A rule of an explanation.'),
  RuleVerdict: oneOf(ruleVerdicts, 'What a rule came to.'),
  EscalationState: oneOf(escalationStates, 'Where a page of a policy stands.'),
  EventKind: oneOf(eventKinds, 'The type of an event.'),
  FailsWhen: oneOf(failsWhenWords, 'At how many of its locations a check has to fail.'),
  HealthState: oneOf(healthStates, 'The health of a monitor.'),
  QuietEffect: oneOf(quietEffects, 'What happens to a message in quiet hours.'),
  PushState: oneOf(pushStates, 'Where a job that reports by itself is.'),
  IfNoneMatch,
  IncidentPhase: oneOf(incidentPhases, 'How far a written incident has come.'),
  IncidentState: oneOf(incidentStates, 'Whether an incident is open.'),
  ItemOutcome: oneOf(itemOutcomes, 'What became of an item of an operation.'),
  JobKind: oneOf(jobKinds, 'The kind of a job.'),
  LogoType: oneOf(logoTypes, 'What kind of picture a logo is.'),
  Manager: oneOf(managers, 'Who writes a resource.'),
  NotificationTrialOutcome: oneOf(notificationTrialOutcomes, 'What became of a test message.'),
  OperationState: oneOf(operationStates, 'The state of an operation.'),
  OutcomeStatus: oneOf(everyOutcomeStatus, 'How a job ended.'),
  Pipeline: oneOf(pipelines, 'A queue with its pool.'),
  ReceiptDisposition: oneOf(receiptDispositions, 'What became of a result.'),
  ResourceKind: oneOf(resourceKinds, 'The kind of a resource.'),
  ReviewResolution: oneOf(reviewResolutions, 'The result of a review.'),
  Severity: oneOf(severities, 'How bad the red of a monitor is.'),
  SLOCondition: oneOf(sloConditions, 'What limits the service, if anything.'),
  StartDisposition: oneOf(startDispositions, 'Whether a job may be started.'),
  StatusAccess: oneOf(statusAccess, 'Who may read a status page.'),
  StorageMode: oneOf(storeModes, 'The kind of a store.'),
  TrialPhaseName: oneOf(trialPhases, 'A step of a check.'),
  WrittenState: oneOf(writtenStates, 'What a written incident says of a component.'),
  Weekday: oneOf(weekdays, 'A weekday.'),
} as const
