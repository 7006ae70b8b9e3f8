// deciding/on-call/page.ts: what has to be known about a page between two decisions. A page is what people get of one or
// more incidents with the same policy: its steps, who was told, and its end. Plain data that survives JSON, because it is
// stored as it is. It keeps the policy with which it started; a changed one is used by the next page.
import type { EscalationPolicy, Severity } from '../../config/fleet-file/on-call.ts'
import type { PageNews } from '../actions/action.ts'
import type { Instant } from '../health/health.ts'

/**
 *   running ──▶ spent          the last round has been told; the page waits for its end
 *    ▲  ▲│ ├──▶ acknowledged   all of its incidents are; `restartAt` starts it again
 *    │  │└─┴──▶ paused         all of its incidents are snoozed, in maintenance or suppressed
 *    └──┴── acknowledged, paused
 *
 * A page without incidents has ended and has no record.
 */
type Run =
  | { readonly is: 'running'; readonly nextAt: Instant }
  | { readonly is: 'spent' }
  | { readonly is: 'paused' }
  | { readonly is: 'acknowledged'; readonly by: string; readonly restartAt: Instant | null }

export interface Page {
  readonly id: string
  readonly policy: string
  readonly rules: EscalationPolicy
  readonly openedAt: Instant
  /** How often it has started; keys of deliveries differ by it. */
  readonly start: number
  /** The worst of its incidents, and the first of those; when it is over, of those that are not. */
  readonly lead: { readonly monitorId: string; readonly incidentId: string; readonly since: Instant | null }
  readonly severity: Severity
  /** All incidents that joined. */
  readonly joined: number
  /** The monitors of some others. */
  readonly others: readonly string[]
  readonly run: Run
  /** The next step to be told. */
  readonly round: number
  readonly step: number
  /** Whether a step of this round reached a recipient. */
  readonly hasReached: boolean
  readonly deliveries: readonly Delivery[]
  readonly held: readonly Held[]
  /** Recipients who were told, or may have been. */
  readonly told: readonly Told[]
  /** What endpoints have got since the page started: an endpoint gets a step once, also if two people have it. */
  readonly used: readonly string[]
}

/** A step on its way to a recipient. */
export interface Delivery {
  readonly news: PageNews
  readonly endpoint: string
  /** Tried next, in this order. */
  readonly next: readonly string[]
  /** When the next one is tried although no answer has come. */
  readonly nextAt: Instant
}

/** A step that waits for the end of a person's quiet hours. */
export interface Held {
  readonly news: PageNews
  readonly endpoints: readonly string[]
  readonly all: boolean
  /** By the wall clock: setting it does not move the end. */
  readonly until: Instant
}

export interface Told {
  readonly person: string | null
  readonly endpoint: string
  /** The last start of the page whose acknowledgement they heard of; null if none. */
  readonly heard: number | null
}

/** A monitor whose open incident belongs to a page. */
export interface Member {
  readonly monitorId: string
  readonly page: string
  readonly incidentId: string
  /**
   * When the incident was acknowledged before it joined, or before the page started again: that counts no longer. Null if
   * it was not.
   */
  readonly forgotten: Instant | null
  readonly severity: Severity
  /** Its place among all that have joined the page. */
  readonly order: number
}

/** Pages that ended in a person's quiet hours: told at the end of these hours, in one message. */
export interface Missed {
  readonly person: string
  readonly endpoints: readonly string[]
  readonly until: Instant
  readonly pages: number
  /** The last of them. */
  readonly news: PageNews
}

/** When a recipient gets pages of a policy, or has got them. */
export interface Minutes {
  readonly policy: string
  readonly recipient: string
  readonly taken: readonly { readonly page: string; readonly at: Instant }[]
}

/** Who was on call by a schedule when its last hand-over was told. */
export interface Handover {
  readonly schedule: string
  readonly person: string | null
}

/** What is stored; each under its key, and null once it is over. */
export type EscalationRecord =
  | { readonly key: `page ${string}`; readonly value: Page | null }
  | { readonly key: `member ${string}`; readonly value: Member | null }
  | { readonly key: `missed ${string}`; readonly value: Missed | null }
  | { readonly key: `handover ${string}`; readonly value: Handover | null }
  | { readonly key: `minutes ${string}`; readonly value: Minutes | null }

/** What earlier versions did not store: the last resort of a policy, what endpoints got and heard, what is forgotten, and how bad each incident is. */
export function valueOfStore(
  value: NonNullable<EscalationRecord['value']>,
): NonNullable<EscalationRecord['value']> {
  if ('rules' in value) {
    const { rules, told, used = [] } = value
    return {
      ...value,
      rules: { ...rules, lastResort: rules.lastResort ?? { groups: [], endpoints: [] } },
      told: told.map((one) => ({ ...one, heard: one.heard ?? null })),
      used,
    }
  }
  if (!('monitorId' in value)) return value
  const { forgotten = null, severity = 'critical', order = 0 } = value
  return { ...value, forgotten, severity, order }
}

/** Where the incident of a member stands. */
export type Condition = 'open' | 'acknowledged' | 'silent'

/** Together with the page and its start, the key of a step to an endpoint. */
export function useOf({ round, step }: PageNews, endpoint: string): string {
  return `${round} ${step} ${endpoint}`
}

/** The same page after the service's clock was set: no wait changes. Ends of quiet hours are wall-clock times. */
export function movedPage(page: Page, stepMs: number): Page {
  const { run, lead } = page
  return {
    ...page,
    openedAt: page.openedAt + stepMs,
    lead: { ...lead, since: lead.since === null ? null : lead.since + stepMs },
    run: movedRun(run, stepMs),
    deliveries: page.deliveries.map((one) => ({ ...one, nextAt: one.nextAt + stepMs })),
  }
}

/**
 * The same page if the previous process had a clock that was ahead, or the clock was set back while none ran: nothing of it
 * began later than now, so no wait is longer than it was meant to be.
 */
export function notAhead(page: Page, now: Instant): Page {
  const aheadMs = Math.max(page.openedAt, waitsSince(page)) - now
  return aheadMs > 0 ? movedPage(page, -aheadMs) : page
}

/** When the present wait began. */
function waitsSince({ run, rules: { steps, ackTimeoutMs }, step, openedAt }: Page): Instant {
  const last = steps[step === 0 ? steps.length - 1 : step - 1]!
  if (run.is === 'running') return run.nextAt - last.waitMs
  return run.is === 'acknowledged' && run.restartAt !== null ? run.restartAt - ackTimeoutMs! : openedAt
}

function movedRun(run: Run, stepMs: number): Run {
  if (run.is === 'running') return { ...run, nextAt: run.nextAt + stepMs }
  if (run.is === 'acknowledged' && run.restartAt !== null)
    return { ...run, restartAt: run.restartAt + stepMs }
  return run
}

/** When something of the page is due; infinite if only an input can change it. Steps of a page without evidence wait. */
export function dueAt({ run, deliveries, held }: Page, isEvident: boolean): Instant {
  const ofRun =
    run.is === 'running' && isEvident
      ? run.nextAt
      : run.is === 'acknowledged'
        ? (run.restartAt ?? Number.POSITIVE_INFINITY)
        : Number.POSITIVE_INFINITY
  return Math.min(ofRun, ...deliveries.map(({ nextAt }) => nextAt), ...held.map(({ until }) => until))
}
