// acting/messages.ts: what people and recoveries are told, from what is known about the monitor when the
// action starts. Texts are passed on unchanged: every driver escapes them for its own medium.
import { statuses } from '@pulseward/contract'
import type { Action, PageNews, PageStage } from '../deciding/actions/action.ts'
import type { Ledger } from '../deciding/actions/ledger.ts'
import type { Decider } from '../deciding/decide.ts'
import type { Health, Instant } from '../deciding/health/health.ts'
import type { HealthTable } from '../deciding/health-table.ts'
import type { Fleet } from '../fleet/fleet.ts'
import {
  type Color,
  type MaintenanceNews,
  type Notification,
  type Severity,
  severityOf,
  type Untold,
} from '../notify/driver.ts'
import type { Identities } from '../persistence/identities.ts'
import type { Intervention } from '../recovery/driver.ts'

/** A digest names this many monitors and counts the others. */
const digestNamesAtMost = 10

/** The address by which a person acknowledges a page. */
export type AckUrl = (page: string, person: string, atMs: number) => string

export interface MessagesOptions {
  readonly fleet: Fleet
  readonly health: HealthTable
  readonly identities: Identities
  readonly ledger: Ledger
  readonly decider: Decider
  /** The address at which people reach the service; null if it is not configured. */
  readonly publicUrl: string | null
  readonly ackUrl: AckUrl | null
}

export class Messages {
  readonly #options: MessagesOptions

  constructor(options: MessagesOptions) {
    this.#options = options
  }

  /** The row is -1 for a digest, and for a monitor that is no longer in the fleet. */
  notification(row: number, action: Action): Notification {
    if (action.cause === 'digest') return this.#digest(action)
    const { page } = action
    if (page?.handover !== undefined) return this.#handover(action, page, page.handover)
    if (page !== undefined) return this.#page(action, page)
    const color = action.color!
    return {
      monitorId: action.monitorId!,
      ...(row < 0 ? this.#departed(action) : this.#present(row, action)),
      color,
      cause: action.cause!,
      severity: color === 'red' && row >= 0 ? this.#severity(row) : severityOf(color),
      ...(color === 'green' && action.since !== null ? { beganMs: Math.round(action.since) } : {}),
      incidentId: action.incidentId,
      actionId: action.id,
      atMs: Math.round(action.queuedAt),
      digest: null,
    }
  }

  intervention(row: number, action: Action): Intervention {
    return {
      monitorId: action.monitorId!,
      monitor: this.#options.fleet.nameOf(row),
      actionId: action.id,
      incidentId: action.incidentId,
      seen: this.#options.health.noteOf(row)?.lastError ?? null,
      atMs: Math.round(action.queuedAt),
      link: this.#link(row),
    }
  }

  #present(row: number, action: Action) {
    const { fleet, health: table } = this.#options
    const health = table.of(row)
    return {
      monitor: fleet.nameOf(row),
      status: statuses[fleet.columns.status[row]!]!,
      seen: this.#seen(row, action, health),
      sinceMs: since(action, health),
      acknowledgedBy: acknowledgedBy(action, health),
      maintenance: maintenanceNews(action, health),
      link: this.#link(row),
      untold: this.#untold(row, action),
    }
  }

  /** Sent only to a provider that keeps alerts, with the monitor's identity, so that it drops the alert. */
  #departed({ monitorId, queuedAt }: Action) {
    return {
      monitor: monitorId!,
      status: 'disabled',
      seen: null,
      sinceMs: Math.round(queuedAt),
      link: null,
      untold: null,
    }
  }

  /** Of its red. */
  #severity(row: number): Severity {
    return this.#options.fleet.notifyOf(row).severity ?? severityOf('red')
  }

  #untold(row: number, { id, startedAt }: Action): Untold | null {
    const { ledger, health } = this.#options
    const carried = ledger.view.carriedBy(id, startedAt!)
    if (carried === null) return null
    const { incidents, downMs, from, failure } = carried
    const seen = health.noteOf(row)?.lastError ?? failure
    return { incidents, downMs: Math.round(downMs), fromMs: Math.round(from), seen }
  }

  #digest({ id, endpoint, startedAt, queuedAt }: Action): Notification {
    const { ledger, publicUrl } = this.#options
    const { incidents, downMs, from, to, monitors } = ledger.view.digestOf(endpoint!, startedAt!)!
    const digest = {
      incidents,
      downMs: Math.round(downMs),
      fromMs: Math.round(from),
      toMs: Math.round(to),
      monitors: monitors.slice(0, digestNamesAtMost).map((entry) => ({
        monitorId: entry.monitorId,
        monitor: this.#nameOf(entry.monitorId),
        incidents: entry.incidents,
        downMs: Math.round(entry.downMs),
        seen: entry.failure,
      })),
      moreMonitors: Math.max(0, monitors.length - digestNamesAtMost),
    }
    return {
      monitorId: '',
      monitor: '',
      color: 'yellow',
      cause: 'digest',
      status: 'digest',
      severity: severityOf('yellow'),
      seen: null,
      sinceMs: digest.fromMs,
      incidentId: null,
      actionId: id,
      atMs: Math.round(queuedAt),
      untold: null,
      digest,
      link: publicUrl === null ? null : publicUrl.replace(/\/+$/, ''),
    }
  }

  #page(action: Action, news: PageNews): Notification {
    const { fleet, health: table, publicUrl, ackUrl } = this.#options
    const row = fleet.rowOf(news.lead)
    const color = pageColors[news.stage]
    const seen = row < 0 || color !== 'red' ? null : (table.noteOf(row)?.lastError ?? null)
    const { stage, policy, round, step, person, monitors, page, by = null } = news
    return {
      monitorId: news.lead,
      monitor: row < 0 ? news.lead : fleet.nameOf(row),
      color,
      cause: 'page',
      status: row < 0 ? 'disabled' : statuses[fleet.columns.status[row]!]!,
      severity: news.severity,
      seen,
      sinceMs: action.since === null ? null : Math.round(action.since),
      incidentId: action.incidentId,
      acknowledgedBy: by,
      actionId: action.id,
      atMs: Math.round(action.queuedAt),
      untold: null,
      digest: null,
      link: monitors === 1 && row >= 0 ? this.#link(row) : (publicUrl?.replace(/\/+$/, '') ?? null),
      page: {
        id: page,
        stage,
        policy,
        round: round + 1,
        step: step + 1,
        person,
        monitors,
        others: news.others.map((id) => this.#nameOf(id)),
        ackLink:
          stage === 'step' && person !== null ? (ackUrl?.(page, person, action.queuedAt) ?? null) : null,
      },
    }
  }

  #handover({ id, queuedAt }: Action, { page, person }: PageNews, handover: Handover): Notification {
    const { fleet, publicUrl } = this.#options
    const nameOf = (one: string | null) =>
      one === null ? null : (fleet.definition.people.get(one)?.name ?? one)
    const { schedule, from, to, untilMs } = handover
    return {
      monitorId: '',
      monitor: schedule,
      color: pageColors.handover,
      cause: 'page',
      status: 'handover',
      severity: 'info',
      seen: null,
      sinceMs: null,
      incidentId: null,
      actionId: id,
      atMs: Math.round(queuedAt),
      untold: null,
      digest: null,
      link: publicUrl?.replace(/\/+$/, '') ?? null,
      page: {
        ...{ id: page, stage: 'handover', policy: '', round: 0, step: 0, monitors: 0, others: [] },
        person,
        handover: { from: nameOf(from), to: nameOf(to), isYours: person === to, untilMs },
      },
    }
  }

  #nameOf(monitorId: string): string {
    const { fleet } = this.#options
    const row = fleet.rowOf(monitorId)
    return row < 0 ? monitorId : fleet.nameOf(row)
  }

  #seen(row: number, { color, cause }: Action, health: Health): string | null {
    if (cause === 'warning') return color === 'yellow' ? (health.warning?.text ?? null) : null
    if (color === 'green' || color === 'gray') return null
    return this.#options.health.noteOf(row)?.lastError ?? null
  }

  #link(row: number): string | null {
    const { publicUrl, identities } = this.#options
    return publicUrl === null ? null : `${publicUrl.replace(/\/+$/, '')}/monitors/${identities.numberOf(row)}`
  }
}

type Handover = NonNullable<PageNews['handover']>

/** How a notification of a page looks, and what it does to an alert that a provider keeps. */
const pageColors: Readonly<Record<PageStage, Color>> = {
  step: 'red',
  nobody: 'red',
  acknowledged: 'cyan',
  ended: 'green',
  missed: 'yellow',
  handover: 'cyan',
}

/**
 * The window as it is when the message is sent: a message that waited until the window was over says so. An action of a
 * version that kept no reasons does not know which window it is about.
 */
function maintenanceNews({ cause, because }: Action, { maintenance }: Health): MaintenanceNews | null {
  if (cause !== 'maintenance' || because === null) return null
  const recorded = because.kind === 'maintenance' || because.kind === 'maintenance_ended' ? because : null
  const name = maintenance?.name ?? recorded?.name ?? null
  if (maintenance === null) return { is: 'over', name, untilMs: null }
  return { is: 'begun', name, untilMs: recorded?.kind === 'maintenance' ? recorded.until : null }
}

/** For an incident that has closed since, the acknowledgement at the time of the action. */
function acknowledgedBy(action: Action, { episode }: Health): string | null {
  const incident = episode?.incident ?? null
  const isOpen = incident !== null && incident.id === action.incidentId
  return isOpen ? (incident.handling?.acknowledged?.by ?? null) : action.acknowledgedBy
}

function since({ cause, color, queuedAt }: Action, { episode, warning }: Health): Instant | null {
  if (color === 'green' || cause === 'maintenance') return Math.round(queuedAt)
  const at = cause === 'warning' ? warning?.since : episode?.firstFailureAt
  return at === undefined ? null : Math.round(at)
}
