// notify/driver.ts: what a notifier is. A driver is one folder and one line in the registry. It sends one
// notification once and returns the outcome; retries, pacing, cooldown and metrics belong to the stages
// around it, never to a driver. A driver never throws for anything that a provider or the network does.
import type { Static, TObject } from 'typebox'
import type { ActionOutcome } from '../platform/action-outcome.ts'
import type { Network } from '../platform/network/network.ts'

export type Color = 'red' | 'yellow' | 'green' | 'cyan' | 'gray'
export type Cause = 'episode' | 'warning' | 'maintenance' | 'repeat' | 'digest' | 'page' | 'test'
export type Severity = 'critical' | 'warning' | 'info'

/** Incidents of one monitor that were not yet reported to the destination. */
export interface Untold {
  readonly incidents: number
  readonly downMs: number
  /** Epoch milliseconds of the first failure. */
  readonly fromMs: number
  /** What the check saw last; null if it is no longer known. */
  readonly seen: string | null
}

/** One message about all incidents that were not yet reported to the destination. */
export interface Digest {
  readonly incidents: number
  readonly downMs: number
  readonly fromMs: number
  readonly toMs: number
  /** The ten monitors that were down longest. */
  readonly monitors: readonly DigestedMonitor[]
  /** How many further monitors there are. */
  readonly moreMonitors: number
}

export interface DigestedMonitor {
  readonly monitorId: string
  readonly monitor: string
  readonly incidents: number
  readonly downMs: number
  /** What the check saw when the last of them opened; null if it is not known. */
  readonly seen: string | null
}

/** What an escalation policy tells people about one or more monitors; the notification names the worst of them. */
export interface Page {
  readonly id: string
  /**
   * A step of the policy, an acknowledgement, the end, pages that were over when quiet hours ended, or a step that reached
   * nobody; or a hand-over of a schedule, which is no page.
   */
  readonly stage: 'step' | 'acknowledged' | 'ended' | 'missed' | 'nobody' | 'handover'
  readonly policy: string
  readonly round: number
  readonly step: number
  /** Null for an endpoint that is nobody's. */
  readonly person: string | null
  readonly monitors: number
  /** The names of some others. */
  readonly others: readonly string[]
  /** Where this person acknowledges it; null or absent if there is no such address. It is a credential. */
  readonly ackLink?: string | null
  /** Of a hand-over alone; the monitor is then the schedule. Names of people, null for nobody. */
  readonly handover?: {
    readonly from: string | null
    readonly to: string | null
    /** Whoever reads it takes over. */
    readonly isYours: boolean
    readonly untilMs: number | null
  }
}

/** A maintenance window of a monitor. */
export interface MaintenanceNews {
  readonly is: 'begun' | 'over'
  /** What people call the window; null if it has no name. */
  readonly name: string | null
  /** Epoch milliseconds; null if it is over, or the end is not known. */
  readonly untilMs: number | null
}

/** What to tell people. Texts are unchanged: every driver neutralises them for its own medium. */
export interface Notification {
  /** Never changes, unlike the name, so deduplication keys are made from it. Empty in a digest. */
  readonly monitorId: string
  readonly monitor: string
  readonly color: Color
  readonly cause: Cause
  /** One of the words of the API, such as incident. */
  readonly status: string
  readonly severity: Severity
  /** What the check saw, in words; null if there is nothing to add. */
  readonly seen: string | null
  /** Epoch milliseconds since when this is the case; null if unknown. */
  readonly sinceMs: number | null
  /** For a green, epoch milliseconds at which the outage began; null or absent if unknown. */
  readonly beganMs?: number | null
  readonly incidentId: string | null
  /** Who acknowledged the incident; null or absent if it is not acknowledged. */
  readonly acknowledgedBy?: string | null
  readonly actionId: string
  /** Epoch milliseconds of the decision to send it. */
  readonly atMs: number
  /** Where to see more, if the service knows its public address. */
  readonly link: string | null
  /** What a gray reports; null or absent if it is not about maintenance, or an earlier version decided it. */
  readonly maintenance?: MaintenanceNews | null
  /** Earlier incidents that a green reports too. */
  readonly untold: Untold | null
  /** Set if this is a digest, whose color only affects its appearance. */
  readonly digest: Digest | null
  /** Set if an escalation policy sends it; absent otherwise. */
  readonly page?: Page
}

/** What the provider documents that it accepts from one sender to one destination. */
export interface Rate {
  readonly maxInFlight: number
  /** Null if nothing is documented. */
  readonly perSecond: number | null
}

/** The longest texts that a provider accepts, by the name of the text. */
export interface TextLimits {
  readonly unit: 'code points' | 'bytes'
  readonly longest: Readonly<Record<string, number>>
}

/** What a driver is given for one notification. */
export interface NotifyRun {
  readonly network: Network
  readonly timeoutMs: number
  /** Aborts at the deadline. */
  readonly signal: AbortSignal
  /** Writes to the log of the service. */
  log(message: string, fields: Readonly<Record<string, string | null>>): void
}

export interface Notifier<Schema extends TObject = TObject> {
  readonly summary: string
  /** What to set up before the first message, in sentences. */
  readonly needs: string
  readonly config: Schema
  readonly rate: Rate
  /** The provider keeps alerts: it gets only notifications that open or close them, and no digests. */
  readonly keepsAlerts?: boolean
  /** Null if the provider has no limit that a notification could reach. */
  readonly limits: TextLimits | null
  /** For display. Must contain nothing that would let a reader send messages. */
  target(config: Static<Schema>): string
  notify(config: Static<Schema>, notification: Notification, run: NotifyRun): Promise<ActionOutcome>
}

export function defineNotifier<Schema extends TObject>(driver: Notifier<Schema>): Notifier<Schema> {
  return driver
}

const severities: Readonly<Record<Color, Severity>> = {
  red: 'critical',
  yellow: 'warning',
  cyan: 'info',
  green: 'info',
  gray: 'info',
}

export function severityOf(color: Color): Severity {
  return severities[color]
}
