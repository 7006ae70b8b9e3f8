// Made by `npm run generate` from packages/contract/src/v1. Do not edit.

/** A recovery action or a notification. */
export interface ActionEntry {
  /** The identity of the action; every attempt has its own. */
  id: string
  /** Increases with every change of this action. */
  revision: number
  /** Recovery action or notification. */
  kind: ActionKind
  /** The color of the notification; null for recovery actions. */
  color: Color | null
  /** The destination of the notification; null for recovery actions. */
  endpoint: string | null
  /** Which try it is, from 1. */
  attempt: number
  /** Its state. unknown: its answer was lost; it is never repeated automatically. */
  state: ActionState
  /** It does not start earlier. */
  not_before: Timestamp | null
  /** When it started. */
  started_at: Timestamp | null
  /** When it ended. */
  finished_at: Timestamp | null
  /** How it ended. */
  outcome: ActionOutcome | null
  /** Why, in the words of the provider or our own, without secrets. */
  reason: string | null
  /** Why a queued one has not started. */
  waiting_for: WaitReason | null
}

/** A recovery action or a notification. */
export type ActionKind = 'intervention' | 'code'

/** How an action ended. */
export type ActionOutcome = 'accepted' | 'rejected' | 'timed_out' | 'interrupted' | 'superseded' | 'health_recovered' | 'configuration_changed' | 'removed' | 'disabled' | 'maintenance' | 'gone' | 'expired'

/** The state of an action. */
export type ActionState = 'queued' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'cancelled'

/** Who is told about a monitor, by color. Every color is present. */
export interface Audience {
  /** Told of red; empty when nobody is. */
  red: AudienceMember[]
  /** Told of yellow; empty when nobody is. */
  yellow: AudienceMember[]
  /** Told of cyan; empty when nobody is. */
  cyan: AudienceMember[]
  /** Told of green; empty when nobody is. */
  green: AudienceMember[]
  /** Told of gray; empty when nobody is. */
  gray: AudienceMember[]
  /** The escalation policy that pages people when an incident opens; absent if there is none. */
  policy?: string
}

/** A destination of notifications, and why it is told. */
export interface AudienceMember {
  /** The endpoint that is told. */
  destination: string
  /** Every rule that names it. It is told once, however many do. */
  named_by: AudienceRule[]
}

/** A rule that names a destination. */
export interface AudienceRule {
  /** own: the monitor names it. default: defaults.notify of the fleet files does. route: a route that matches does. */
  kind: AudienceRuleKind
  /** The route: its id, or its place in the fleet files as routes.0. */
  name: string | null
  /** The group that the destination belongs to; null when it is named itself. */
  group: string | null
}

/** What names a destination. */
export type AudienceRuleKind = 'own' | 'default' | 'route'

/** Why something was decided, with the values that were compared. */
export interface Because {
  /** What decided it. */
  kind: BecauseKind
  /** threshold, withheld, still_failing: failed checks in a row then. */
  failures?: number
  /** recovery_threshold: healthy checks in a row then. */
  successes?: number
  /** The configured threshold that they were compared with; for first_failure, the unhealthy one. */
  threshold?: number
  /** verified, verification_failed: healthy checks since the recovery action. */
  healthy?: number
  /** How many of them are needed. */
  needed?: number
  /** threshold, withheld: why no recovery action came first: held, or the outcome of the recovery action of the episode. Absent if none is configured. */
  recovery?: string
  /** withheld: what was in the way until then: maintenance, ancestor_in_trouble or ancestor_not_checked. */
  by?: string
  /** threshold, withheld, verification_failed, recovery_failed: the last failed check in its words, redacted: not markup. Absent if it gave none. */
  failure?: string
  /** How that check ended: failure or timeout. */
  failure_class?: string
  /** How long ago the first failure was then. */
  failing_ms?: number
  /** The external worker that carried out that check; absent if the service itself did. */
  from?: string
  /** ancestor: the monitor in trouble that it depends on. */
  ancestor?: string
  /** warning: what the check warned of. */
  text?: string
  /** maintenance, quiet_hours, and a snooze of control: when it ends. snooze_expired: when it ended. In a delay: when the action may start. */
  until?: Timestamp
  /** maintenance, maintenance_ended: the name of the window, if it has one. */
  name?: string
  /** reminder: how often red is repeated. */
  every_ms?: number
  /** reminder, cooldown: how long ago the last one was. digest: how long the oldest incident has not been reported. */
  since_ms?: number
  /** control: what was asked for. */
  verb?: string
  /** control: who asked. */
  actor?: string
  /** dismissed: the incident that is silent. */
  incident_id?: string
  /** recovery_accepted, recovery_failed: the recovery action. threshold, withheld, verification_failed: the last recovery action of the episode, if there was one. owed_green: the green that was withdrawn unsent. retry: the attempt before. */
  action_id?: string
  /** recovery_failed: rejected or unknown. */
  outcome?: string
  /** configuration_changed: check, recovery or destination. */
  what?: string
  /** superseded: the newer color. */
  color?: string
  /** digest: how many incidents were not reported then. */
  incidents?: number
  /** cooldown: how long it is. */
  cooldown_ms?: number
  /** retry, paged_recently: how long it waits by itself. digest: how long unreported incidents wait for one. */
  wait_ms?: number
  /** retry: the provider named the wait. */
  asked?: boolean
  /** answer: rejected, retry, not_sent, gone or lost. */
  answer?: string
  /** not_taken: how many in a row the destination did not take. */
  in_a_row?: number
  /** own_fault: timeouts and local errors in the last seconds. */
  suspicious?: number
  /** own_fault: all results in the same time. */
  results?: number
  /** own_fault: checks of our own that failed. */
  canaries?: string[]
  /** own_fault_ended: results that were excused. */
  excused?: number
  /** stalled, clock_jumped, own_fault_ended: for how long. */
  lasted_ms?: number
  /** given_up: after how long. */
  after_ms?: number
  /** restored: when the backup was made. */
  backup_at?: Timestamp
  /** Of a page: the escalation policy. page_ended, page_paused, page_restarted: whose page it was. */
  policy?: string
  /** policy_step, nobody_on_call: the round, from 1. */
  round?: number
  /** policy_step, nobody_on_call: the step, from 1. */
  step?: number
  /** next_endpoint: the one that was tried before. */
  endpoint?: string
  /** next_endpoint: why it was not enough: failed, unknown or slow. */
  why?: string
  /** page_restarted: how the page stood before: acknowledged or paused. */
  after?: string
  /** quiet_hours: whose they are. */
  person?: string
  /** handover: the schedule by which another person is on call. */
  schedule?: string
  /** push_overdue: how long ago the signal was due. */
  late_ms?: number
  /** push_silent: the grace that passed. */
  grace_ms?: number
  /** push_silent: how long ago the last signal came; absent if there was none. */
  silent_ms?: number
  /** push_not_ended: how long a run may take. */
  limit_ms?: number
  /** push_not_ended: how long ago the run started. */
  open_ms?: number
}

/** What decided something. */
export type BecauseKind = 'first_failure' | 'threshold' | 'withheld' | 'still_failing' | 'verification_failed' | 'recovery_failed' | 'recovery_accepted' | 'recovery_threshold' | 'verified' | 'warning' | 'warning_ended' | 'ancestor' | 'maintenance' | 'maintenance_ended' | 'reminder' | 'control' | 'snooze_expired' | 'dismissed' | 'disabled' | 'removed' | 'configuration_changed' | 'superseded' | 'new_episode' | 'owed_green' | 'digest' | 'nothing_untold' | 'cooldown' | 'retry' | 'own_fault' | 'stalled' | 'clock_jumped' | 'own_fault_ended' | 'answer' | 'interrupted' | 'taken' | 'not_taken' | 'destination_dead' | 'given_up' | 'restored' | 'policy_step' | 'next_endpoint' | 'nobody_on_call' | 'quiet_hours' | 'handover' | 'paged_recently' | 'page_ended' | 'page_paused' | 'page_restarted' | 'push_overdue' | 'push_silent' | 'push_not_ended' | 'push_unreachable'

/** Whether the service can do its work. Unhealthy targets do not count. */
export interface CandidateReadyz {
  /** Ready with status 200, or not with 503. */
  status: Readiness
  /** Why not, when not ready. */
  reasons?: ReadinessReason[]
  /** At most 30 s behind what is committed. Not a condition of readiness. */
  projection_fresh: boolean
  /** The fleet is loaded, the store recovered, the schedule armed. */
  admission_initialized: boolean
  /** When the controller last made progress. */
  controller_progress_at: Timestamp | null
  /** Decisions can be stored. */
  storage_available: boolean
  /** The process that is active, from one that stands by; null if it is not known. */
  active?: {
    /** The name of its machine. */
    name: string
    /** Its public URL, or else the address that it listens on. */
    url: string
  } | null
}

/** How a check ended. */
export type CheckOutcome = 'success' | 'failure' | 'timeout' | 'no_data' | 'own_fault'

/** The color of a notification, the most important first. */
export type Color = 'red' | 'yellow' | 'cyan' | 'green' | 'gray'

/** Public settings. */
export interface Config {
  /** The edition that runs. */
  edition: Edition
  /** The version of Pulseward. */
  version: string
  /** Address and port of the listener. */
  listen: string
  /** A token is needed. */
  authentication: boolean
  /** The store. */
  store: {
    /** Where state is kept. */
    mode: StoreMode
  }
  /** Entries that each queue can hold. */
  queue_capacity: {
    pulse: number
    intervention: number
    code: number
  }
  /** Most checks that are handed out at once. */
  batch_size: number
  /** How often main copies the fleet. */
  snapshot_interval_ms: number
  /** The pause between two notifications of one color, monitor and destination. */
  alert_cooldown_ms: number
  /** Green does not wait for the pause. */
  recovery_bypass: boolean
  /** How long events are kept; null when they are not. */
  history_retention_days: number | null
  /** The targets of the SLO view. */
  slo: {
    /** The length of the window of the SLO view. */
    window_seconds: number
    /** A check should start this soon after its time. */
    queue_target_ms: number
    /** A check should have its result this soon after its time. */
    result_target_ms: number
  }
  /** The largest fleet that lists are served for; null without a bound. */
  index_cap: number | null
  /** When the process started. */
  started_at: Timestamp
}

/** Where notifications go. */
export interface Destination {
  /** The endpoint, as configured. */
  name: string
  /** What delivers to it. */
  driver: string
  /** limited: it named a time to wait. ailing: it took none of the last three. dead: it said that it is gone; until its configuration changes. */
  state: DestinationState
  /** Since when it is not ok. */
  since: Timestamp | null
  /** Why, in words and without secrets. */
  reason: string | null
  /** When a limited or ailing one is tried again. */
  until: Timestamp | null
  /** Notifications that wait for it. */
  queued: number
}

/** Whether a destination takes notifications. */
export type DestinationState = 'ok' | 'limited' | 'ailing' | 'dead'

/** An edition of the service. */
export type Edition = 'main' | 'candidate' | 'next'

/** How an action or an incident ended. */
export type EventOutcome = 'accepted' | 'rejected' | 'timed_out' | 'interrupted' | 'superseded' | 'health_recovered' | 'configuration_changed' | 'removed' | 'disabled' | 'maintenance' | 'gone' | 'expired' | 'recovered'

/** The type of an event. */
export type EventType = 'incident_opened' | 'incident_closed' | 'action_queued' | 'action_started' | 'action_succeeded' | 'action_failed' | 'action_unknown' | 'action_cancelled' | 'incident_suppressed' | 'destination_dead' | 'destination_ailing' | 'destination_recovered' | 'digest_sent' | 'digest_dropped' | 'incident_reported' | 'own_fault' | 'push_late' | 'push_missed' | 'push_not_ended' | 'push_unknown' | 'push_log' | 'escalation'

/** A worker outside the service. */
export interface ExternalWorker {
  /** What it calls itself. */
  worker: string
  /** The principal whose token it has. */
  principal: string
  /** How many jobs it can run at once. */
  capacity: number
  /** Jobs that it was granted and that have not ended. */
  active: number
  /** When it last called. */
  last_seen_at: Timestamp
}

/** Workers outside the service, and what they have to do. */
export interface ExternalWorkers {
  /** Those that called last, the last first. */
  workers: ExternalWorker[]
  /** Workers that are known and not among these. */
  more: number
  /** Polls that wait for work. */
  waiting_polls: number
  /** Jobs that no worker has started. */
  waiting_jobs: number
  /** Jobs that a worker was granted and that have not ended. */
  running_jobs: number
}

/** A mistake in the input. */
export interface FieldError {
  /** The parameter. */
  field: string
  /** What is wrong with it. */
  message: string
}

/** The process is alive. Says nothing about targets. */
export interface Healthz {
  /** The process answers. */
  status: 'ok'
}

/** Retained events. */
export interface History {
  /** The events of this page, in committed order. */
  events: HistoryEvent[]
  /** Where the next page begins; null after the last. Only the store that gave it takes it. */
  next_cursor: string | null
  /** How long events are kept. */
  retention_days: 30
}

/** Something that was decided or done. */
export interface HistoryEvent {
  /** The identity of the event. */
  id: string
  /** The monitor; null for events of the service itself. */
  monitor_id: string | null
  /** When it happened. */
  at: Timestamp
  /** What happened. */
  type: EventType
  /** The revision of the monitor then. */
  revision: number | null
  /** The incident that it belongs to. */
  incident_id: string | null
  /** The action that it is about. */
  action_id: string | null
  /** The kind of that action. */
  kind: ActionKind | null
  /** The color of that notification. */
  color: Color | null
  /** The destination of that notification. */
  endpoint: string | null
  /** How the action or the incident ended. */
  outcome: EventOutcome | null
  /** Why, in words and without secrets. */
  reason: string | null
  /** The person or client that did it; null when the service did. */
  actor: string | null
}

/** The order of events: as they were committed, or the other way round. */
export type HistoryOrder = 'asc' | 'desc'

/** An open incident with the row of its monitor. */
export interface Incident {
  /** The stable identity: the configured id, or name: and the SHA-256 of the name. */
  monitor_id: string
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
  /** The identity of the incident. */
  incident_id: string
  /** When it was opened. */
  opened_at: Timestamp
  /** Who is looking into it. */
  acknowledged_by: string | null
  /** No more notifications are sent about it. */
  dismissed: boolean
  /** Why the last check failed, redacted: not markup. */
  last_error: string | null
  /** Monitors that are quiet because they depend on this one. */
  suppresses: number
  /** The count of healthy checks after a recovery action, while it runs. */
  verification: Verification | null
  /** What was last done about it. */
  last_action: LastAction | null
}

/** A page of open incidents, ordered by opened_at, then id. */
export interface IncidentList {
  /** The time of the list. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** The number of this page, from 1. */
  page: number
  /** Rows a page holds; less than asked for when that was over 500. */
  size: number
  /** Everything that matches, over all pages. */
  total: number
  /** The incidents of this page. */
  incidents: Incident[]
}

/** What was last done about an incident. */
export interface LastAction {
  /** Recovery action or notification. */
  kind: ActionKind
  /** How far it is. */
  state: ActionState
  /** How it ended. */
  outcome: ActionOutcome | null
  /** When it came into this state. */
  at: Timestamp
}

/** An open incident with the row of its monitor, as main shows it: without monitor_id. */
export interface MainIncident {
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
  /** The identity of the incident. */
  incident_id: string
  /** When it was opened. */
  opened_at: Timestamp
  /** Who is looking into it. */
  acknowledged_by: string | null
  /** No more notifications are sent about it. */
  dismissed: boolean
  /** Why the last check failed, redacted: not markup. */
  last_error: string | null
  /** Monitors that are quiet because they depend on this one. */
  suppresses: number
  /** The count of healthy checks after a recovery action, while it runs. */
  verification: Verification | null
  /** What was last done about it. */
  last_action: LastAction | null
}

/** A page of open incidents, ordered by opened_at, then id. */
export interface MainIncidentList {
  /** The time of the list. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** The number of this page, from 1. */
  page: number
  /** Rows a page holds; less than asked for when that was over 500. */
  size: number
  /** Everything that matches, over all pages. */
  total: number
  /** The incidents of this page. */
  incidents: MainIncident[]
}

/** A monitor with all that is known about it, as main shows it: without monitor_id. */
export interface MainMonitorDetail {
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
  /** Of a push monitor: what its job reported; null for any other. */
  push: {
    /** new: it has not reported yet. late: a signal is due. down: it was missed. */
    state: PushState
    /** When the next signal is expected; null until the first one came. */
    due_at: Timestamp | null
    /** Since when a signal is due; null if none is. */
    late_since: Timestamp | null
    /** When the last signal came. */
    last_signal_at: Timestamp | null
    /** What it said. */
    last_signal: PushSignal | null
    /** When the key before the present one was last used. */
    previous_key_used_at: Timestamp | null
    /** What looks wrong with its schedule. */
    hint: string | null
    /** Runs that started and have not ended, oldest first. */
    runs: {
      /** The id of the run; empty for the run without one. */
      rid: string
      /** When it started. */
      started_at: Timestamp
    }[]
    /** The last signals that left more than their time (failures, runs, logs, and whatever was said), newest first; in memory only. */
    signals: ({
      /** When it came. */
      at: Timestamp
      /** What it said. */
      kind: PushSignal
      /** The id of its run; empty for the run without one. */
      rid: string
      /** The exit code that it gave. */
      exit_code: number | null
      /** What the job said in a sentence. */
      message: string
      /** The end of what the job sent with it. */
      output: string
      /** How long the run took; null if its start is not known. */
      run_ms: number | null
    })[]
  } | null
  /** What each of its locations said last; absent if the service itself is the only one. */
  locations?: ({
    /** The location; local is the service itself. */
    location: string
    /** When it was last heard of; null if not since the service started. */
    at: Timestamp | null
    /** What its check came to; own_fault and no_data say nothing about the target. */
    outcome: CheckOutcome | null
    /** How long it took; null if nothing was measured. */
    latency_ms: number | null
    /** Why it failed, warned or could not check, redacted: not markup. */
    reason: string | null
  })[]
  /** Why the last check failed, redacted: not markup. */
  last_error: string | null
  /** When the certificate of the target expires. */
  certificate_expires_at: Timestamp | null
  /** When a full TLS handshake last showed that certificate; checks in between resume its session. */
  certificate_observed_at: Timestamp | null
  /** When it counts as unhealthy and as healthy again. */
  thresholds: {
    /** Failures in a row that make it unhealthy. */
    unhealthy: number
    /** Successes in a row that make it healthy again. */
    healthy: number
  }
  /** Its recovery action. */
  recovery: {
    /** What carries it out. */
    driver: string | null
    /** There is one. */
    configured: boolean
  }
  /** Its maintenance windows. */
  maintenance: {
    /** A window is open now. */
    active: boolean
    /** When it ends. */
    until: Timestamp | null
  }
  /** Until then it is not checked and nobody is notified. */
  snoozed_until: Timestamp | null
  /** The count of healthy checks after a recovery action, while it runs. */
  verification: Verification | null
  /** Why it has this status, in words. */
  status_reason: string | null
  /** The identity of the monitor it depends on whose trouble keeps it quiet. */
  suppressed_by: string | null
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
}

/** A page of monitors, ordered by the code points of the name, then id, unless sorted by another field. */
export interface MainMonitorList {
  /** The time of the list. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** The number of this page, from 1. */
  page: number
  /** Rows a page holds; less than asked for when that was over 500. */
  size: number
  /** Everything that matches, over all pages. */
  total: number
  /** The filters in force, as they were given. */
  filters: {
    status?: string
    type?: string
    code?: string
    snoozed?: string
    q?: string
    tells_nobody?: string
    tag?: string
    label?: string
    told?: string
    group?: string
  }
  /** The monitors of this page. */
  monitors: MainMonitorRow[]
}

/** A monitor, as main shows it: without monitor_id. */
export interface MainMonitorRow {
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
}

/** Why the service is not ready, in main. */
export type MainReadinessReason = 'no_snapshot' | 'empty_snapshot' | 'stale_snapshot'

/** Whether there is a nonempty snapshot of at most 30 s. Unhealthy targets do not count. */
export interface MainReadyz {
  /** Ready with status 200, or not with 503. */
  status: Readiness
  /** Why not, when not ready. */
  reasons?: MainReadinessReason[]
  /** When the snapshot was taken. */
  snapshot_at: Timestamp | null
  /** How old it is. */
  snapshot_age_seconds: number | null
}

/** A monitor with all that is known about it. */
export interface MonitorDetail {
  /** The stable identity: the configured id, or name: and the SHA-256 of the name. */
  monitor_id: string
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
  /** Of a push monitor: what its job reported; null for any other. */
  push: {
    /** new: it has not reported yet. late: a signal is due. down: it was missed. */
    state: PushState
    /** When the next signal is expected; null until the first one came. */
    due_at: Timestamp | null
    /** Since when a signal is due; null if none is. */
    late_since: Timestamp | null
    /** When the last signal came. */
    last_signal_at: Timestamp | null
    /** What it said. */
    last_signal: PushSignal | null
    /** When the key before the present one was last used. */
    previous_key_used_at: Timestamp | null
    /** What looks wrong with its schedule. */
    hint: string | null
    /** Runs that started and have not ended, oldest first. */
    runs: {
      /** The id of the run; empty for the run without one. */
      rid: string
      /** When it started. */
      started_at: Timestamp
    }[]
    /** The last signals that left more than their time (failures, runs, logs, and whatever was said), newest first; in memory only. */
    signals: ({
      /** When it came. */
      at: Timestamp
      /** What it said. */
      kind: PushSignal
      /** The id of its run; empty for the run without one. */
      rid: string
      /** The exit code that it gave. */
      exit_code: number | null
      /** What the job said in a sentence. */
      message: string
      /** The end of what the job sent with it. */
      output: string
      /** How long the run took; null if its start is not known. */
      run_ms: number | null
    })[]
  } | null
  /** What each of its locations said last; absent if the service itself is the only one. */
  locations?: ({
    /** The location; local is the service itself. */
    location: string
    /** When it was last heard of; null if not since the service started. */
    at: Timestamp | null
    /** What its check came to; own_fault and no_data say nothing about the target. */
    outcome: CheckOutcome | null
    /** How long it took; null if nothing was measured. */
    latency_ms: number | null
    /** Why it failed, warned or could not check, redacted: not markup. */
    reason: string | null
  })[]
  /** Why the last check failed, redacted: not markup. */
  last_error: string | null
  /** When the certificate of the target expires. */
  certificate_expires_at: Timestamp | null
  /** When a full TLS handshake last showed that certificate; checks in between resume its session. */
  certificate_observed_at: Timestamp | null
  /** When it counts as unhealthy and as healthy again. */
  thresholds: {
    /** Failures in a row that make it unhealthy. */
    unhealthy: number
    /** Successes in a row that make it healthy again. */
    healthy: number
  }
  /** Its recovery action. */
  recovery: {
    /** What carries it out. */
    driver: string | null
    /** There is one. */
    configured: boolean
  }
  /** Its maintenance windows. */
  maintenance: {
    /** A window is open now. */
    active: boolean
    /** When it ends. */
    until: Timestamp | null
  }
  /** Until then it is not checked and nobody is notified. */
  snoozed_until: Timestamp | null
  /** The count of healthy checks after a recovery action, while it runs. */
  verification: Verification | null
  /** Why it has this status, in words. */
  status_reason: string | null
  /** The identity of the monitor it depends on whose trouble keeps it quiet. */
  suppressed_by: string | null
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
}

/** A page of monitors, ordered by the code points of the name, then id, unless sorted by another field. */
export interface MonitorList {
  /** The time of the list. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** The number of this page, from 1. */
  page: number
  /** Rows a page holds; less than asked for when that was over 500. */
  size: number
  /** Everything that matches, over all pages. */
  total: number
  /** The filters in force, as they were given. */
  filters: {
    status?: string
    type?: string
    code?: string
    snoozed?: string
    q?: string
    tells_nobody?: string
    tag?: string
    label?: string
    told?: string
    group?: string
  }
  /** The monitors of this page. */
  monitors: MonitorRow[]
}

/** A field of the rows; with a minus, from its other end. */
export type MonitorOrder = 'name' | 'status' | 'pulse_type' | 'pending_code' | 'latency_ms' | 'healthy_sample_percent' | 'last_check' | '-name' | '-status' | '-pulse_type' | '-pending_code' | '-latency_ms' | '-healthy_sample_percent' | '-last_check'

/** A monitor. */
export interface MonitorRow {
  /** The stable identity: the configured id, or name: and the SHA-256 of the name. */
  monitor_id: string
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
}

/** A recovery action or a notification. */
export interface NextActionEntry {
  /** The identity of the action; every attempt has its own. */
  id: string
  /** Increases with every change of this action. */
  revision: number
  /** Recovery action or notification. */
  kind: ActionKind
  /** The color of the notification; null for recovery actions. */
  color: Color | null
  /** The destination of the notification; null for recovery actions. */
  endpoint: string | null
  /** Which try it is, from 1. */
  attempt: number
  /** Its state. unknown: its answer was lost; it is never repeated automatically. */
  state: ActionState
  /** It does not start earlier. */
  not_before: Timestamp | null
  /** When it started. */
  started_at: Timestamp | null
  /** When it ended. */
  finished_at: Timestamp | null
  /** How it ended. */
  outcome: NextActionOutcome | null
  /** Why, in the words of the provider or our own, without secrets. */
  reason: string | null
  /** Why a queued one has not started. */
  waiting_for: WaitReason | null
  /** Why it was decided; a retry has the reason of its first attempt. Null where the record has none. */
  because: Because | null
  /** Why it could not start when it was queued: cooldown or retry. */
  delay: Because | null
  /** Why it ended, other than by being accepted. Null where the record has none. */
  ended_because: Because | null
}

/** How an action of next ended. */
export type NextActionOutcome = 'accepted' | 'rejected' | 'timed_out' | 'interrupted' | 'superseded' | 'health_recovered' | 'configuration_changed' | 'removed' | 'disabled' | 'maintenance' | 'gone' | 'expired' | 'snoozed' | 'dismissed'

/** How an action or an incident of next ended. */
export type NextEventOutcome = 'accepted' | 'rejected' | 'timed_out' | 'interrupted' | 'superseded' | 'health_recovered' | 'configuration_changed' | 'removed' | 'disabled' | 'maintenance' | 'gone' | 'expired' | 'snoozed' | 'dismissed' | 'recovered'

/** The type of an event of next. */
export type NextEventType = 'incident_opened' | 'incident_closed' | 'action_queued' | 'action_started' | 'action_succeeded' | 'action_failed' | 'action_unknown' | 'action_cancelled' | 'incident_suppressed' | 'destination_dead' | 'destination_ailing' | 'destination_recovered' | 'digest_sent' | 'digest_dropped' | 'incident_reported' | 'own_fault' | 'push_late' | 'push_missed' | 'push_not_ended' | 'push_unknown' | 'push_log' | 'escalation' | 'control_recover_requested' | 'control_acknowledged' | 'control_dismissed' | 'control_reopened' | 'control_noted' | 'control_snoozed' | 'control_unsnoozed' | 'snooze_expired' | 'action_reviewed' | 'late_evidence'

/** Retained events. */
export interface NextHistory {
  /** The events of this page, in committed order. */
  events: NextHistoryEvent[]
  /** Where the next page begins; null after the last. Only the store that gave it takes it. */
  next_cursor: string | null
  /** How long events are kept. */
  retention_days: 30
}

/** Something that was decided or done. */
export interface NextHistoryEvent {
  /** The identity of the event. */
  id: string
  /** The monitor; null for events of the service itself. */
  monitor_id: string | null
  /** When it happened. */
  at: Timestamp
  /** What happened. */
  type: NextEventType
  /** The revision of the monitor then. */
  revision: number | null
  /** The incident that it belongs to. */
  incident_id: string | null
  /** The action that it is about. */
  action_id: string | null
  /** The kind of that action. */
  kind: ActionKind | null
  /** The color of that notification. */
  color: Color | null
  /** The destination of that notification. */
  endpoint: string | null
  /** How the action or the incident ended. */
  outcome: NextEventOutcome | null
  /** Why, in words and without secrets. */
  reason: string | null
  /** The person or client that did it; null when the service did. */
  actor: string | null
  /** What the actor noted: not markup. */
  note: string | null
  /** Why it was decided; null if it is not a decision, and where the record has no reason. */
  because: Because | null
}

/** An open incident with the row of its monitor, as next shows it: with the time of its acknowledgement. */
export interface NextIncident {
  /** The stable identity: the configured id, or name: and the SHA-256 of the name. */
  monitor_id: string
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
  /** Until then it is not checked and nobody is notified. */
  snoozed_until: Timestamp | null
  /** The identity of the incident. */
  incident_id: string
  /** When it was opened. */
  opened_at: Timestamp
  /** Who is looking into it. */
  acknowledged_by: string | null
  /** No more notifications are sent about it. */
  dismissed: boolean
  /** Why the last check failed, redacted: not markup. */
  last_error: string | null
  /** Monitors that are quiet because they depend on this one. */
  suppresses: number
  /** The count of healthy checks after a recovery action, while it runs. */
  verification: Verification | null
  /** What was last done about it. */
  last_action: NextLastAction | null
  /** Since when it is acknowledged. */
  acknowledged_at: Timestamp | null
}

/** A page of open incidents, ordered by opened_at, then id. */
export interface NextIncidentList {
  /** The time of the list. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** The number of this page, from 1. */
  page: number
  /** Rows a page holds; less than asked for when that was over 500. */
  size: number
  /** Everything that matches, over all pages. */
  total: number
  /** The incidents of this page. */
  incidents: NextIncident[]
}

/** What was last done about an incident. */
export interface NextLastAction {
  /** Recovery action or notification. */
  kind: ActionKind
  /** How far it is. */
  state: ActionState
  /** How it ended. */
  outcome: NextActionOutcome | null
  /** When it came into this state. */
  at: Timestamp
}

/** A monitor with all that is known about it, as next shows it: with who is told, its open incident, and its last checks while it fails. */
export interface NextMonitorDetail {
  /** The stable identity: the configured id, or name: and the SHA-256 of the name. */
  monitor_id: string
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
  /** Of a push monitor: what its job reported; null for any other. */
  push: {
    /** new: it has not reported yet. late: a signal is due. down: it was missed. */
    state: PushState
    /** When the next signal is expected; null until the first one came. */
    due_at: Timestamp | null
    /** Since when a signal is due; null if none is. */
    late_since: Timestamp | null
    /** When the last signal came. */
    last_signal_at: Timestamp | null
    /** What it said. */
    last_signal: PushSignal | null
    /** When the key before the present one was last used. */
    previous_key_used_at: Timestamp | null
    /** What looks wrong with its schedule. */
    hint: string | null
    /** Runs that started and have not ended, oldest first. */
    runs: {
      /** The id of the run; empty for the run without one. */
      rid: string
      /** When it started. */
      started_at: Timestamp
    }[]
    /** The last signals that left more than their time (failures, runs, logs, and whatever was said), newest first; in memory only. */
    signals: ({
      /** When it came. */
      at: Timestamp
      /** What it said. */
      kind: PushSignal
      /** The id of its run; empty for the run without one. */
      rid: string
      /** The exit code that it gave. */
      exit_code: number | null
      /** What the job said in a sentence. */
      message: string
      /** The end of what the job sent with it. */
      output: string
      /** How long the run took; null if its start is not known. */
      run_ms: number | null
    })[]
  } | null
  /** What each of its locations said last; absent if the service itself is the only one. */
  locations?: ({
    /** The location; local is the service itself. */
    location: string
    /** When it was last heard of; null if not since the service started. */
    at: Timestamp | null
    /** What its check came to; own_fault and no_data say nothing about the target. */
    outcome: CheckOutcome | null
    /** How long it took; null if nothing was measured. */
    latency_ms: number | null
    /** Why it failed, warned or could not check, redacted: not markup. */
    reason: string | null
  })[]
  /** Why the last check failed, redacted: not markup. */
  last_error: string | null
  /** When the certificate of the target expires. */
  certificate_expires_at: Timestamp | null
  /** When a full TLS handshake last showed that certificate; checks in between resume its session. */
  certificate_observed_at: Timestamp | null
  /** When it counts as unhealthy and as healthy again. */
  thresholds: {
    /** Failures in a row that make it unhealthy. */
    unhealthy: number
    /** Successes in a row that make it healthy again. */
    healthy: number
  }
  /** Its recovery action. */
  recovery: {
    /** What carries it out. */
    driver: string | null
    /** There is one. */
    configured: boolean
  }
  /** Its maintenance windows. */
  maintenance: {
    /** A window is open now. */
    active: boolean
    /** When it ends. */
    until: Timestamp | null
  }
  /** Until then it is not checked and nobody is notified. */
  snoozed_until: Timestamp | null
  /** The count of healthy checks after a recovery action, while it runs. */
  verification: Verification | null
  /** Why it has this status, in words. */
  status_reason: string | null
  /** The identity of the monitor it depends on whose trouble keeps it quiet. */
  suppressed_by: string | null
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** Who is told about it, by color. */
  audience: Audience
  /** Its open incident; null if none is open. */
  incident_id: string | null
  /** Its last checks since something is the matter, the newest first; null for a quiet monitor, and where too many fail at once to keep them. In memory only: a restart forgets them. */
  last_checks: ({
    /** When its result came. */
    at: Timestamp
    /** How it ended. no_data and own_fault say nothing about the target. */
    outcome: CheckOutcome
    /** How long it took; null if it says nothing about the target. */
    latency_ms: number | null
    /** Why it failed, or what it warns of, redacted: not markup. */
    reason: string | null
  })[] | null
}

/** A page of monitors, ordered by the code points of the name, then id, unless sorted by another field. */
export interface NextMonitorList {
  /** The time of the list. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** The number of this page, from 1. */
  page: number
  /** Rows a page holds; less than asked for when that was over 500. */
  size: number
  /** Everything that matches, over all pages. */
  total: number
  /** The filters in force, as they were given. */
  filters: {
    status?: string
    type?: string
    code?: string
    snoozed?: string
    q?: string
    tells_nobody?: string
    tag?: string
    label?: string
    told?: string
    group?: string
  }
  /** The monitors of this page. */
  monitors: NextMonitorRow[]
}

/** A monitor, as next shows it: with the end of its snooze. */
export interface NextMonitorRow {
  /** The stable identity: the configured id, or name: and the SHA-256 of the name. */
  monitor_id: string
  /** The number of the monitor in paths. */
  id: number
  /** Its name, as configured: not markup. */
  name: string
  /** The kind of its check: http, tcp, … */
  pulse_type: string
  /** The first of these that applies. */
  status: Status
  /** An incident is open. */
  incident: boolean
  /** The most important color with a notification queued or in flight; empty when there is none. */
  pending_code: PendingColor
  /** All colors with a notification queued or in flight, the most important first. */
  active_codes: Color[]
  /** What is checked, without user info, query and fragment. */
  target: string
  /** Time between two checks; of a push monitor, between the last due and the next. */
  interval_ms: number
  /** How long a check may take. */
  timeout_ms: number
  /** Failures since the last success. */
  consecutive_failures: number
  /** When the last result came. */
  last_check: Timestamp | null
  /** When the last success came. */
  last_success: Timestamp | null
  /** When the next check is due, or the next signal of a push monitor; null when there will be none, and while the data is stale. */
  next_check: Timestamp | null
  /** How long the last check took to its answer. */
  latency_ms: number | null
  /** Healthy checks. */
  healthy_samples: number
  /** All checks that said something about the target. */
  total_samples: number
  /** The share of the two. Not an SLA. */
  healthy_sample_percent: number | null
  /** The active warning, in words. */
  warning: string | null
  /** Actions whose outcome is unknown. */
  unknown_actions: number
  /** Its tags, as configured. */
  tags: string[]
  /** Until then it is not checked and nobody is notified. */
  snoozed_until: Timestamp | null
}

/** The fleet in numbers, as next shows it: with snoozed monitors and those that tell nobody. */
export interface NextOverview {
  /** The time of the numbers. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** Configured monitors, also disabled ones. */
  total: number
  /** Monitors that are not checked. */
  disabled: number
  /** Monitors in each status; every status is present. */
  by_status: {
    disabled: number
    verifying: number
    incident: number
    down: number
    unknown: number
    degraded: number
    up: number
  }
  /** Monitors of each kind of check. */
  by_pulse_type: Record<string, number>
  /** Monitors with each pending notification color. */
  by_code: Record<string, number>
  /** Open incidents. */
  incidents: number
  /** Up and degraded monitors among those that are enabled and not unknown. */
  up_percent: number | null
  /** Healthy checks among all checks. Not an SLA. */
  healthy_sample_percent: number | null
  /** The fleet is too large for lists, which answer 503; main only. */
  index_capped: boolean
  /** Snoozed monitors; they also count as disabled. */
  snoozed: number
  /** Enabled monitors whose red has no destination: nobody is told when they fail. */
  tells_nobody: number
}

/** Store and process; with a monitor_id also that monitor’s revision and actions. */
export interface NextState {
  /** The health of the store. */
  storage: {
    /** Where state is kept. */
    mode: StoreMode
    /** Decisions can be stored. */
    ready: boolean
    /** How far the log has come. Only grows. */
    committed_position: number
    /** How long the last commit took. */
    commit_latency_ms: number | null
    /** The 99th percentile. */
    commit_latency_p99_ms: number | null
    /** The last backup. */
    last_backup: {
      /** When it was made. */
      at: Timestamp
      /** It was read back and is sound. */
      verified: boolean
    } | null
    /** What is wrong, redacted. */
    error: string | null
  }
  /** What the store takes; null in memory. */
  storage_usage: {
    /** What the store takes. */
    bytes: number | null
    /** What the events take of it. */
    history_bytes: number | null
    /** Free space where the store is. */
    available_bytes: number | null
  }
  /** What the process uses. */
  process: {
    /** Resident memory. */
    rss_bytes: number
    /** JavaScript heap in use. */
    heap_bytes: number
    /** Processor time since the start. */
    cpu_seconds: number
    /** Time since the start. */
    uptime_seconds: number
    /** Threads that run our code. */
    threads: number
  }
  /** Actions of the whole fleet whose outcome is unknown. */
  unknown_actions: number
  /** Workers outside the service, and what they have to do; null where external jobs are off. */
  external_workers: ExternalWorkers | null
  /** The monitor that was asked for. */
  monitor_id?: string
  /** Its number, as in /monitors/{id}; null if it is not in the fleet any more. */
  monitor_number?: number | null
  /** Increases when its behavior is configured differently. */
  revision?: number
  /** Its actions. */
  actions?: NextActionEntry[]
  /** Why nothing happens about it now although it fails beyond its threshold: it has neither an open incident nor an action that can start. */
  held_back?: string | null
}

/** The fleet in numbers. */
export interface Overview {
  /** The time of the numbers. */
  generated: Timestamp
  /** Since when and why this is not kept up to date; null when it is. */
  stale: Stale | null
  /** Configured monitors, also disabled ones. */
  total: number
  /** Monitors that are not checked. */
  disabled: number
  /** Monitors in each status; every status is present. */
  by_status: {
    disabled: number
    verifying: number
    incident: number
    down: number
    unknown: number
    degraded: number
    up: number
  }
  /** Monitors of each kind of check. */
  by_pulse_type: Record<string, number>
  /** Monitors with each pending notification color. */
  by_code: Record<string, number>
  /** Open incidents. */
  incidents: number
  /** Up and degraded monitors among those that are enabled and not unknown. */
  up_percent: number | null
  /** Healthy checks among all checks. Not an SLA. */
  healthy_sample_percent: number | null
  /** The fleet is too large for lists, which answer 503; main only. */
  index_capped: boolean
}

/** The color of a pending notification; empty for none. */
export type PendingColor = 'red' | 'yellow' | 'cyan' | 'green' | 'gray' | ''

/** Upper bounds over all samples; null without samples. */
export interface Percentiles {
  /** The median. */
  p50_ms: number | null
  /** The 95th percentile. */
  p95_ms: number | null
  /** The 99th percentile. */
  p99_ms: number | null
}

/** A pool of workers. A worker is a permit to run one job, not a thread. */
export interface Pool {
  /** Fewest slots. */
  min: number
  /** Most slots. */
  max: number
  /** Slots now. */
  capacity: number
  /** Slots in which something runs. */
  busy: number
  /** Jobs that wait for a slot. */
  waiting: number
  /** Slots that the capacity is on its way to. */
  target: number
  /** Jobs that came. */
  submitted: number
  /** Jobs that ended. */
  completed: number
  /** How often the size changed. */
  scaling_events: number
  /** When it last changed. */
  last_scale: Timestamp | null
  /** How long a job takes, on average. */
  service_time_ms: number | null
  /** Coefficient of variation of that time. */
  service_cv: number | null
  /** Jobs that both are computed from. */
  service_samples: number
  /** What the recommendation comes from. */
  sizing_model: SizingModel
  /** Slots that the model recommends, within the bounds. */
  recommended: number
  /** Why, in words. */
  reason: string
  /** Jobs that come per second. */
  arrival_rate: number | null
  /** Coefficient of variation of the time between them. */
  arrival_cv: number | null
  /** The latency that the size should meet. */
  target_ms: number
  /** The worst condition of the SLO view that concerns it. */
  slo_condition: SloCondition | null
}

/** A pool at one moment. */
export interface PoolSample {
  /** When it was taken. */
  at: Timestamp
  /** Slots. */
  capacity: number
  /** Slots in which something ran. */
  busy: number
  /** Jobs that waited for a slot. */
  waiting: number
  /** Slots that the capacity was on its way to. */
  target: number
  /** Slots that the model recommended. */
  recommended: number
  /** Jobs that had come. */
  submitted: number
  /** Jobs that had ended. */
  completed: number
  /** How long a job took, on average. */
  service_time_ms: number | null
  /** Jobs that came per second. */
  arrival_rate: number | null
}

/** The recent past of the pools. */
export interface PoolSeries {
  /** When it was read. */
  generated: Timestamp
  /** Time between two samples. */
  interval_seconds: number
  /** Most samples of a series; the oldest make room. */
  capacity: number
  /** The samples of each pipeline, oldest first. */
  series: {
    pulse: PoolSample[]
    intervention: PoolSample[]
    code: PoolSample[]
  }
}

/** The worker pools now. */
export interface Pools {
  /** The time of the figures. */
  generated: Timestamp
  /** The pool of each pipeline. */
  pools: {
    pulse: Pool
    intervention: Pool
    code: Pool
  }
}

/** How a probe at another location is. */
export type ProbeState = 'connected' | 'draining' | 'overloaded'

/** An error, RFC 9457. */
export interface Problem {
  /** urn:pulseward:problem: and the code. */
  type: string
  /** The code in words. */
  title: string
  /** The status of the answer. */
  status: number
  /** What happened this time, for people. */
  detail: string
  /** What happened, for programs. Codes do not change. */
  code: string
  /** The X-Request-ID of the answer. */
  request_id: string
  /** The mistakes, for input errors. */
  errors?: FieldError[]
  /** The process that is active, from one that stands by; null if it is not known. */
  active?: {
    /** The name of its machine. */
    name: string
    /** Its public URL, or else the address that it listens on. */
    url: string
  } | null
}

/** What a process of the service is. */
export type ProcessRole = 'active' | 'standby'

/** What such a job may say. */
export type PushSignal = 'success' | 'fail' | 'start' | 'log'

/** Where a job that reports by itself is. */
export type PushState = 'new' | 'up' | 'late' | 'down'

/** A queue and how it moves. */
export interface Queue {
  /** Entries that wait now. */
  depth: number
  /** Entries that it can hold. */
  capacity: number
  /** Entries that came. */
  enqueued: number
  /** Entries that were taken. */
  dequeued: number
  /** Entries that found no room. */
  dropped: number
  /** Entries that come per second. */
  enqueue_rate: number | null
  /** Entries that are taken per second. */
  dequeue_rate: number | null
  /** How long entries waited, on average. */
  avg_wait_ms: number | null
  /** How long the slowest waited. */
  max_wait_ms: number | null
  /** How long the oldest entry has waited; null when nothing waits. */
  oldest_ms: number | null
  /** Coefficient of variation of the time between arrivals. */
  arrival_cv: number | null
  /** Times between arrivals that it is computed from. */
  arrival_samples: number
  /** When the last entry came. */
  last_enqueue: Timestamp | null
  /** When the last entry was taken. */
  last_dequeue: Timestamp | null
  /** What rates, waits and variation are computed over. */
  window_seconds: number
}

/** A queue at one moment. */
export interface QueueSample {
  /** When it was taken. */
  at: Timestamp
  /** Entries that waited. */
  depth: number
  /** Entries that had come. */
  enqueued: number
  /** Entries that had been taken. */
  dequeued: number
  /** Entries that had found no room. */
  dropped: number
  /** Entries that came per second. */
  enqueue_rate: number | null
  /** Entries that were taken per second. */
  dequeue_rate: number | null
  /** How long entries waited, on average. */
  avg_wait_ms: number | null
  /** How long the slowest waited. */
  max_wait_ms: number | null
  /** How long the oldest entry had waited. */
  oldest_ms: number | null
}

/** The recent past of the queues. */
export interface QueueSeries {
  /** When it was read. */
  generated: Timestamp
  /** Time between two samples. */
  interval_seconds: number
  /** Most samples of a series; the oldest make room. */
  capacity: number
  /** The samples of each pipeline, oldest first. */
  series: {
    pulse: QueueSample[]
    intervention: QueueSample[]
    code: QueueSample[]
  }
}

/** The queues now. */
export interface Queues {
  /** The time of the figures. */
  generated: Timestamp
  /** The queue of each pipeline. */
  queues: {
    pulse: Queue
    intervention: Queue
    code: Queue
  }
  /** The destinations of notifications. */
  destinations: Destination[]
}

/** Whether the service can do its work. */
export type Readiness = 'ready' | 'not_ready'

/** Why the service is not ready. */
export type ReadinessReason = 'admission_not_initialized' | 'controller_stalled' | 'storage_unavailable' | 'standby' | 'files_differ'

/** What was counted of a monitor in each cell, the oldest first. */
export interface RecentTrend {
  /** The number of the monitor. */
  id: number
  /** Checks that said something about their target; 0 where nothing was counted. */
  samples: number[]
  /** Those of them that succeeded. */
  healthy: number[]
  /** Half of the healthy samples took no longer, within 19 %; null without any. */
  p50_ms: (number | null)[]
}

/** The last hours of several monitors. */
export interface RecentTrends {
  /** The time of this answer. */
  generated: Timestamp
  /** When the first cell begins. The last cell is the present one. */
  begins_at: Timestamp
  /** How long each cell is: the shortest that are counted. */
  cell_seconds: number
  /** In the order of the request, without numbers that no monitor has. */
  monitors: RecentTrend[]
}

/** Episodes that reached the unhealthy threshold in the window. */
export interface RecoveryCoverage {
  /** With a recovery configured. */
  eligible: number
  /** Without one. */
  none_configured: number
  /** Whose recovery action was queued. */
  admitted: number
  /** Whose recovery action succeeded. */
  succeeded: number
  /** Whose recovery action failed. */
  failed: number
  /** Whose recovery action was lost. */
  unknown: number
  /** Whose recovery action was held back. */
  held: number
}

/** What a recommended size comes from. */
export type SizingModel = 'awaiting_observations' | 'erlang_c_allen_cunneen' | 'little_law_fallback' | 'slo_unattainable'

/** How well checks kept to their times. */
export interface Slo {
  /** The time of the figures. */
  generated: Timestamp
  /** The length of the window. */
  window_seconds: number
  /** A check should start this soon after its time. */
  queue_target_ms: number
  /** A check should have its result this soon after its time. */
  result_target_ms: number
  /** The service watched during the whole window. */
  coverage_complete: boolean
  /** When the gap in watching began. */
  gap_start: Timestamp | null
  /** When the gap ended; null also while it lasts. */
  gap_end: Timestamp | null
  /** What became of the episodes that needed a recovery. */
  recovery_coverage: RecoveryCoverage
  /** One for each kind of check that has anything to show. */
  reports: SloReport[]
}

/** What limits the service, if anything. */
export type SloCondition = 'insufficient_observations' | 'healthy' | 'queue_delay' | 'result_delay' | 'downstream_limited' | 'coverage_gap'

/** How the checks of one kind kept to their times. */
export interface SloReport {
  /** The kind of check. */
  driver: string
  /** Checks that ended. */
  samples: number
  /** Samples, missed and overdue. */
  expected: number
  /** Checks that were not started in their slot. */
  missed: number
  /** Unfinished, and still within the result target. */
  pending: number
  /** Unfinished beyond the result target. */
  overdue: number
  /** Samples that ran out of time; they never meet the result target. */
  timeouts: number
  /** Samples that say nothing, which neither meet nor miss a target. */
  left_out: number
  /** Checks that started within the queue target. */
  queue_met: number
  /** Checks that had their result within the result target. */
  result_met: number
  /** From the time a check was due to its start. */
  scheduling_queue: Percentiles
  /** From its start to its result. */
  execution: Percentiles
  /** From the time it was due to its result. */
  scheduled_result: Percentiles
  /** Share of the expected that met the queue target. */
  queue_attainment: number | null
  /** Share of the expected that met the result target. */
  result_attainment: number | null
  /** What limits it, if anything. */
  condition: SloCondition
}

/** Whether a filter is for snoozed monitors or for the others. */
export type SnoozedFilter = 'true' | 'false'

/** The data is not kept up to date: since when, and why. */
export interface Stale {
  /** The time of the data; nothing was added since. */
  since: Timestamp
  /** Decisions cannot be stored, the controller makes no progress, or no newer snapshot was taken. */
  reason: StaleReason
}

/** Why data is stale. */
export type StaleReason = 'storage_unavailable' | 'controller_stalled' | 'stale_snapshot'

/** Store and process; with a monitor_id also that monitor’s revision and actions. */
export interface State {
  /** The health of the store. */
  storage: {
    /** Where state is kept. */
    mode: StoreMode
    /** Decisions can be stored. */
    ready: boolean
    /** How far the log has come. Only grows. */
    committed_position: number
    /** How long the last commit took. */
    commit_latency_ms: number | null
    /** The 99th percentile. */
    commit_latency_p99_ms: number | null
    /** The last backup. */
    last_backup: {
      /** When it was made. */
      at: Timestamp
      /** It was read back and is sound. */
      verified: boolean
    } | null
    /** What is wrong, redacted. */
    error: string | null
  }
  /** What the store takes; null in memory. */
  storage_usage: {
    /** What the store takes. */
    bytes: number | null
    /** What the events take of it. */
    history_bytes: number | null
    /** Free space where the store is. */
    available_bytes: number | null
  }
  /** What the process uses. */
  process: {
    /** Resident memory. */
    rss_bytes: number
    /** JavaScript heap in use. */
    heap_bytes: number
    /** Processor time since the start. */
    cpu_seconds: number
    /** Time since the start. */
    uptime_seconds: number
    /** Threads that run our code. */
    threads: number
  }
  /** Actions of the whole fleet whose outcome is unknown. */
  unknown_actions: number
  /** The monitor that was asked for. */
  monitor_id?: string
  /** Its number, as in /monitors/{id}; null if it is not in the fleet any more. */
  monitor_number?: number | null
  /** Increases when its behavior is configured differently. */
  revision?: number
  /** Its actions. */
  actions?: ActionEntry[]
  /** Why nothing happens about it now although it fails beyond its threshold: it has neither an open incident nor an action that can start. */
  held_back?: string | null
}

/** The status of a monitor, in order of precedence. */
export type Status = 'disabled' | 'verifying' | 'incident' | 'down' | 'unknown' | 'degraded' | 'up'

/** The kind of a store. */
export type StoreMode = 'memory' | 'sqlite' | 'postgres'

/** A stage of the controller. */
export interface System {
  /** The stage. */
  name: SystemName
  /** Runs. */
  updates: number
  /** Monitors, results, actions or requests that were handled. */
  entities: number
  /** Runs that had something to handle. */
  batches: number
  /** How long the last run took. */
  last_ms: number | null
  /** How long a run takes, on average. */
  avg_ms: number | null
  /** How long the slowest took. */
  max_ms: number | null
  /** When the last run ended. */
  last_progress: Timestamp | null
}

/** All stages together. */
export interface SystemAggregate {
  /** Runs. */
  updates: number
  /** Monitors, results, actions or requests that were handled. */
  entities: number
  /** Runs that had something to handle. */
  batches: number
  /** How long the last run took. */
  last_ms: number | null
  /** How long a run takes, on average. */
  avg_ms: number | null
  /** How long the slowest took. */
  max_ms: number | null
  /** When the last run ended. */
  last_progress: Timestamp | null
  /** Handled per second. */
  entities_per_second: number | null
  /** Runs per second. */
  updates_per_second: number | null
  /** How late the event loop wakes up, 99th percentile. */
  event_loop_lag_p99_ms: number | null
}

/** A stage of the controller. */
export type SystemName = 'schedule' | 'dispatch' | 'results' | 'transitions' | 'actions' | 'commit' | 'projection' | 'api'

/** The stages of the controller. */
export interface Systems {
  /** The time of the figures. */
  generated: Timestamp
  /** The stages. */
  systems: System[]
  /** The same figures over all stages. */
  aggregate: SystemAggregate
  /** The processes of the service, the active one first. Only with a store in PostgreSQL. */
  processes?: {
    /** The name of its machine. */
    name: string
    /** Its public URL, or else the address that it listens on. */
    url: string
    /** Whether it is the active one. */
    role: ProcessRole
    /** Its fleet files are those of the active one. If not, it does not take over. */
    same_files: boolean
  }[]
  /** The other places at which monitors are checked. Only if there are any. */
  locations?: {
    /** The location, as monitors name it. */
    name: string
    /** The connected ones. While there are none, the monitors of the location are unknown. */
    probes: {
      /** What people call it; mostly the name of its machine. */
      name: string
      /** The principal whose token it uses. */
      principal: string
      /** The version of Pulseward that it runs. */
      version: string
      /** When it connected. */
      connected_since: Timestamp
      /** draining: it stops when its checks have ended. overloaded: it starts checks late, and gets none. */
      state: ProbeState
      /** The monitors whose definitions it has. */
      monitors: number
      /** The checks that it was asked for and that have not ended. */
      in_flight: number
    }[]
  }[]
}

/** Only enabled monitors that tell nobody when they fail: their red has no destination. */
export type TellsNobody = 'true'

/** RFC 3339 in UTC with milliseconds. */
export type Timestamp = string

/** Availability and latency over a window of time. */
export interface Trend {
  /** The time of this answer. */
  generated: Timestamp
  /** How far back it goes. The last cell is the present one. */
  window: TrendWindow
  /** How long each cell is. */
  cell_seconds: number
  /** The oldest first. A cell in which nothing was counted is left out. */
  cells: TrendCell[]
  /** Healthy samples divided by all, over the window; null without samples. Not an SLA. */
  availability: number | null
  /** The newest first, and no more than the newest. Closed ones are kept for 30 days. */
  incidents: TrendIncident[]
  /** The maintenance windows of the monitor as it is configured now, the earliest first; null for the fleet, and where there are too many to list. */
  maintenance: TrendMaintenance[] | null
  /** Whether the whole window was counted, without a gap. */
  complete: boolean
}

/** What was counted in a stretch of time. */
export interface TrendCell {
  /** When the cell begins. */
  at: Timestamp
  /** Checks that said something about their target. */
  samples: number
  /** Those of them that succeeded. */
  healthy: number
  /** Half of the healthy samples took no longer, within 19 %; null without any. */
  p50_ms: number | null
  /** 95 % of the healthy samples took no longer, within 19 %; null without any. */
  p95_ms: number | null
}

/** An incident that was open in the window. */
export interface TrendIncident {
  /** When it was opened, which may be before the window. */
  opened_at: Timestamp
  /** When it was closed; null while it is open. */
  closed_at: Timestamp | null
}

/** A maintenance window of the monitor. */
export interface TrendMaintenance {
  /** When it begins, or when the window of the trend does. */
  begins_at: Timestamp
  /** When it ends, which may be later than now. */
  ends_at: Timestamp
}

/** How far back a trend goes. */
export type TrendWindow = '1h' | '6h' | '24h' | '7d' | '30d' | '90d'

/** A recovery action was accepted; healthy checks are being counted. */
export interface Verification {
  /** Healthy checks so far. */
  healthy: number
  /** How many it takes. */
  needed: number
}

/** Why a queued action has not started. */
export type WaitReason = 'cooldown' | 'budget' | 'target_busy' | 'held' | 'ancestor' | 'maintenance' | 'pacing' | 'ailing_destination' | 'retry' | 'paged_recently' | 'room'
