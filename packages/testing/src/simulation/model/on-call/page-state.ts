// simulation/model/on-call/page-state.ts: what the reference model knows about pages. Plain, immutable data: to go back to
// what was on disk after a crash, it is enough to keep references. Pages have the ids of the service.
import type { Severity } from '@pulseward/server/internal/config/fleet-file/on-call.ts'
import type { PolicyPlan } from '../../on-call/on-call-plan.ts'
import type { Instant, Range } from '../range.ts'

export type PageStage = 'step' | 'acknowledged' | 'ended' | 'missed' | 'nobody'

/** Which of the messages of a page an action is. */
export interface PageKey {
  readonly page: string
  readonly stage: PageStage
  /** How often the page had started. */
  readonly start: number
  readonly round: number
  readonly step: number
  readonly person: string | null
}

/** What a message says of its page. */
export interface PageMessage extends PageKey {
  readonly policy: string
  readonly severity: Severity
  readonly monitors: Range
  readonly lead: string
  readonly others: readonly string[]
  readonly by: string | null
}

export interface ModelMember {
  /** The number of its incident. */
  readonly incident: number
  /** Who has acknowledged it since the page started, and after how many other acknowledgements. */
  readonly acknowledged: { readonly by: string; readonly order: number } | null
  readonly severity: Severity
}

export interface ModelDelivery {
  readonly message: PageMessage
  readonly endpoint: string
  readonly next: readonly string[]
  /** The next endpoint is tried then. */
  readonly patientUntil: Instant
  /** That time has come in an earlier turn; if there was no next endpoint, nothing showed it. */
  readonly isOver: boolean
}

export interface ModelHeld {
  readonly message: PageMessage
  readonly endpoints: readonly string[]
  readonly all: boolean
  readonly until: Instant
  /** That time has come in an earlier turn, when nobody had to be told. */
  readonly isOver: boolean
}

export type ModelRun =
  | { readonly is: 'running'; readonly nextAt: Instant; readonly since: Instant }
  | { readonly is: 'spent' | 'paused' }
  | {
      readonly is: 'acknowledged'
      readonly by: string
      readonly restartAt: Instant | null
      readonly since: Instant
    }

export interface ModelPage {
  readonly id: string
  readonly policy: string
  /** As it was when the page was opened. */
  readonly rules: PolicyPlan
  /** Told if it reaches nobody, as it was then. */
  readonly lastResort: readonly string[]
  readonly openedAt: Instant
  readonly start: number
  readonly severity: Severity
  readonly lead: { readonly monitorId: string; readonly incident: number }
  readonly others: readonly string[]
  readonly joined: number
  readonly members: ReadonlyMap<string, ModelMember>
  readonly run: ModelRun
  /** From zero. */
  readonly round: number
  readonly step: number
  readonly hasReached: boolean
  readonly deliveries: readonly ModelDelivery[]
  readonly held: readonly ModelHeld[]
  readonly told: readonly { readonly person: string | null; readonly endpoint: string }[]
  /** Endpoints that have heard who acknowledged it since it started. */
  readonly heard: readonly string[]
  /** Endpoints that have a step of this start, each as round, step and name. */
  readonly used: readonly string[]
}

/** Pages that somebody did not hear of in quiet hours. */
export interface ModelMissed {
  readonly endpoints: readonly string[]
  readonly until: Instant
  readonly message: PageMessage
  /** False if all of it may have been told, or dropped, a moment before. */
  readonly isCertain: boolean
}

/** When somebody gets a page of a policy. */
export interface ModelTurn {
  readonly policy: string
  readonly who: string
  readonly page: string
  readonly at: Instant
}

export interface KeptPages {
  readonly pages: ReadonlyMap<string, ModelPage>
  readonly missed: ReadonlyMap<string, ModelMissed>
  readonly turns: readonly ModelTurn[]
  /** Monitors whose open incident somebody has to be told of, by the number of the incident. */
  readonly needed: ReadonlyMap<string, number>
}

export const noPages: KeptPages = { pages: new Map(), missed: new Map(), turns: [], needed: new Map() }

export function movedPage(page: ModelPage, stepMs: number): ModelPage {
  const { run } = page
  const moved = (one: ModelRun): ModelRun => {
    if (one.is === 'running') return { ...one, nextAt: one.nextAt + stepMs, since: one.since + stepMs }
    if (one.is !== 'acknowledged') return one
    const restartAt = one.restartAt === null ? null : one.restartAt + stepMs
    return { ...one, restartAt, since: one.since + stepMs }
  }
  return {
    ...page,
    openedAt: page.openedAt + stepMs,
    run: moved(run),
    deliveries: page.deliveries.map((one) => ({ ...one, patientUntil: one.patientUntil + stepMs })),
  }
}

/** A message of the page as it is now. */
export function messageOf(page: ModelPage, stage: PageStage, person: string | null): PageMessage {
  const { id, policy, start, round, step, severity, joined, lead, others, run } = page
  return {
    ...{ page: id, stage, start, round, step, person, policy, severity, others },
    monitors: { from: joined, to: joined },
    lead: lead.monitorId,
    by: run.is === 'acknowledged' ? run.by : null,
  }
}

/** What a message says is as the page is when it is sent. */
export function asItIs(
  message: PageMessage,
  { severity, joined, lead, others }: Pick<ModelPage, 'severity' | 'joined' | 'lead' | 'others'>,
): PageMessage {
  return { ...message, severity, monitors: { from: joined, to: joined }, lead: lead.monitorId, others }
}

type Place = Pick<PageKey, 'start' | 'round' | 'step'>

export function isSameStep(one: Place, other: Place): boolean {
  return one.start === other.start && one.round === other.round && one.step === other.step
}

/** Together with its page and start, the key of a step: an endpoint gets it once. */
export function useOf({ round, step }: PageKey, endpoint: string): string {
  return `${round} ${step} ${endpoint}`
}

/** Where a delivery goes next: to endpoints that do not have the step yet. */
export function nextEndpoints({ used }: ModelPage, { message, next }: ModelDelivery): readonly string[] {
  return next.filter((endpoint) => !used.includes(useOf(message, endpoint)))
}

/** Nothing of it began later than now, whatever the clock of the process before showed. */
export function notAhead(page: ModelPage, now: Instant): ModelPage {
  const { run, openedAt } = page
  const isTimed = run.is === 'running' || (run.is === 'acknowledged' && run.restartAt !== null)
  const aheadMs = Math.max(openedAt, isTimed ? run.since : openedAt) - now
  return aheadMs > 0 ? movedPage(page, -aheadMs) : page
}
