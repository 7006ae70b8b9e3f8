// v1/word-lists.ts: the closed sets of words of v1, by name. The OpenAPI document refers to them wherever
// they are used, so that generated clients have one type per set and not one per field.
import { editions } from '../operation.ts'
import { audienceRuleKinds } from './audience.ts'
import { noticedStates, resetReasons } from './event-stream.ts'
import { candidateReasons, mainReasons, readiness } from './health.ts'
import { probeStates } from './locations.ts'
import { HistoryOrder, MonitorOrder, TellsNobody, yesOrNo } from './parameters.ts'
import { processRoles } from './processes.ts'
import { staleReasons } from './stale.ts'
import { TrendWindow } from './trend.ts'
import {
  actionKinds,
  actionOutcomes,
  actionStates,
  becauseKinds,
  checkOutcomes,
  codes,
  controlEventTypes,
  destinationStates,
  eventOutcomes,
  eventTypes,
  field,
  nextActionOutcomes,
  nextEventOutcomes,
  oneOf,
  pushSignals,
  pushStates,
  sizingModels,
  sloConditions,
  statuses,
  storeModes,
  systemNames,
  waitReasons,
} from './values.ts'

export const v1WordLists = {
  Edition: field(oneOf(editions), 'An edition of the service.'),
  Status: field(oneOf(statuses), 'The status of a monitor, in order of precedence.'),
  Color: field(oneOf(codes), 'The color of a notification, the most important first.'),
  PendingColor: field(oneOf([...codes, '']), 'The color of a pending notification; empty for none.'),
  AudienceRuleKind: field(oneOf(audienceRuleKinds), 'What names a destination.'),
  ActionKind: field(oneOf(actionKinds), 'A recovery action or a notification.'),
  ActionState: field(oneOf(actionStates), 'The state of an action.'),
  ActionOutcome: field(oneOf(actionOutcomes), 'How an action ended.'),
  NextActionOutcome: field(oneOf(nextActionOutcomes), 'How an action of next ended.'),
  EventType: field(oneOf(eventTypes), 'The type of an event.'),
  NextEventType: field(oneOf([...eventTypes, ...controlEventTypes]), 'The type of an event of next.'),
  EventOutcome: field(oneOf(eventOutcomes), 'How an action or an incident ended.'),
  NextEventOutcome: field(oneOf(nextEventOutcomes), 'How an action or an incident of next ended.'),
  HistoryOrder,
  MonitorOrder,
  TellsNobody,
  SnoozedFilter: field(oneOf(yesOrNo), 'Whether a filter is for snoozed monitors or for the others.'),
  TrendWindow,
  CheckOutcome: field(oneOf(checkOutcomes), 'How a check ended.'),
  SloCondition: field(oneOf(sloConditions), 'What limits the service, if anything.'),
  SizingModel: field(oneOf(sizingModels), 'What a recommended size comes from.'),
  SystemName: field(oneOf(systemNames), 'A stage of the controller.'),
  ProbeState: field(oneOf(probeStates), 'How a probe at another location is.'),
  ProcessRole: field(oneOf(processRoles), 'What a process of the service is.'),
  StoreMode: field(oneOf(storeModes), 'The kind of a store.'),
  DestinationState: field(oneOf(destinationStates), 'Whether a destination takes notifications.'),
  StaleReason: field(oneOf(staleReasons), 'Why data is stale.'),
  BecauseKind: field(oneOf(becauseKinds), 'What decided something.'),
  PushState: field(oneOf(pushStates), 'Where a job that reports by itself is.'),
  PushSignal: field(oneOf(pushSignals), 'What such a job may say.'),
  WaitReason: field(oneOf(waitReasons), 'Why a queued action has not started.'),
  Readiness: field(oneOf(readiness), 'Whether the service can do its work.'),
  ReadinessReason: field(oneOf(candidateReasons), 'Why the service is not ready.'),
  MainReadinessReason: field(oneOf(mainReasons), 'Why the service is not ready, in main.'),
  NoticedState: field(oneOf(noticedStates), 'What became of an incident.'),
  ResetReason: field(oneOf(resetReasons), 'Why an event stream starts over.'),
} as const
