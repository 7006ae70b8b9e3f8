// v1/values.ts: the words and the small shapes of v1. Each list is in the order that the contract gives it.
import { type TEnum, type TSchema, Type } from 'typebox'

/** In order of precedence: the first that applies is the status. */
export const statuses = ['disabled', 'verifying', 'incident', 'down', 'unknown', 'degraded', 'up'] as const
export type Status = (typeof statuses)[number]

/** What a list of monitors can be sorted by: fields of its rows. */
export const monitorSorts = [
  'name',
  'status',
  'pulse_type',
  'pending_code',
  'latency_ms',
  'healthy_sample_percent',
  'last_check',
] as const
export type MonitorSort = (typeof monitorSorts)[number]

/** Pending notification colors, the most important first. */
export const codes = ['red', 'yellow', 'cyan', 'green', 'gray'] as const
export type Code = (typeof codes)[number]

export const pipelines = ['pulse', 'intervention', 'code'] as const
export type Pipeline = (typeof pipelines)[number]

export const actionKinds = ['intervention', 'code'] as const

export const actionStates = ['queued', 'started', 'succeeded', 'failed', 'unknown', 'cancelled'] as const

export const actionOutcomes = [
  'accepted',
  'rejected',
  'timed_out',
  'interrupted',
  'superseded',
  'health_recovered',
  'configuration_changed',
  'removed',
  'disabled',
  'maintenance',
  'gone',
  'expired',
] as const

/** Controls can also end actions; only the edition next has controls. */
export const nextActionOutcomes = [...actionOutcomes, 'snoozed', 'dismissed'] as const

/** Incidents end as recovered, disabled or removed; all others are outcomes of actions. */
export const eventOutcomes = [...actionOutcomes, 'recovered'] as const
export const nextEventOutcomes = [...nextActionOutcomes, 'recovered'] as const

export const eventTypes = [
  'incident_opened',
  'incident_closed',
  'action_queued',
  'action_started',
  'action_succeeded',
  'action_failed',
  'action_unknown',
  'action_cancelled',
  'incident_suppressed',
  'destination_dead',
  'destination_ailing',
  'destination_recovered',
  'digest_sent',
  'digest_dropped',
  'incident_reported',
  'own_fault',
  'push_late',
  'push_missed',
  'push_not_ended',
  'push_unknown',
  'push_log',
  'escalation',
] as const

/** Where a job that reports by itself is. */
export const pushStates = ['new', 'up', 'late', 'down'] as const

/** What such a job may say. */
export const pushSignals = ['success', 'fail', 'start', 'log'] as const

/** People and external workers cause events too, but only in the edition next. */
export const controlEventTypes = [
  'control_recover_requested',
  'control_acknowledged',
  'control_dismissed',
  'control_reopened',
  'control_noted',
  'control_snoozed',
  'control_unsnoozed',
  'snooze_expired',
  'action_reviewed',
  'late_evidence',
] as const

/** How a check ended. */
export const checkOutcomes = ['success', 'failure', 'timeout', 'no_data', 'own_fault'] as const

export const sloConditions = [
  'insufficient_observations',
  'healthy',
  'queue_delay',
  'result_delay',
  'downstream_limited',
  'coverage_gap',
] as const

export const sizingModels = [
  'awaiting_observations',
  'erlang_c_allen_cunneen',
  'little_law_fallback',
  'slo_unattainable',
] as const

/** The stages of the controller. */
export const systemNames = [
  'schedule',
  'dispatch',
  'results',
  'transitions',
  'actions',
  'commit',
  'projection',
  'api',
] as const

export const storeModes = ['memory', 'sqlite', 'postgres'] as const
export const destinationStates = ['ok', 'limited', 'ailing', 'dead'] as const

/** Why something was decided. */
export const becauseKinds = [
  'first_failure',
  'threshold',
  'withheld',
  'still_failing',
  'verification_failed',
  'recovery_failed',
  'recovery_accepted',
  'recovery_threshold',
  'verified',
  'warning',
  'warning_ended',
  'ancestor',
  'maintenance',
  'maintenance_ended',
  'reminder',
  'control',
  'snooze_expired',
  'dismissed',
  'disabled',
  'removed',
  'configuration_changed',
  'superseded',
  'new_episode',
  'owed_green',
  'digest',
  'nothing_untold',
  'cooldown',
  'retry',
  'own_fault',
  'stalled',
  'clock_jumped',
  'own_fault_ended',
  'answer',
  'interrupted',
  'taken',
  'not_taken',
  'destination_dead',
  'given_up',
  'restored',
  'policy_step',
  'next_endpoint',
  'nobody_on_call',
  'quiet_hours',
  'handover',
  'paged_recently',
  'page_ended',
  'page_paused',
  'page_restarted',
  'push_overdue',
  'push_silent',
  'push_not_ended',
  'push_unreachable',
] as const
export type BecauseKind = (typeof becauseKinds)[number]

/** Why a queued action has not started. */
export const waitReasons = [
  'cooldown',
  'budget',
  'target_busy',
  'held',
  'ancestor',
  'maintenance',
  'pacing',
  'ailing_destination',
  'retry',
  'paged_recently',
  'room',
] as const

export const Timestamp = Type.String({
  format: 'date-time',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'RFC 3339 in UTC with milliseconds.',
})
export const Count = Type.Integer({ minimum: 0 })
export const Percent = Type.Number({ minimum: 0, maximum: 100 })
/** A part of a whole. */
export const Share = Type.Number({ minimum: 0, maximum: 1 })
/** A measured number that cannot be negative: milliseconds, seconds, a rate, a coefficient. */
export const Measure = Type.Number({ minimum: 0 })
export const Text = Type.String()
export const Flag = Type.Boolean()
export const MonitorNumber = Type.Integer({ minimum: 0, maximum: 4_294_967_295 })

/* @__NO_SIDE_EFFECTS__ */
export function oneOf<const Values extends readonly string[]>(values: Values): TEnum<[...Values]> {
  // The library's own inference widens a spread tuple to string | number.
  return Type.Enum([...values], { type: 'string' }) as unknown as TEnum<[...Values]>
}

/** A value of the given schema, and what it means here. */
/* @__NO_SIDE_EFFECTS__ */
export function field<Schema extends TSchema>(schema: Schema, description: string): Schema {
  return Type.With(schema, { description }) as unknown as Schema
}

/** The same for a value that may be unknown or absent. */
/* @__NO_SIDE_EFFECTS__ */
export function nullable<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description })
}

/* @__NO_SIDE_EFFECTS__ */
export function eachPipeline<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Object({ pulse: schema, intervention: schema, code: schema }, { description })
}
