// config/fleet-file/on-call.ts: people, schedules and escalation policies as plain data, as the domain reads them.
// Times of schedules are wall-clock times of their zone, in milliseconds as if they were UTC.
import type { Destinations } from './destinations.ts'

export const severities = ['critical', 'warning', 'info'] as const
/** How bad the red of a monitor is. */
export type Severity = (typeof severities)[number]

export interface PersonDefinition {
  /** Null if people call them by their id. */
  readonly name: string | null
  readonly timezone: string | null
  /** In order of preference. */
  readonly endpoints: readonly string[]
}

/** Part of a day on some weekdays. One that ends before it begins ends on the next day. */
export interface HoursDefinition {
  /** Sunday is 0. */
  readonly days: readonly number[]
  readonly fromMinute: number
  /** At most 1440, which is midnight at the end of the day. */
  readonly toMinute: number
}

export interface LayerDefinition {
  /** They take turns in this order. */
  readonly people: readonly string[]
  readonly everyMs: number
  /** When the first turn begins; before it, the layer has no person. */
  readonly startMs: number
  /** Null: at all hours. */
  readonly hours: readonly HoursDefinition[] | null
}

export interface OverrideDefinition {
  readonly fromMs: number
  readonly toMs: number
  readonly person: string
}

export interface ScheduleDefinition {
  readonly timezone: string
  /** A later layer covers an earlier one where it has a person. */
  readonly layers: readonly LayerDefinition[]
  /** These cover all layers. No two of them overlap. */
  readonly overrides: readonly OverrideDefinition[]
  /** Both people get a message at each hand-over; absent if they do not. */
  readonly handoff?: true
}

/** Whom one step tells. */
export type RecipientDefinition =
  | PersonRecipient
  | { readonly kind: 'group' | 'endpoint'; readonly name: string }

export interface PersonRecipient {
  readonly kind: 'schedule' | 'person'
  readonly name: string
  readonly allEndpoints: boolean
}

export interface StepDefinition {
  readonly notify: readonly RecipientDefinition[]
  readonly waitMs: number
}

export interface QuietDefinition {
  readonly fromMinute: number
  readonly toMinute: number
  /** Null: the zone of the person, else of the schedule that names them, else UTC. */
  readonly timezone: string | null
  readonly severities: readonly Severity[]
  /** It is not told later either. */
  readonly drops: boolean
}

export interface EscalationPolicy {
  readonly steps: readonly StepDefinition[]
  /** How often the steps are repeated after the first round. */
  readonly repeat: number
  readonly quiet: QuietDefinition | null
  /** An acknowledged incident that stays open for this long starts again; null for never. */
  readonly ackTimeoutMs: number | null
  /** Go on after a step that reached only providers with an escalation of their own. */
  readonly escalatesOwned: boolean
  /** Who is told if a whole round reaches no recipient. */
  readonly lastResort: Destinations
}

/** What a fleet says about people who are told. */
export interface OnCallDefinition {
  readonly people: ReadonlyMap<string, PersonDefinition>
  readonly schedules: ReadonlyMap<string, ScheduleDefinition>
  readonly escalationPolicies: ReadonlyMap<string, EscalationPolicy>
}

export const noOnCall: OnCallDefinition = {
  people: new Map(),
  schedules: new Map(),
  escalationPolicies: new Map(),
}
