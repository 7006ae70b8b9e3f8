// v1/state.ts: the health of the store, the resources that the process uses, and on request the actions of
// one monitor. Errors are redacted: no paths, no addresses, no secrets.
import { type Static, type TProperties, type TSchema, Type } from 'typebox'
import { Because } from './because.ts'
import { v1Limits } from './limits.ts'
import { MonitorId } from './monitor-row.ts'
import {
  actionKinds,
  actionOutcomes,
  actionStates,
  Count,
  codes,
  Flag,
  field,
  Measure,
  MonitorNumber,
  nextActionOutcomes,
  nullable,
  oneOf,
  storeModes,
  Text,
  Timestamp,
  waitReasons,
} from './values.ts'

function actionOf<Outcomes extends readonly string[], More extends TProperties>(
  outcomes: Outcomes,
  more: More,
) {
  return Type.Object(
    {
      id: field(Text, 'The identity of the action; every attempt has its own.'),
      revision: field(Count, 'Increases with every change of this action.'),
      kind: field(oneOf(actionKinds), 'Recovery action or notification.'),
      color: nullable(oneOf(codes), 'The color of the notification; null for recovery actions.'),
      endpoint: nullable(Text, 'The destination of the notification; null for recovery actions.'),
      attempt: field(Type.Integer({ minimum: 1 }), 'Which try it is, from 1.'),
      state: field(
        oneOf(actionStates),
        'Its state. unknown: its answer was lost; it is never repeated automatically.',
      ),
      not_before: nullable(Timestamp, 'It does not start earlier.'),
      started_at: nullable(Timestamp, 'When it started.'),
      finished_at: nullable(Timestamp, 'When it ended.'),
      outcome: nullable(oneOf(outcomes), 'How it ended.'),
      reason: nullable(Text, 'Why, in the words of the provider or our own, without secrets.'),
      waiting_for: nullable(oneOf(waitReasons), 'Why a queued one has not started.'),
      ...more,
    },
    { description: 'A recovery action or a notification.' },
  )
}

const storage = Type.Object(
  {
    mode: field(oneOf(storeModes), 'Where state is kept.'),
    ready: field(Flag, 'Decisions can be stored.'),
    committed_position: field(Count, 'How far the log has come. Only grows.'),
    commit_latency_ms: nullable(Measure, 'How long the last commit took.'),
    commit_latency_p99_ms: nullable(Measure, 'The 99th percentile.'),
    last_backup: nullable(
      Type.Object({
        at: field(Timestamp, 'When it was made.'),
        verified: field(Flag, 'It was read back and is sound.'),
      }),
      'The last backup.',
    ),
    error: nullable(Text, 'What is wrong, redacted.'),
  },
  { description: 'The health of the store.' },
)

const storageUsage = Type.Object(
  {
    bytes: nullable(Count, 'What the store takes.'),
    history_bytes: nullable(Count, 'What the events take of it.'),
    available_bytes: nullable(Count, 'Free space where the store is.'),
  },
  { description: 'What the store takes; null in memory.' },
)

const process = Type.Object(
  {
    rss_bytes: field(Count, 'Resident memory.'),
    heap_bytes: field(Count, 'JavaScript heap in use.'),
    cpu_seconds: field(Measure, 'Processor time since the start.'),
    uptime_seconds: field(Measure, 'Time since the start.'),
    threads: field(Type.Integer({ minimum: 1 }), 'Threads that run our code.'),
  },
  { description: 'What the process uses.' },
)

export const ExternalWorker = Type.Object(
  {
    worker: field(Text, 'What it calls itself.'),
    principal: field(Text, 'The principal whose token it has.'),
    capacity: field(Count, 'How many jobs it can run at once.'),
    active: field(Count, 'Jobs that it was granted and that have not ended.'),
    last_seen_at: field(Timestamp, 'When it last called.'),
  },
  { description: 'A worker outside the service.' },
)

export const ExternalWorkers = Type.Object(
  {
    workers: Type.Array(ExternalWorker, {
      maxItems: v1Limits.workersShown,
      description: 'Those that called last, the last first.',
    }),
    more: field(Count, 'Workers that are known and not among these.'),
    waiting_polls: field(Count, 'Polls that wait for work.'),
    waiting_jobs: field(Count, 'Jobs that no worker has started.'),
    running_jobs: field(Count, 'Jobs that a worker was granted and that have not ended.'),
  },
  { description: 'Workers outside the service, and what they have to do.' },
)

const nothingMore = {}
const ofReasons = {
  because: nullable(
    Because,
    'Why it was decided; a retry has the reason of its first attempt. Null where the record has none.',
  ),
  delay: nullable(Because, 'Why it could not start when it was queued: cooldown or retry.'),
  ended_because: nullable(
    Because,
    'Why it ended, other than by being accepted. Null where the record has none.',
  ),
}
const ofWorkers = {
  external_workers: nullable(
    ExternalWorkers,
    'Workers outside the service, and what they have to do; null where external jobs are off.',
  ),
}

function stateOf<Action extends TSchema, More extends TProperties>(action: Action, more: More) {
  return Type.Object(
    {
      storage,
      storage_usage: storageUsage,
      process,
      unknown_actions: field(Count, 'Actions of the whole fleet whose outcome is unknown.'),
      ...more,
      monitor_id: Type.Optional(field(MonitorId, 'The monitor that was asked for.')),
      monitor_number: Type.Optional(
        nullable(MonitorNumber, 'Its number, as in /monitors/{id}; null if it is not in the fleet any more.'),
      ),
      revision: Type.Optional(field(Count, 'Increases when its behavior is configured differently.')),
      actions: Type.Optional(Type.Array(action, { description: 'Its actions.' })),
      held_back: Type.Optional(
        nullable(
          Text,
          'Why nothing happens about it now although it fails beyond its threshold: it has neither an open incident nor an action that can start.',
        ),
      ),
    },
    { description: 'Store and process; with a monitor_id also that monitor’s revision and actions.' },
  )
}

export const ActionEntry = actionOf(actionOutcomes, nothingMore)
export const NextActionEntry = actionOf(nextActionOutcomes, ofReasons)
export const State = stateOf(ActionEntry, nothingMore)
export const NextState = stateOf(NextActionEntry, ofWorkers)

export type ActionEntry = Static<typeof ActionEntry>
export type NextActionEntry = Static<typeof NextActionEntry>
export type ExternalWorker = Static<typeof ExternalWorker>
export type ExternalWorkers = Static<typeof ExternalWorkers>
export type State = Static<typeof State>
export type NextState = Static<typeof NextState>
