// Made by `npm run generate` from packages/contract/src/v2. Do not edit.

/** A recovery or a notification on its way. */
export interface Action {
  /** The action. */
  id: string
  /** Its monitor. */
  monitorID?: string
  /** The uid of the incarnation of the monitor that it was made for. */
  incarnationUID?: string
  /** Its incident. */
  incidentID?: string
  /** A started action is never started again. */
  state: ActionState
  /** An intervention is a recovery, a code is a notification. */
  kind?: ActionKind
  /** Its execution. */
  executionID?: string
  /** Fences its execution. */
  executionRevision?: string
  /** There from the start; the value for If-Match of review. */
  reviewRevision?: string
  /** Whether it holds back further recovery of its monitor. */
  held?: boolean
  /** When it was queued. */
  createdAt?: string
  /** When it changed last. */
  updatedAt?: string
  /** Why it ended as it did, in words and without secrets. */
  reason?: string
  /** How it ended: accepted, rejected, timed_out, interrupted, superseded, snoozed, … */
  outcome?: string
  because?: Because
  delay?: Because
  endedBecause?: Because
  /** The receipt of its result. */
  receiptID?: string
  review?: ActionReview
}

/** A recovery or a notification. */
export type ActionKind = 'intervention' | 'code'

/** A page of Action rows, read at one committed position. */
export interface ActionList {
  items: Action[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What a person found out about an unknown action. */
export interface ActionReview {
  /** The reviewRevision that this review made. */
  revision?: string
  /** Accepted and rejected end the hold, inconclusive keeps it. */
  resolution?: ReviewResolution
  /** Who reviewed it; from the credential. */
  actor?: string
  /** When. */
  reviewedAt?: string
  /** Why. */
  reason?: string
  /** A note. */
  note?: string
  /** References to evidence; never fetched. */
  evidenceRefs?: string[]
  /** Late evidence that contradicts the resolution, in words. It restores the hold. */
  conflict?: string
}

/** The state of an action. */
export type ActionState = 'queued' | 'started' | 'succeeded' | 'failed' | 'unknown' | 'cancelled'

/** A component that it is about. */
export interface AffectedComponent {
  /** A component of the page. */
  id: string
  /** What the page says of it until it is resolved, whatever its monitors say. Needed for an incident; maintenance has none. */
  state?: WrittenState
}

/** Who is notified when a monitor takes on a color. */
export interface AlertRule {
  /** Whether notifications are sent; true unless given. */
  dispatch?: boolean
  /** Single endpoints. */
  endpointRefs?: string[]
  /** Groups of endpoints. A destination that is named twice is notified once. */
  groupRefs?: string[]
}

/** One resource of a collection. */
export interface ApplyItem {
  /** The item within its collection. */
  id: string
  /** The digest of this resource. One that begins with sha256: is checked: over its JSON with sorted keys and no spaces. */
  contentDigest: string
  /** Where it comes from, such as a file and a line. */
  source: string
  resource: Resource
}

/** What became of one item. */
export interface ApplyResult {
  /** The item. */
  id: string
  /** What became of it. */
  outcome: ItemOutcome
  /** The resourceVersion before. */
  oldVersion?: string
  /** The resourceVersion after. */
  newVersion?: string
  /** Why, in words. Of an item that is not valid: its source, a JSON pointer and a sentence. */
  message?: string
  /** Whether it is durable. */
  committed?: boolean
  /** Whether the controller runs it. */
  applied?: boolean
}

/** An offer. It becomes work only when start grants it. */
export interface Assignment {
  /** The execution. */
  executionID: string
  /** Fences this execution. */
  executionRevision: string
  /** Reserves the offer until it is started, for at most 5 seconds. */
  leaseID: string
  /** The store of the service that answered: the same after a restart, another for another service. */
  serverID: string
  /** The monitor that it is for. */
  monitorID: string
  /** The incarnation of that monitor. */
  incarnationUID: string
  /** The job type. */
  jobTypeID: string
  /** Whether it is a check, a recovery or a notification. */
  kind: JobKind
  /** The version of the job type. */
  jobTypeVersion: string
  /** What the job gets; fits the parameterSchema of the job type. */
  parameters: unknown
  /** The name of a secret that the worker keeps itself, from credentialRefs.profile of the driver; empty without one. */
  credentialProfile: string
  /** When it must have ended. */
  deadline: string
}

/** Offers to a worker. */
export interface Assignments {
  /** The store of the service that answered: the same after a restart, another for another service. */
  serverID: string
  items: Assignment[]
}

/** Who is told about a monitor, by color. A color is absent when nobody is told of it. */
export interface Audience {
  /** Told of red. */
  red?: AudienceMember[]
  /** Told of yellow. */
  yellow?: AudienceMember[]
  /** Told of green. */
  green?: AudienceMember[]
  /** Told of cyan. */
  cyan?: AudienceMember[]
  /** Told of gray. */
  gray?: AudienceMember[]
  /** The escalation policy that pages people when an incident opens; absent if there is none. */
  policy?: string
}

/** A destination of notifications, and why it is told. */
export interface AudienceMember {
  /** The endpoint that is told. */
  destination: string
  /** Every rule that names it. It is told once, however many do. */
  namedBy: AudienceRule[]
}

/** A rule that names a destination. */
export interface AudienceRule {
  /** own: spec.notifications names it. default: defaults.notify of the fleet files does. route: a route that matches does. */
  kind: AudienceRuleKind
  /** The route: its id, or its place in the fleet files as routes.0. */
  name?: string
  /** The group that the destination belongs to; absent when it is named itself. */
  group?: string
}

/** What names a destination. */
export type AudienceRuleKind = 'own' | 'default' | 'route'

/** A small picture for other pages. Deleting it revokes its key. */
export interface Badge {
  apiVersion: 'pulseward/v2'
  kind: 'Badge'
  metadata: Metadata
  /** What it shows of what, and the digest of the key. */
  spec: {
    /** A component of a status page, as PAGE/COMPONENT. */
    componentRef?: string
    /** A monitor, in place of a component. */
    monitorRef?: string
    /** What it says. */
    shows: BadgeFigure
    /** Its left half; what it shows unless given. */
    label?: string
    /** The SHA-256 of the key, in hexadecimal. The picture is at /badge/KEY.svg; make the key of 18 or more random bytes, as base64url. */
    keyDigest: string
  }
  status?: ResourceStatus
}

/** What a badge says. */
export type BadgeFigure = 'status' | 'uptime-24h' | 'uptime-7d' | 'uptime-30d' | 'uptime-90d' | 'latency'

/** A page of Badge rows, read at one committed position. */
export interface BadgeList {
  items: Badge[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

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
  failureClass?: string
  /** How long ago the first failure was then. */
  failingMs?: number
  /** The external worker that carried out that check; absent if the service itself did. */
  from?: string
  /** ancestor: the monitor in trouble that it depends on. */
  ancestor?: string
  /** warning: what the check warned of. */
  text?: string
  /** maintenance, quiet_hours, and a snooze of control: when it ends. snooze_expired: when it ended. In a delay: when the action may start. */
  until?: string
  /** maintenance, maintenance_ended: the name of the window, if it has one. */
  name?: string
  /** reminder: how often red is repeated. */
  everyMs?: number
  /** reminder, cooldown: how long ago the last one was. digest: how long the oldest incident has not been reported. */
  sinceMs?: number
  /** control: what was asked for. */
  verb?: string
  /** control: who asked. */
  actor?: string
  /** dismissed: the incident that is silent. */
  incidentID?: string
  /** recovery_accepted, recovery_failed: the recovery action. threshold, withheld, verification_failed: the last recovery action of the episode, if there was one. owed_green: the green that was withdrawn unsent. retry: the attempt before. */
  actionID?: string
  /** recovery_failed: rejected or unknown. */
  outcome?: string
  /** configuration_changed: check, recovery or destination. */
  what?: string
  /** superseded: the newer color. */
  color?: string
  /** digest: how many incidents were not reported then. */
  incidents?: number
  /** cooldown: how long it is. */
  cooldownMs?: number
  /** retry, paged_recently: how long it waits by itself. digest: how long unreported incidents wait for one. */
  waitMs?: number
  /** retry: the provider named the wait. */
  asked?: boolean
  /** answer: rejected, retry, not_sent, gone or lost. */
  answer?: string
  /** not_taken: how many in a row the destination did not take. */
  inARow?: number
  /** own_fault: timeouts and local errors in the last seconds. */
  suspicious?: number
  /** own_fault: all results in the same time. */
  results?: number
  /** own_fault: checks of our own that failed. */
  canaries?: string[]
  /** own_fault_ended: results that were excused. */
  excused?: number
  /** stalled, clock_jumped, own_fault_ended: for how long. */
  lastedMs?: number
  /** given_up: after how long. */
  afterMs?: number
  /** restored: when the backup was made. */
  backupAt?: string
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
  /** handover: the schedule by which somebody else is on call. */
  schedule?: string
  /** push_overdue: how long ago the signal was due. */
  lateMs?: number
  /** push_silent: the grace that passed. */
  graceMs?: number
  /** push_silent: how long ago the last signal came; absent if there was none. */
  silentMs?: number
  /** push_not_ended: how long a run may take. */
  limitMs?: number
  /** push_not_ended: how long ago the run started. */
  openMs?: number
}

/** What decided something. */
export type BecauseKind = 'first_failure' | 'threshold' | 'withheld' | 'still_failing' | 'verification_failed' | 'recovery_failed' | 'recovery_accepted' | 'recovery_threshold' | 'verified' | 'warning' | 'warning_ended' | 'ancestor' | 'maintenance' | 'maintenance_ended' | 'reminder' | 'control' | 'snooze_expired' | 'dismissed' | 'disabled' | 'removed' | 'configuration_changed' | 'superseded' | 'new_episode' | 'owed_green' | 'digest' | 'nothing_untold' | 'cooldown' | 'retry' | 'own_fault' | 'stalled' | 'clock_jumped' | 'own_fault_ended' | 'answer' | 'interrupted' | 'taken' | 'not_taken' | 'destination_dead' | 'given_up' | 'restored' | 'policy_step' | 'next_endpoint' | 'nobody_on_call' | 'quiet_hours' | 'handover' | 'paged_recently' | 'page_ended' | 'page_paused' | 'page_restarted' | 'push_overdue' | 'push_silent' | 'push_not_ended' | 'push_unreachable'

/** One control of many monitors, named by a selector or by their ids. */
export interface BulkControl {
  /** Acknowledge, dismiss and reopen mean the open incidents of the monitors, all others the monitors. */
  verb: ControlVerb
  /** Clauses over the labels of monitors, as for a list. */
  selector?: string
  /** Monitors by id. */
  ids?: string[]
  /** Why: at most 4,096 bytes. Required by dismiss, snooze, recover and review. */
  reason?: string
  /** At most 4,096 bytes. */
  note?: string
  /** For a snooze: longer than 0s, at most 720h. */
  duration?: string
}

/** An iCalendar feed of a schedule. Deleting it revokes its key. */
export interface Calendar {
  apiVersion: 'pulseward/v2'
  kind: 'Calendar'
  metadata: Metadata
  /** Whose shifts, and the digest of the key. */
  spec: {
    /** Whose shifts it has. */
    scheduleRef: string
    /** Only shifts of this person; of all people unless given. */
    personRef?: string
    /** The SHA-256 of the key, in hexadecimal. The feed is at /calendar/KEY.ics; make the key of 32 random bytes, as base64url. */
    keyDigest: string
  }
  status?: ResourceStatus
}

/** A page of Calendar rows, read at one committed position. */
export interface CalendarList {
  items: Calendar[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What this service can do. */
export interface Capabilities {
  /** Versions of the API that it serves. */
  apiVersions: string[]
  /** Drivers by kind: check, recovery, notification. */
  drivers: Record<string, string[]>
  /** Kinds of resources that it serves. */
  resources: string[]
  /** Media types of patches. */
  patchTypes: string[]
}

/** What a check came to. */
export type CheckOutcome = 'success' | 'failure' | 'timeout' | 'no_data' | 'own_fault'

/** How and how often the target is checked. */
export interface CheckSpec {
  driver: DriverConfig
  /** Time between two checks, at least 1s; required, except for a push check, which has none. */
  interval?: string
  /** Time that a check may take, at most the interval; required, except for a push check. */
  timeout?: string
  /** Failures in a row before action is taken. */
  unhealthyThreshold?: number
  /** Successes in a row that count as recovered. */
  healthyThreshold?: number
  /** Further tries within the same check and timeout. */
  retries?: number
  /** Where it is checked: locations of probes, and local, which is the service itself and the default. Not for a push check or a job type. */
  locations?: string[]
  /** At how many of its locations a check has to fail to count as failed: any, majority, all, or a number; majority unless given. Only with more than one location. */
  failsWhen?: FailsWhen | number
}

/** What one run of a check saw. */
export interface CheckTrial {
  /** As of a check of a monitor; noData: nothing can be said. */
  outcome: CheckTrialOutcome
  /** How long it took. */
  latencyMs: number
  /** Its steps, in the order in which they ended. */
  phases: TrialPhase[]
  /** Why it is not a success. */
  reason?: string
  /** What a success warns of. */
  warning?: string
  /** What it saw, in the order in which it saw it. */
  observations: Observation[]
}

/** The outcome of a check that was tried. */
export type CheckTrialOutcome = 'success' | 'failure' | 'timeout' | 'noData'

/** A check to run once. */
export interface CheckTrialRequest {
  driver: DriverConfig
  /** Time that the check may take, at most 300s; 10s unless given. */
  timeout?: string
}

/** A collection that will be uploaded, validated and activated. */
export interface CollectionOperation {
  /** The digest of the whole collection. One that begins with sha256: is checked: over a line for each item in the order of upload, with its id, a space and its digest. */
  contentDigest: string
  /** How many items it has. */
  itemCount: number
}

/** The color of a notification, the most important first. */
export type Color = 'red' | 'yellow' | 'cyan' | 'green' | 'gray'

/** What comes next, unless something else happens before. */
export interface ComingChange {
  /** When; absent if no time is set. */
  at?: string
  /** What, as one sentence. */
  text: string
}

/** A control of many monitors. It begins validated: what it applies to, and in which revision, is frozen at one position. Activation applies it. */
export interface ControlOperation {
  control: BulkControl
}

/** A control. Which fields apply, and which are required, depends on the control. */
export interface ControlRequest {
  /** Equal to If-Match without its quotes. */
  revision: string
  /** Why: at most 4,096 bytes. Required by dismiss, snooze, recover and review. */
  reason?: string
  /** At most 4,096 bytes. */
  note?: string
  /** For a snooze: longer than 0s, at most 720h. */
  duration?: string
  /** The incident that a recover is for. */
  incidentID?: string
  /** References to evidence of a review; never fetched. */
  evidenceRefs?: string[]
  /** What a review found out. */
  resolution?: ReviewResolution
}

/** What a control of many monitors does. */
export type ControlVerb = 'acknowledge' | 'dismiss' | 'reopen' | 'snooze' | 'unsnooze' | 'enable' | 'disable' | 'recover'

/** A secret by name, write-only. */
export interface Credential {
  apiVersion: 'pulseward/v2'
  kind: 'Credential'
  metadata: Metadata
  spec: CredentialSpec
  status?: CredentialStatus
}

/** A page of Credential rows, read at one committed position. */
export interface CredentialList {
  items: Credential[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** A secret. Without a value, an update keeps the old one. */
export interface CredentialSpec {
  /** The secret itself. Never part of an answer; placeholders such as [REDACTED] are refused. */
  value?: string
  /** What it is for. */
  description?: string
}

/** What may be shown of a credential. */
export interface CredentialStatus {
  /** The generation that the service runs. */
  observedGeneration?: number
  /** Whether a value is stored and can be decrypted. */
  available?: boolean
  /** What refers to it, each as kind and id: monitor/checkout-api. The first 100. */
  references?: string[]
  /** Changes with every change of the value. */
  version?: string
}

/** Why it is so: from what is recorded and what is in force, never from a guess. */
export interface DecisionExplanation {
  kind: ExplainedKind
  /** Its id. */
  id: string
  /** The moment that it is explained for. */
  at: string
  /** The answer, as one sentence. */
  summary: string
  /** The monitor; absent for a message that is not about a single one. */
  monitorID?: string
  /** The incident: the one explained, the open one, or that of the action. */
  incidentID?: string
  /** The rules in their order. */
  rules: ExplainedRule[]
  /** What comes next, the soonest first. */
  next: ComingChange[]
}

/** A driver and its options. */
export interface DriverConfig {
  /** The driver, such as http or slack. */
  type: string
  /** The driver's own options, in snake_case, as a fleet file has them under config. To readers, secret parts of URLs and headers are [REDACTED]. */
  config: unknown
  /** Fields of config, nested ones as a dotted path such as auth.bearer, each with the credential that its value comes from. Any text may be given this way; a secret must be. Of an external driver, profile is the name that its workers know a secret by. */
  credentialRefs?: Record<string, string>
}

/** What a policy tells people of one or more incidents, from its first step to their end. */
export interface EscalationPage {
  /** The page. */
  id: string
  /** Its policy, in the form that it had when the page started. */
  policyRef: string
  /** running: a step is due at nextStepAt. spent: the last step was told. acknowledged: a person takes care of all of its incidents. paused: all of its monitors are snoozed, in maintenance or suppressed. */
  state: EscalationState
  /** Of the worst of its monitors. */
  severity: Severity
  /** When it opened. */
  openedAt: string
  /** The round that the next step belongs to, from one. */
  round: number
  /** How many rounds there are. */
  rounds: number
  /** The next step, from one; of a page that is not running, the one that would come. */
  step: number
  /** How many steps a round has. */
  steps: number
  /** When the next step fires; absent if none is due. */
  nextStepAt?: string
  /** After a restart or a gap, a step fires only when a check has failed again. */
  waitsForCheck: boolean
  /** Who takes care of it. */
  acknowledgedBy?: string
  /** When it starts again although it was acknowledged. */
  restartsAt?: string
  /** The worst of its monitors. */
  leadMonitorID: string
  /** How many of its incidents are open. */
  incidents: number
  /** Recipients that were told, or may have been. */
  told: ToldRecipient[]
  /** People who are told when their quiet hours end. */
  held: HeldRecipient[]
}

/** Where a page of a policy stands. */
export type EscalationState = 'running' | 'spent' | 'acknowledged' | 'paused'

/** Something that happened. */
export interface Event {
  /** The event; ids are in order. */
  id: string
  /** Its monitor; absent for events of the service itself and of other resources. */
  monitorID?: string
  /** What happened, in the words of v1 and those for resources. */
  kind: EventKind
  /** The destination that it is about. */
  endpoint?: string
  resource?: EventResource
  /** What a write changed: at most 64 fields and 8192 bytes, never a secret. */
  changes?: FieldChange[]
  /** When it was committed. */
  time: string
  /** The name of the principal that caused it; absent when the service did. */
  actor?: string
  /** Why, in words. */
  reason?: string
  because?: Because
  /** A note of the actor. */
  note?: string
  /** The action that it is about. */
  actionID?: string
  /** The incident that it is about. */
  incidentID?: string
  /** The color of the notification that it is about. */
  color?: Color
  /** How the action or the incident ended. */
  outcome?: string
}

/** The type of an event. */
export type EventKind = 'incident_opened' | 'incident_closed' | 'action_queued' | 'action_started' | 'action_succeeded' | 'action_failed' | 'action_unknown' | 'action_cancelled' | 'incident_suppressed' | 'destination_dead' | 'destination_ailing' | 'destination_recovered' | 'digest_sent' | 'digest_dropped' | 'incident_reported' | 'own_fault' | 'push_late' | 'push_missed' | 'push_not_ended' | 'push_unknown' | 'push_log' | 'escalation' | 'control_recover_requested' | 'control_acknowledged' | 'control_dismissed' | 'control_reopened' | 'control_noted' | 'control_snoozed' | 'control_unsnoozed' | 'snooze_expired' | 'action_reviewed' | 'late_evidence' | 'resource_created' | 'resource_updated' | 'resource_deleted'

/** A page of Event rows, read at one committed position. */
export interface EventList {
  items: Event[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** The resource that an event is about. */
export interface EventResource {
  /** Its kind. */
  kind: ResourceKind
  /** Its id. */
  id: string
  /** The incarnation that was created, changed or deleted. */
  uid?: string
}

/** What is explained. */
export type ExplainedKind = 'Monitor' | 'Incident' | 'Action'

/** A rule, and what it came to. */
export interface ExplainedRule {
  /** Which rule, in the order in which they are applied. */
  rule: ExplainedRuleName
  /** decided: things are as they are because of it. passed: it stood in the way of nothing. not_applicable: it was not asked. */
  verdict: RuleVerdict
  /** What was compared, as one sentence. */
  text: string
  because?: Because
}

/** A rule of an explanation. */
export type ExplainedRuleName = 'enabled' | 'snooze' | 'maintenance' | 'dependency' | 'own_fault' | 'locations' | 'threshold' | 'recovery' | 'acknowledgement' | 'policy' | 'routes' | 'cooldown' | 'quiet_hours' | 'pacing' | 'destination' | 'delivery'

/** A kind of resource or a driver, explained. */
export interface Explanation {
  /** What is explained. */
  resource: string
  /** What it is, in words. */
  description: string
  /** Its JSON Schema. */
  schema: unknown
}

/** At how many of its locations a check has to fail. */
export type FailsWhen = 'any' | 'majority' | 'all'

/** How a write changed one field. */
export interface FieldChange {
  /** A JSON pointer into the resource; empty in a last entry that counts what had no room. */
  field: string
  /** The value before: text as it is, anything else as JSON, cut if it is long; absent when there was none. */
  before?: string
  /** The value after: text as it is, anything else as JSON, cut if it is long; absent when there is none. */
  after?: string
}

/** What is wrong with one field. */
export interface FieldError {
  /** A JSON pointer into the body, such as /spec/check/interval, or the name of a parameter or a header. Empty for the whole body. */
  field: string
  /** A stable word for it, such as required, unknownField or duplicateKey. */
  reason?: string
  /** What is wrong and what to do, to follow the field. Shows names, times and durations; never options of drivers or values of credentials. */
  message: string
}

/** Readiness or liveness of the service, not of its targets. */
export interface Health {
  /** Whether it is ready, or alive. */
  available: boolean
  /** Why it is not. */
  reason?: string
  /** When this was read. */
  generatedAt?: string
}

/** The health of a monitor. */
export type HealthState = 'unknown' | 'healthy' | 'warning' | 'unhealthy'

/** A worker is still running a job. */
export interface HeartbeatRequest {
  /** The worker. */
  workerID: string
  /** The execution. */
  executionID: string
  /** The grant that start gave; empty when it gave none. */
  grantID: string
}

/** Whether it still has its grant. */
export interface HeartbeatResponse {
  /** The store of the service that answered: the same after a restart, another for another service. */
  serverID: string
  /** False: stop. The deadline is not extended either way. */
  accepted: boolean
}

/** A person who is told when their quiet hours end. */
export interface HeldRecipient {
  /** The person. */
  personRef: string
  /** When their quiet hours end. */
  until: string
}

/** The resource must not exist yet. */
export type IfNoneMatch = '*'

/** A time in which a monitor was unhealthy. */
export interface Incident {
  /** The incident; the same id as in v1. */
  id: string
  /** Its monitor. */
  monitorID: string
  /** The value for If-Match of acknowledge, dismiss and reopen. */
  revision: string
  /** Open until healthy checks, or the end of its monitor, closed it. Closed ones are listed for 30 days. */
  state: IncidentState
  /** When it opened. */
  openedAt?: string
  /** When it closed; absent while it is open. */
  closedAt?: string
  /** Who looks into it: the name of the principal. */
  acknowledgedBy?: string
  /** Since when. */
  acknowledgedAt?: string
  /** Whether its notifications are stopped. */
  dismissed?: boolean
  /** Why it was dismissed, or the failed check that opened it, in words. */
  reason?: string
  because?: Because
  escalation?: EscalationPage
}

/** A page of Incident rows, read at one committed position. */
export interface IncidentList {
  items: Incident[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** How far a written incident has come. */
export type IncidentPhase = 'investigating' | 'identified' | 'monitoring' | 'resolved'

/** Whether an incident is open. */
export type IncidentState = 'open' | 'closed'

/** What became of an item of an operation. */
export type ItemOutcome = 'created' | 'updated' | 'unchanged' | 'conflict' | 'dependencyBlocked' | 'failed' | 'notAttempted'

/** The kind of a job. */
export type JobKind = 'check' | 'recovery' | 'notification'

/** Work that external workers take on. */
export interface JobType {
  apiVersion: 'pulseward/v2'
  kind: 'JobType'
  metadata: Metadata
  spec: JobTypeSpec
  status?: ResourceStatus
}

/** A page of JobType rows, read at one committed position. */
export interface JobTypeList {
  items: JobType[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What a worker must be able to do. */
export interface JobTypeSpec {
  /** The version of this job type; immutable once written. */
  version: string
  /** Whether it is a check, a recovery or a notification. */
  kind: JobKind
  /** The handler in the worker. */
  handler: string
  /** The version of the worker protocol. */
  protocolVersion: string
  /** What a job gets. A JSON Schema (subset of 2020-12) of at most 64 KiB without remote references. */
  parameterSchema: Record<string, unknown> | boolean
  /** What a job gives. A JSON Schema (subset of 2020-12) of at most 64 KiB without remote references. */
  resultSchema: Record<string, unknown> | boolean
  /** Time that a job may take, at most 24h. */
  timeout?: string
  /** Codes that a worker may reject a job with. */
  rejectionCodes?: string[]
}

/** Who gets the message if a whole round reaches no recipient. */
export interface LastResort {
  /** Single endpoints. */
  endpointRefs?: string[]
  /** Groups of endpoints. */
  groupRefs?: string[]
}

/** What became known after the end. It is appended and never rewrites a finished outcome. A job may have 64 pieces of it, 4 MiB in all. */
export interface LateEvidenceRequest {
  /** The execution. */
  executionID: string
  /** Tells one piece of evidence from another. */
  evidenceID: string
  /** The receipt that it belongs to. */
  originalReceiptID: string
  /** At most 64 entries of 4 KiB. */
  evidence?: string[]
  /** What people may want to read: at most 64 KiB. */
  diagnostic?: string
  /** The result, at most 256 KiB of JSON; fits the resultSchema of the job type. */
  data?: unknown
}

/** What kind of picture a logo is. */
export type LogoType = 'image/png' | 'image/svg+xml'

/** A time in which no incident opens and no recovery runs: either cron and duration, or start and end. */
export interface MaintenanceWindow {
  /** What people call it, named when it begins and ends. */
  name?: string
  /** When the window begins. */
  start?: string
  /** When it ends. */
  end?: string
  /** When a window begins, as a cron expression. */
  cron?: string
  /** How long each window lasts. */
  duration?: string
  /** A time zone such as Europe/Berlin; UTC unless given. */
  timezone?: string
}

/** Who writes a resource. */
export type Manager = 'api' | 'file'

/** A value, or the reason why there is none. */
export interface Measurement {
  /** Whether there is a value. */
  available: boolean
  /** The value; absent when it is not available. */
  value?: number
  /** Why it is not available. */
  reason?: string
}

/** A JSON merge patch (RFC 7396) of a resource: null removes, arrays replace. */
export type MergePatch = Record<string, unknown>

/** Who a resource is, and which version of it this is. */
export interface Metadata {
  /** The stable identity: at most 128 letters, digits and . _ : -. One that begins with name: is accepted only if the rest is the SHA-256 of the name. */
  id: string
  /** New for every incarnation. Set by the service, ignored in a write. */
  uid?: string
  /** What people call it: at most 256 characters, no control characters. */
  name?: string
  /** Changes with every edit of spec or metadata, never with a check. The value for If-Match. Ignored in a single write; compared with the current one in an item of an operation. */
  resourceVersion?: string
  /** Increases with every change of the spec, never with name or labels. Ignored in a write. */
  generation?: number
  /** Names and values that selectors match. */
  labels?: Record<string, string>
  /** Who writes it: this API, or a fleet file, whose resources are read-only here. A write may repeat the current value; any other is refused. */
  managedBy?: Manager
}

/** All observations of the controller at one moment. */
export interface Metrics {
  /** When this was read. */
  generatedAt: string
  /** Its queues. */
  queues?: Queue[]
  /** Its pools. */
  pools?: Pool[]
  /** Its stages. */
  systems?: System[]
  slo?: SLOView
}

/** One thing to watch. */
export interface Monitor {
  apiVersion: 'pulseward/v2'
  kind: 'Monitor'
  metadata: Metadata
  spec: MonitorSpec
  status?: MonitorStatus
}

/** A page of Monitor rows, read at one committed position. */
export interface MonitorList {
  items: Monitor[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What is wanted of a monitor. Shown as it was written, without defaults. */
export interface MonitorSpec {
  /** A disabled monitor is not checked; true unless given. */
  enabled?: boolean
  check: CheckSpec
  recovery?: RecoverySpec
  /** Rules by color. Red: failed. Yellow: warning. Green: recovered. Cyan: recovery accepted. Gray: maintenance. */
  notifications?: {
    red?: AlertRule
    yellow?: AlertRule
    green?: AlertRule
    cyan?: AlertRule
    gray?: AlertRule
  }
  /** Times of maintenance. */
  maintenance?: MaintenanceWindow[]
  /** Words to find it by. */
  tags?: string[]
  /** Monitors that this one depends on. */
  dependsOn?: string[]
  /** The escalation policy that tells people of its incidents; unless given, that of the first route that matches and names one. */
  policyRef?: string
  /** How bad its red is; critical unless given. */
  severity?: Severity
  /** How often red is sent again while an incident is open, not acknowledged and not dismissed; never unless given. */
  repeat?: string
}

/** What is known of a monitor. */
export interface MonitorStatus {
  /** The generation that the service runs. */
  observedGeneration?: number
  /** There from the start; changes with a snooze, its end, unsnooze and recover. The value for If-Match of these. */
  controlRevision?: string
  /** Changes with every change of health. */
  statusRevision?: string
  /** Fences the executions of this monitor. */
  executionRevision?: string
  /** Up is healthy; degraded is warning; down, incident and verifying are unhealthy; unknown, disabled and snoozed are unknown. */
  health?: HealthState
  /** When the last check ended. */
  lastCheckedAt?: string
  lastCheckLatencyMs?: Measurement
  /** When the snooze ends; absent when there is none. */
  snoozedUntil?: string
  /** The open incident; absent when there is none. */
  incidentID?: string
  /** Actions whose outcome is not known and not reviewed. */
  unknownActions?: number
  audience?: Audience
  push?: PushStatus
  /** What each location said last; absent if the service itself is the only one. */
  locations?: {
    /** The location; local is the service itself. */
    location: string
    /** When it was last heard of; absent if not since the service started. */
    lastCheckedAt?: string
    /** What its check came to; own_fault and no_data say nothing about the target. */
    outcome?: CheckOutcome
    /** How long it took; absent if nothing was measured. */
    latencyMs?: number
    /** Why it failed, warned or could not check. */
    reason?: string
  }[]
}

/** What people add to the record of an incident. */
export interface NoteRequest {
  /** The note: not blank, at most 4,096 bytes. It is text, not markup. */
  text: string
}

/** One destination of notifications. */
export interface NotificationEndpoint {
  apiVersion: 'pulseward/v2'
  kind: 'NotificationEndpoint'
  metadata: Metadata
  spec: DriverConfig
  status?: ResourceStatus
}

/** A page of NotificationEndpoint rows, read at one committed position. */
export interface NotificationEndpointList {
  items: NotificationEndpoint[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** Endpoints notified together. */
export interface NotificationGroup {
  apiVersion: 'pulseward/v2'
  kind: 'NotificationGroup'
  metadata: Metadata
  spec: NotificationGroupSpec
  status?: ResourceStatus
}

/** A page of NotificationGroup rows, read at one committed position. */
export interface NotificationGroupList {
  items: NotificationGroup[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** Endpoints notified together. */
export interface NotificationGroupSpec {
  /** Its endpoints. */
  endpointRefs: string[]
}

/** What became of a test message. */
export interface NotificationTrial {
  /** notReached: there was no connection; unknown: it may have been delivered. */
  outcome: NotificationTrialOutcome
  /** Why it was not delivered, or what the provider noted. */
  reason?: string
}

/** What became of a test message. */
export type NotificationTrialOutcome = 'delivered' | 'rejected' | 'notReached' | 'unknown'

/** What a check saw: a fact, or one of its assertions. */
export interface Observation {
  /** What it is about, such as status or certificate issuer. */
  name: string
  /** What was there. Secrets are [redacted], and long texts are cut. */
  seen: string
  /** What it had to be; absent for a fact. */
  expected?: string
  /** Whether it was as expected; absent for a fact. */
  met?: boolean
}

/** A schedule by which this person is on call now. */
export interface OnCallDuty {
  /** The schedule. */
  scheduleRef: string
  /** When another person takes over, or a gap begins; absent if that is far away. */
  until?: string
}

/** Part of a day on some weekdays. */
export interface OnCallHours {
  /** Weekdays on which the hours begin. */
  days: Weekday[]
  /** When the hours begin, such as 09:00. */
  from: string
  /** When they end, on the next day if that is not after the beginning; 24:00 is the end of the day. */
  to: string
}

/** Who is on call by a schedule. */
export interface OnCallNow {
  /** Who is on call; absent in a gap. */
  personRef?: string
  /** What people call them. */
  name?: string
  /** When another person takes over, or a gap begins; absent if that is far away. */
  until?: string
  /** Who is on call then; absent in a gap. */
  nextPersonRef?: string
  /** What people call them. */
  nextName?: string
}

/** A write and what became of it. */
export interface Operation {
  /** The operation. */
  id: string
  /** How far it is. */
  state: OperationState
  /** The principal that began it. */
  actor?: string
  /** What a control of many monitors does; a collection has none. */
  verb?: ControlVerb
  /** When it was begun. */
  createdAt?: string
  /** The last call or progress; the end of one that has ended. */
  updatedAt?: string
  /** The digest of the whole collection. */
  contentDigest?: string
  /** How many items it has. */
  itemCount?: number
  /** How many of them are staged. */
  uploaded?: number
  /** Whether the whole collection was found valid. */
  validated?: boolean
  /** How many changes are durable. */
  committed?: number
  /** How many changes the controller runs. */
  applied?: number
  /** A page of outcomes. Of a rejected operation the items that failed, at most 1000 in all. */
  items?: ApplyResult[]
  /** Asks for the next page of outcomes. */
  nextCursor?: string
  /** When to ask again, while it runs. */
  retryAfterSeconds?: number
  /** Why it ended as it did, in words. Of a rejected operation, how many items failed. */
  reason?: string
}

/** What an operation is opened for: a collection, or a control of many monitors. */
export type OperationCreateRequest = CollectionOperation | ControlOperation

/** A page of Operation rows, read at one committed position. */
export interface OperationList {
  items: Operation[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** The state of an operation. */
export type OperationState = 'staging' | 'validating' | 'validated' | 'rejected' | 'applying' | 'completed' | 'partial' | 'failed' | 'cancelled' | 'expired'

/** How a job ended. The same outcome again gets the same receipt. */
export interface Outcome {
  /** The execution. */
  executionID: string
  /** The grant that start gave; empty when it gave none. */
  grantID: string
  /** Whether it is a check, a recovery or a notification. */
  kind: JobKind
  /** Check: success, failure, noData. Recovery: accepted, completed, rejected, unknown. Notification: accepted, delivered, rejected, unknown. */
  status: OutcomeStatus
  /** At most 64 entries of 4 KiB. */
  evidence?: string[]
  /** What people may want to read: at most 64 KiB. */
  diagnostic?: string
  /** The result, at most 256 KiB of JSON; fits the resultSchema of the job type. */
  data?: unknown
  /** Whether the diagnostic was cut. */
  diagnosticTruncated?: boolean
  /** Why it was rejected: a code of the job type. */
  rejectionCode?: string
}

/** How a job ended. */
export type OutcomeStatus = 'success' | 'failure' | 'noData' | 'accepted' | 'completed' | 'delivered' | 'rejected' | 'unknown'

/** Percentiles of a duration, in milliseconds. */
export interface Percentiles {
  /** Whether there were enough samples. */
  available: boolean
  /** Half of the samples took at most this long. */
  p50Ms?: number
  /** 95 % of the samples took at most this long. */
  p95Ms?: number
  /** 99 % of the samples took at most this long. */
  p99Ms?: number
}

/** A person who can be on call. */
export interface Person {
  apiVersion: 'pulseward/v2'
  kind: 'Person'
  metadata: Metadata
  /** Where they are told. */
  spec: {
    /** Of their quiet hours: a time zone such as Europe/Berlin. */
    timezone?: string
    /** Where they are told: the first is tried first, the next if it fails. */
    endpointRefs: string[]
  }
  status?: PersonStatus
}

/** A page of Person rows, read at one committed position. */
export interface PersonList {
  items: Person[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What is known of a person. */
export interface PersonStatus {
  /** The generation that the service runs. */
  observedGeneration?: number
  /** The schedules by which they are on call now. */
  onCall?: OnCallDuty[]
}

/** A queue with its pool. */
export type Pipeline = 'pulse' | 'intervention' | 'code'

/** From when to when. */
export interface PlannedTime {
  /** When it begins. */
  from: string
  /** When it ends. To end it early, change this. */
  until: string
}

/** What happens from the opening of an incident until a person takes care of it. */
export interface Policy {
  apiVersion: 'pulseward/v2'
  kind: 'Policy'
  metadata: Metadata
  /** Who is told, one step after the other. */
  spec: {
    /** Who is told, one step after the other. */
    steps: PolicyStep[]
    /** How often the steps are repeated; 0 unless given. */
    repeat?: number
    quiet?: QuietHours
    /** An acknowledged incident that is open for so long starts again; never unless given. */
    ackTimeout?: string
    /** Go on after a step that reached only providers with an escalation of their own; false unless given. */
    escalateOwned?: boolean
    lastResort?: LastResort
  }
  status?: PolicyStatus
}

/** A page of Policy rows, read at one committed position. */
export interface PolicyList {
  items: Policy[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** Whom a step tells: exactly one of scheduleRef, personRef, groupRef and endpointRef. */
export interface PolicyRecipient {
  /** The person on call when the step fires. */
  scheduleRef?: string
  /** One person. */
  personRef?: string
  /** A group of endpoints. */
  groupRef?: string
  /** A single endpoint. */
  endpointRef?: string
  /** All endpoints of a person at once, and not one after another; false unless given. */
  allEndpoints?: boolean
}

/** What is known of a policy. */
export interface PolicyStatus {
  /** The generation that the service runs. */
  observedGeneration?: number
  /** How many of its pages have not ended. */
  pages?: number
  /** The first of them. */
  running?: EscalationPage[]
}

/** One step of an escalation. */
export interface PolicyStep {
  /** Who is told. */
  notify: PolicyRecipient[]
  /** Time until the next step; 5m unless given. */
  wait?: string
}

/** A worker asks for work. */
export interface PollRequest {
  /** The worker. */
  workerID: string
  /** What it can do. */
  capabilities: WorkerCapability[]
  /** How many jobs it can run at once. */
  capacity: number
  /** How many offers it takes. */
  limit: number
  /** How long it waits for the first offer. */
  waitSeconds: number
}

/** Workers that take from a queue. */
export interface Pool {
  /** Its pipeline. */
  name: Pipeline
  /** How many there are. */
  workers: number
  /** How many there are at least. */
  minimum?: number
  /** How many there may be. */
  maximum?: number
  /** How many are at work. */
  busy?: number
  /** How many the sizing model wants. */
  modelRecommendation?: number
  /** Why it has its size, in words. */
  adjustmentReason?: string
}

/** A page of Pool rows, read at one committed position. */
export interface PoolList {
  items: Pool[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** Switches the practice target. */
export interface PracticeSwitch {
  /** Whether it answers 200 from now on. */
  on: boolean
}

/** A path of the service that can be made to fail. */
export interface PracticeTarget {
  /** What an http check watches; the service reaches itself there. */
  url: string
  /** It answers 200; while it is off, 503. */
  on: boolean
  /** When it goes on by itself; only while it is off. */
  onAgainAt?: string
}

/** What would become of a collection. */
export interface Preflight {
  /** Whether the whole collection may be activated; false while that is being found out. */
  valid: boolean
  /** The digest of the collection. */
  contentDigest?: string
  /** What would become of the items: the first 500. */
  items?: ApplyResult[]
  /** What is wrong with the collection. */
  errors?: FieldError[]
  /** What is not wrong but worth knowing, in whole sentences: monitors that tell nobody when they fail, or that cannot turn red or recover while one of their locations is away. Only for collections that came in one request. */
  notes?: FieldError[]
}

/** A collection to validate; nothing is kept. */
export interface PreflightRequest {
  /** The whole collection, as far as a body can hold it. */
  items: ApplyItem[]
}

/** Why a request was not answered. */
export interface Problem {
  /** urn:pulseward:problem: and the code. */
  type?: string
  /** The kind of problem in words. */
  title?: string
  /** The status of the answer. */
  status?: number
  /** What happened this time, in words and without secrets. */
  detail?: string
  /** A URI of this occurrence. */
  instance?: string
  /** The X-Request-ID of the answer. */
  requestID?: string
  /** The X-Operation-ID of the answer. */
  operationID?: string
  /** A stable code. */
  code?: string
  /** Everything that is wrong, field by field: the first 100. */
  errors?: FieldError[]
  /** The process that is active, from one that stands by and knows it. */
  active?: {
    /** The name of its machine. */
    name: string
    /** Where to ask instead. */
    url: string
  }
}

/** A key of a job that reports by itself. */
export interface PushKey {
  /** The credential that has it. */
  credential: string
  /** Stands in the address that the job calls: /push/KEY. It is told only here. */
  key: string
}

/** Asks for a key of a job that reports by itself. */
export interface PushKeyRequest {
  /** The id of the credential to create, whose value the key becomes. */
  credential: string
}

/** Where a job that reports by itself is. */
export type PushState = 'new' | 'up' | 'late' | 'down'

/** What is known of a job that reports by itself. */
export interface PushStatus {
  /** new: it has not reported yet. late: a signal is due. down: it was missed. */
  state: PushState
  /** When the next signal is expected; absent until the first one came. */
  dueAt?: string
  /** When the last signal came. */
  lastSignalAt?: string
  /** When the key before the present one was last used. */
  previousKeyUsedAt?: string
  /** Runs that started and have not ended. */
  openRuns: number
  /** What looks wrong with its schedule. */
  hint?: string
}

/** A bounded queue between two stages. */
export interface Queue {
  /** Its pipeline. */
  name: Pipeline
  /** How many wait. */
  depth: number
  /** How many may wait. */
  capacity: number
  oldestPendingMs?: Measurement
  /** How fast they come. */
  enqueuedPerSecond?: number
  /** How fast they are taken. */
  completedPerSecond?: number
  /** How many did not fit. */
  drops?: number
  /** Whether it is full. */
  saturated: boolean
  /** What limits it, in words. */
  limitReason?: string
}

/** A page of Queue rows, read at one committed position. */
export interface QueueList {
  items: Queue[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What happens to a message in quiet hours. */
export type QuietEffect = 'hold' | 'drop'

/** Hours in which people are not told. */
export interface QuietHours {
  /** From and to, such as 22:00-07:00. */
  hours: string
  /** A time zone; or "person", as unless given: of the person, else of the schedule that named them, else UTC. */
  zone?: string
  /** Which are quiet; warning and info unless given. */
  severities?: Severity[]
  /** What happens to a message in these hours; hold unless given. */
  then?: QuietEffect
}

/** What the service has recorded of a job. */
export interface Receipt {
  /** The execution. */
  executionID: string
  /** The receipt of the result; empty while there is none. */
  receiptID: string
  /** What became of the result. Unknown: it came after the deadline and is kept as late evidence. */
  disposition: ReceiptDisposition
  /** The store of the service that answered: the same after a restart, another for another service. */
  serverID: string
}

/** What became of a result. */
export type ReceiptDisposition = 'accepted' | 'finalized' | 'unknown'

/** An action tried once, before an incident opens. */
export interface RecoverySpec {
  driver: DriverConfig
  /** Time that the action may take. */
  timeout?: string
  /** Time after an accepted action in which checks do not count. */
  settle?: string
}

/** A resource of any kind; its kind tells which. */
export type Resource = Monitor | NotificationEndpoint | NotificationGroup | Credential | JobType | Route | Person | Schedule | Policy | Calendar | StatusPage | StatusIncident | Badge

/** The kind of a resource. */
export type ResourceKind = 'Monitor' | 'NotificationEndpoint' | 'NotificationGroup' | 'Credential' | 'JobType' | 'Route' | 'Person' | 'Schedule' | 'Policy' | 'Calendar' | 'StatusPage' | 'StatusIncident' | 'Badge'

/** What is known of a resource. */
export interface ResourceStatus {
  /** The generation that the service runs. */
  observedGeneration?: number
}

/** The result of a review. */
export type ReviewResolution = 'accepted' | 'rejected' | 'inconclusive'

/** Sends colors of all monitors that match to further destinations, or gives them a policy. */
export interface Route {
  apiVersion: 'pulseward/v2'
  kind: 'Route'
  metadata: Metadata
  /** Which monitors, which colors, and who is notified. */
  spec: {
    /** Labels that a monitor must have, all of them; the key tag matches a tag. Without any, every monitor matches. */
    match: Record<string, string>
    /** What is sent to its destinations. Red: failed. Yellow: warning. Green: recovered. Cyan: recovery accepted. Gray: maintenance. */
    colors?: Color[]
    /** Single endpoints. */
    endpointRefs?: string[]
    /** Groups of endpoints. A destination that is named twice is notified once. */
    groupRefs?: string[]
    /** The escalation policy of its monitors that name none. A route has destinations with colors, a policy, or both. */
    policyRef?: string
    /** Of several routes that match and name a policy, the one with the lowest order counts, then the one whose id comes first; 0 unless given. */
    order?: number
  }
  status?: ResourceStatus
}

/** A page of Route rows, read at one committed position. */
export interface RouteList {
  items: Route[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What a rule came to. */
export type RuleVerdict = 'decided' | 'passed' | 'not_applicable'

/** Public settings. */
export interface RuntimeConfig {
  /** Where it keeps durable state. */
  storageMode?: StorageMode
  /** How long events are kept. */
  historyRetention?: string
  /** How many may wait in a queue. */
  queueCapacity?: number
  /** Whether writes are refused. */
  readOnly?: boolean
  /** The length of the SLO window. */
  sloWindow?: string
}

/** What limits the service, if anything. */
export type SLOCondition = 'insufficient_observations' | 'healthy' | 'queue_delay' | 'result_delay' | 'downstream_limited' | 'coverage_gap'

/** How punctual the checks of one driver were. */
export interface SLOReport {
  /** Its pipeline. */
  pipeline: Pipeline
  /** The driver. */
  driver: string
  /** Checks that ended in the window. */
  samples: number
  /** Checks that were due in the window. */
  expected?: number
  /** Checks that never started. */
  missed?: number
  /** Checks that should have ended and have not. */
  overdue?: number
  /** Checks in flight. */
  pending?: number
  /** Checks that took too long. */
  timeouts?: number
  queueDelay?: Percentiles
  execution?: Percentiles
  totalLatency?: Percentiles
  /** Samples within the target for the queue. */
  queueThresholdPassed?: number
  /** Samples within the target for the result. */
  totalThresholdPassed?: number
  attainment?: Measurement
  /** Healthy, or what limits it; the words of v1. */
  condition?: SLOCondition
}

/** How punctual checks were over a window. */
export interface SLOView {
  /** When this was read. */
  generatedAt: string
  /** The length of the window. */
  window: string
  /** Whether the service was not watching during the whole window. */
  coverageGap: boolean
  /** One for each driver. */
  reports: SLOReport[]
}

/** Who is on call when. */
export interface Schedule {
  apiVersion: 'pulseward/v2'
  kind: 'Schedule'
  metadata: Metadata
  /** Rotations and exceptions. */
  spec: {
    /** Whose clocks all its times are on, such as Europe/Berlin; UTC unless given. */
    timezone?: string
    /** Rotations; a later one covers an earlier one where it has a person. */
    layers: ScheduleLayer[]
    /** Exceptions; no two of them may overlap. */
    overrides?: ScheduleOverride[]
    /** Send a message to both people at each hand-over; false unless given. */
    handoff?: boolean
  }
  status?: ScheduleStatus
}

/** A rotation. */
export interface ScheduleLayer {
  /** They take turns in this order. */
  personRefs: string[]
  /** When the first turn begins, on the clocks of the time zone, such as 2026-03-02T09:00. */
  start: string
  /** How long a turn is on the clocks of the time zone, such as 12h, 1d or 1w; a week unless given. */
  every?: string
  /** When the layer counts; always unless given. */
  hours?: OnCallHours[]
}

/** A page of Schedule rows, read at one committed position. */
export interface ScheduleList {
  items: Schedule[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** A time in which one person is on call, whatever the layers say. */
export interface ScheduleOverride {
  /** When it begins, on the clocks of the time zone. */
  from: string
  /** When it ends, on the clocks of the time zone. */
  to: string
  /** Who is on call then. */
  personRef: string
}

/** What is known of a schedule. */
export interface ScheduleStatus {
  /** The generation that the service runs. */
  observedGeneration?: number
  onCall?: OnCallNow
}

/** How bad the red of a monitor is. */
export type Severity = 'critical' | 'warning' | 'info'

/** A time in which one person is on call, or a gap. */
export interface Shift {
  /** When it begins. */
  from: string
  /** When it ends. */
  to: string
  /** Who is on call; absent in a gap. */
  personRef?: string
  /** What people call them. */
  name?: string
  /** Whether an exception of the schedule says so. */
  isOverride: boolean
}

/** The shifts of a schedule from one moment to another: each begins where the one before it ends. */
export interface ShiftList {
  /** The schedule. */
  scheduleRef: string
  /** Whose clocks it is written on. */
  timezone: string
  /** Where the shifts begin. */
  from: string
  /** Where they end; earlier than asked for if there are too many. */
  to: string
  /** In the order of time. */
  shifts: Shift[]
}

/** Signs a browser in once, as the operator that asked for it. */
export interface SignInLink {
  /** Follows `#sign-in=` in the address of the page. It is told only here, and works once. */
  secret: string
  /** When it stops working. */
  expiresAt: string
}

/** Whether a job may be started. */
export type StartDisposition = 'granted' | 'started' | 'pending' | 'unknown' | 'terminal' | 'rejected'

/** A worker wants to begin. */
export interface StartRequest {
  /** The execution. */
  executionID: string
  /** The lease of the offer. */
  leaseID: string
  /** The executionRevision of the offer. */
  executionRevision: string
}

/** Whether a worker may begin. Only granted is permission. */
export interface StartResponse {
  /** A repeated start grants nothing new. */
  disposition: StartDisposition
  /** The grant that start gave; empty when it gave none. */
  grantID: string
  /** The store of the service that answered: the same after a restart, another for another service. */
  serverID: string
  /** When it must have ended. */
  deadline: string
  /** The receipt of the result; empty while there is none. */
  receiptID: string
}

/** The service itself. */
export interface State {
  /** When this was read. */
  generatedAt: string
  /** Whether it is ready. */
  ready: boolean
  /** Whether the process is alive. */
  live: boolean
  storage: StorageState
  /** How far readers are behind what is committed. */
  projectionAgeMs?: number
  /** Actions whose outcome is not known and not reviewed. */
  unknownActions?: number
  /** Those actions: the first 500. */
  actions?: Action[]
}

/** Who may read a status page. */
export type StatusAccess = 'public' | 'token'

/** Something that customers know by a name. Needs monitorRefs, match or both. */
export interface StatusComponent {
  /** Its name in addresses: lower-case letters, digits and -. No two of a page are alike. */
  id: string
  /** What customers call it. */
  name: string
  /** A sentence below the name. */
  description?: string
  /** The monitors that it is made from. */
  monitorRefs?: string[]
  /** Labels that must all be equal; the key tag matches a tag. Adds every monitor that has them. */
  match?: Record<string, string>
  /** The share of monitors that are down from which the outage is partial; 50% unless given. */
  downWhen?: string
  /** Whether the page says by itself when it was down for five minutes, and when it works again. */
  auto?: boolean
}

/** Components below one heading. */
export interface StatusGroup {
  /** The heading above its components. */
  name: string
  /** From top to bottom. */
  components: StatusComponent[]
}

/** An incident or maintenance that people write about on a status page. */
export interface StatusIncident {
  apiVersion: 'pulseward/v2'
  kind: 'StatusIncident'
  metadata: Metadata
  /** What customers read about it. */
  spec: {
    /** The page on which it stands. */
    pageRef: string
    /** What it is about. */
    title: string
    /** The components that it touches. */
    components?: AffectedComponent[]
    /** What was said, the oldest first. */
    updates: StatusUpdate[]
    maintenance?: PlannedTime
    /** What was learned; shown once it is resolved. Markdown: paragraphs, lists, emphasis, code and links; anything else is shown as it is written. */
    postmortem?: string
  }
  status?: ResourceStatus
}

/** A page of StatusIncident rows, read at one committed position. */
export interface StatusIncidentList {
  items: StatusIncident[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** A link at the end of a page. */
export interface StatusLink {
  /** What is shown. */
  name: string
  /** Where it leads: an http, https or mailto address. */
  url: string
}

/** A picture beside the title: a PNG, or an SVG without scripts. */
export interface StatusLogo {
  /** What kind of picture it is. */
  type: LogoType
  /** The file in base64, at most 64 KiB of it. */
  data: string
}

/** A page for customers, at /status/ID and at its own host. */
export interface StatusPage {
  apiVersion: 'pulseward/v2'
  kind: 'StatusPage'
  metadata: Metadata
  /** What the page shows. */
  spec: {
    /** The name of the page. */
    title: string
    /** A host name in lower case that shows this page and nothing else, such as status.shop.example. */
    host?: string
    /** Who may read it: everybody, or who has one of its tokens; public unless given. */
    access?: StatusAccess
    /** The tokens that open it, if its access is token. */
    tokenDigests?: string[]
    /** Of the times on the page: a time zone such as Europe/Berlin; UTC unless given. */
    timezone?: string
    /** Of the words that are the same on every page: en, de, or another one that comes with words; en unless given. */
    language?: string
    /** The words of the page in its language, in place of those that it would have, as pulseward status words prints them. */
    words?: Record<string, string>
    /** From top to bottom. */
    groups: StatusGroup[]
    logo?: StatusLogo
    /** Shown at the end of the page. */
    links?: StatusLink[]
  }
  status?: ResourceStatus
}

/** A page of StatusPage rows, read at one committed position. */
export interface StatusPageList {
  items: StatusPage[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** One message of it. */
export interface StatusUpdate {
  /** When it is said. One in the future is shown from then on. */
  at: string
  /** How far it has come. Needed for an incident; maintenance has none. */
  phase?: IncidentPhase
  /** What customers read. Markdown: paragraphs, lists, emphasis, code and links; anything else is shown as it is written. */
  text: string
}

/** The kind of a store. */
export type StorageMode = 'memory' | 'sqlite' | 'postgres'

/** The health of the storage, without paths or addresses. */
export interface StorageState {
  /** Whether commits are accepted. */
  available: boolean
  /** Where it keeps durable state. */
  mode: StorageMode
  /** The version of the stored format. */
  formatVersion?: number
  /** The last committed position. */
  commitIndex?: number
  /** The last position that readers see. */
  appliedIndex?: number
  /** What it takes on disk. */
  bytes?: number
  /** What is wrong, without secrets. */
  error?: string
}

/** One stage of the controller. */
export interface System {
  /** The stage. */
  name: string
  /** How often it ran. */
  updates?: number
  /** How much it handled. */
  entitiesProcessed?: number
  lastUpdateDurationMs?: Measurement
  /** When it made progress last. */
  progressAt?: string
}

/** A page of System rows, read at one committed position. */
export interface SystemList {
  items: System[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** A recipient who was told, and where. */
export interface ToldRecipient {
  /** The person; absent for an endpoint without a person. */
  personRef?: string
  /** The endpoint that was used. */
  endpointRef: string
}

/** A step of a check that has ended. */
export interface TrialPhase {
  /** The step; a redirect repeats those of a connection. */
  phase: TrialPhaseName
  /** When it ended, in milliseconds since the check began. */
  atMs: number
}

/** A step of a check. */
export type TrialPhaseName = 'resolve' | 'connect' | 'tls' | 'first_byte'

/** Some items of a collection. */
export interface UploadRequest {
  /** At most 256 items. */
  items: ApplyItem[]
}

/** Which service this is. */
export interface Version {
  /** The version of the service. */
  version: string
  /** The commit that it was made from. */
  commit?: string
  /** When that commit was made. */
  sourceTime?: string
  /** The version of its runtime. */
  runtimeVersion?: string
  /** The version of the stored format that it writes. */
  storageFormat?: number
}

/** A weekday. */
export type Weekday = 'sun' | 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat'

/** One thing that a worker can do. */
export interface WorkerCapability {
  /** The job type. */
  jobTypeID: string
  /** Whether it is a check, a recovery or a notification. */
  kind: JobKind
  /** The version of the job type. */
  version: string
}

/** A worker as the service sees it, by principal and workerID. */
export interface WorkerObservation {
  /** The worker. */
  workerID: string
  /** How many jobs it can run at once. */
  capacity: number
  /** How many it runs. */
  active: number
  /** When it called last. */
  lastSeenAt: string
}

/** A page of WorkerObservation rows, read at one committed position. */
export interface WorkerObservationList {
  items: WorkerObservation[]
  /** Asks for the next page; absent on the last one. */
  nextCursor?: string
  /** The committed position that every page of this pagination reads. */
  snapshot?: string
  /** A moment as RFC 3339, such as 2026-03-29T01:00:00.000Z. */
  generatedAt?: string
}

/** What a written incident says of a component. */
export type WrittenState = 'operational' | 'degraded_performance' | 'partial_outage' | 'major_outage'
