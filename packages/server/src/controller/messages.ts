// controller/messages.ts: what people and recoveries are told of an action, from what is known of its monitor at the
// moment it starts. Texts go out as they are: every driver neutralises them for its own medium.
import { statuses } from '@pulseward/contract'
import type { Action } from '../actions/action.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Health, Instant } from '../health/health.ts'
import { type Notification, severityOf } from '../notify/driver.ts'
import type { Intervention } from '../recovery/driver.ts'
import type { HealthKeeper } from './health-keeper.ts'
import type { Identities } from './identities.ts'

export interface MessagesOptions {
  readonly fleet: Fleet
  readonly keeper: HealthKeeper
  readonly identities: Identities
  /** Where people reach the service; null when that is not known. */
  readonly publicUrl: string | null
}

export class Messages {
  readonly #options: MessagesOptions
  /** When the episode began that a slot was last told of: at its green it is over and health has forgotten it. */
  readonly #told = new Map<number, { readonly episodeId: string; readonly beganMs: number }>()

  constructor(options: MessagesOptions) {
    this.#options = options
  }

  notification(slot: number, action: Action): Notification {
    const { fleet, keeper } = this.#options
    const color = action.color!
    const health = keeper.healthOf(slot)
    const beganMs = this.#beganMs(slot, action, health)
    return {
      monitorId: action.monitorId,
      monitor: fleet.nameOf(slot),
      color,
      cause: action.cause!,
      status: statuses[fleet.columns.status[slot]!]!,
      severity: severityOf(color),
      seen: this.#seen(slot, action, health),
      sinceMs: since(action, health),
      ...(beganMs === null ? {} : { beganMs }),
      incidentId: action.incidentId,
      actionId: action.id,
      atMs: Math.round(action.queuedAt),
      link: this.#link(slot),
    }
  }

  intervention(slot: number, action: Action): Intervention {
    return {
      monitorId: action.monitorId,
      monitor: this.#options.fleet.nameOf(slot),
      actionId: action.id,
      incidentId: action.incidentId,
      seen: this.#options.keeper.wordsOf(slot)?.lastError ?? null,
      atMs: Math.round(action.queuedAt),
      link: this.#link(slot),
    }
  }

  #beganMs(slot: number, { color, episodeId }: Action, { episode }: Health): number | null {
    if (color !== 'green') {
      if (episode !== null) {
        this.#told.set(slot, { episodeId: episode.id, beganMs: Math.round(episode.firstFailureAt) })
      }
      return null
    }
    const told = this.#told.get(slot)
    return told !== undefined && told.episodeId === episodeId ? told.beganMs : null
  }

  #seen(slot: number, { color, cause }: Action, health: Health): string | null {
    if (cause === 'warning') return color === 'yellow' ? (health.warning?.text ?? null) : null
    if (color === 'green' || color === 'gray') return null
    return this.#options.keeper.wordsOf(slot)?.lastError ?? null
  }

  #link(slot: number): string | null {
    const { publicUrl, identities } = this.#options
    return publicUrl === null
      ? null
      : `${publicUrl.replace(/\/+$/, '')}/monitors/${identities.numberOf(slot)}`
  }
}

function since({ cause, color, queuedAt }: Action, { episode, warning }: Health): Instant | null {
  if (color === 'green' || cause === 'maintenance') return Math.round(queuedAt)
  const at = cause === 'warning' ? warning?.since : episode?.firstFailureAt
  return at === undefined ? null : Math.round(at)
}
