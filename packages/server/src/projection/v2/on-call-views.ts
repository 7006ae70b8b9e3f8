// projection/v2/on-call-views.ts: who is on call, and the pages of policies, as v2 shows them: computed from the fleet in
// force and the pages that have not ended, at the moment of asking.
import { v2 } from '@pulseward/contract'
import type { Page } from '../../deciding/on-call/page.ts'
import { rotaOf } from '../../deciding/on-call/recipients.ts'
import type { EngineReading } from '../../engine/engine-reading.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { timestamp } from '../../platform/wire.ts'
import { knownFields } from './known-fields.ts'

export class OnCallViews {
  readonly #fleet: Fleet
  readonly #engine: EngineReading

  constructor(fleet: Fleet, engine: EngineReading) {
    this.#fleet = fleet
    this.#engine = engine
  }

  /** The schedules by which a person is on call now. */
  dutiesOf(person: string): v2.OnCallDuty[] {
    const now = this.#engine.now()
    return [...this.#fleet.definition.schedules].flatMap(([scheduleRef, schedule]) => {
      const duty = rotaOf(schedule).dutyAt(now)
      return duty.person === person ? { scheduleRef, ...knownFields({ until: timestamp(duty.untilMs) }) } : []
    })
  }

  /** Who is on call by a schedule; null if it is not in force. */
  onCallBy(schedule: string): v2.OnCallNow | null {
    const definition = this.#fleet.definition.schedules.get(schedule)
    if (definition === undefined) return null
    const { person, untilMs, next } = rotaOf(definition).dutyAt(this.#engine.now())
    return knownFields({
      personRef: person,
      name: this.#nameOf(person),
      until: timestamp(untilMs),
      nextPersonRef: next,
      nextName: this.#nameOf(next),
    })
  }

  /** How many pages of a policy have not ended, and the first of them. */
  pagesOf(policy: string): Pick<v2.PolicyStatus, 'pages' | 'running'> {
    const pages = [...this.#engine.pages.pages].filter((page) => page.policy === policy)
    return {
      pages: pages.length,
      running: pages.slice(0, v2.limits.shownPages).map((page) => this.#pageView(page)),
    }
  }

  /** The page that an open incident belongs to; null if there is none. */
  pageOf(monitorId: string, incidentId: string): v2.EscalationPage | null {
    const page = this.#engine.pages.pageOf(monitorId)
    const row = page === null ? -1 : this.#fleet.rowOf(monitorId)
    const isOpen = row !== -1 && this.#engine.healthOf(row).episode?.incident?.id === incidentId
    return page === null || !isOpen ? null : this.#pageView(page)
  }

  /** Null if the schedule is not in force. */
  shifts(schedule: string, from: number | null, to: number | null): v2.ShiftList | null {
    const definition = this.#fleet.definition.schedules.get(schedule)
    if (definition === undefined) return null
    const fromMs = from ?? this.#engine.now()
    const shifts = rotaOf(definition).calendar(fromMs, to ?? fromMs + eightWeeksMs, v2.limits.shifts)
    return {
      scheduleRef: schedule,
      timezone: definition.timezone,
      from: timestamp(fromMs),
      to: timestamp(shifts.at(-1)?.untilMs ?? fromMs),
      shifts: shifts.map(({ person, fromMs: begins, untilMs, isOverride }) => ({
        from: timestamp(begins),
        to: timestamp(untilMs),
        ...knownFields({ personRef: person, name: this.#nameOf(person) }),
        isOverride,
      })),
    }
  }

  #pageView(page: Page): v2.EscalationPage {
    const { id, policy, rules, run, severity, openedAt, round, step, lead, told, held } = page
    const { pages } = this.#engine
    return {
      id,
      policyRef: policy,
      state: run.is,
      severity,
      openedAt: timestamp(openedAt),
      round: round + 1,
      rounds: rules.repeat + 1,
      step: step + 1,
      steps: rules.steps.length,
      ...knownFields({
        nextStepAt: run.is === 'running' ? timestamp(run.nextAt) : null,
        acknowledgedBy: run.is === 'acknowledged' ? run.by : null,
        restartsAt: run.is === 'acknowledged' ? timestamp(run.restartAt) : null,
      }),
      waitsForCheck: run.is === 'running' && pages.waitsForCheck(id),
      leadMonitorID: lead.monitorId,
      incidents: pages.countMembers(id),
      told: told.map(({ person, endpoint }) => ({
        ...knownFields({ personRef: person }),
        endpointRef: endpoint,
      })),
      held: held.map(({ news, until }) => ({ personRef: news.person ?? '', until: timestamp(until) })),
    }
  }

  #nameOf(person: string | null): string | null {
    return person === null ? null : (this.#fleet.definition.people.get(person)?.name ?? null)
  }
}

const eightWeeksMs = 56 * 86_400_000
