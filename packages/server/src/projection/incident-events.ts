// projection/incident-events.ts: the events of one incident, from the log of its monitor: those that name it, those of the
// recovery that its opening names, and those of notifications about that recovery. Only what is recorded counts; an event
// is never assigned by its time. A reading is bounded: it may end between two events and continue after a place.
import type { StoredIncident } from '../store/incident.ts'
import type { EventPage, EventQuery, Store } from '../store/store.ts'

type LoggedEvent = EventPage['events'][number]

export interface IncidentEventPage extends EventPage {
  /** The last position that was looked at; null if there was none. */
  readonly last: number | null
}

export type IncidentEventQuery = Pick<EventQuery, 'order' | 'upTo' | 'after' | 'limit'>

const lookedAtOnce = 500
/** A monitor may have many events beside those of the incident. */
const looksPerPage = 10

export class IncidentEvents {
  readonly #store: Pick<Store, 'readEvents' | 'readAction'>
  readonly #incident: StoredIncident
  /** The recovery that came before it; null if its opening names none. */
  readonly #recovery: string | null
  /** By notification: whether it is about that recovery. */
  readonly #isAbout = new Map<string, boolean>()

  constructor(store: Pick<Store, 'readEvents' | 'readAction'>, incident: StoredIncident) {
    this.#store = store
    this.#incident = incident
    this.#recovery = recoveryIn(incident)
  }

  async read({ order, upTo, after, limit }: IncidentEventQuery): Promise<IncidentEventPage> {
    const { monitorId } = this.#incident
    const found: LoggedEvent[] = []
    let from = after ?? (order === 'asc' ? (await this.#firstPosition(upTo)) - 1 : null)
    for (let look = 1; ; look++) {
      const asked = { monitorId, order, upTo, after: from, limit: lookedAtOnce, withoutResources: true }
      const { events, more, oldest } = await this.#store.readEvents(asked)
      for (const event of events) {
        from = event.position
        const isOver = order === 'desc' && this.#isFirst(event)
        if (await this.#has(event)) found.push(event)
        if (isOver) return { events: found, more: false, oldest, last: from }
        if (found.length === limit) return { events: found, more: true, oldest, last: from }
      }
      if (!more || look === looksPerPage) return { events: found, more, oldest, last: from }
    }
  }

  /** Where its first event is, or where the log begins. */
  async #firstPosition(upTo: number): Promise<number> {
    const { monitorId, opened } = this.#incident
    if (this.#recovery === null) return opened
    const newest = Math.min(upTo, opened)
    for (let after: number | null = null; ; ) {
      const asked = { monitorId, order: 'desc', upTo: newest, after, limit: lookedAtOnce } as const
      const { events, more } = await this.#store.readEvents({ ...asked, withoutResources: true })
      const first = events.find((event) => this.#isFirst(event))
      if (first !== undefined) return first.position
      const last = events.at(-1)
      // The recovery is older than what is kept.
      if (!more || last === undefined) return last?.position ?? opened
      after = last.position
    }
  }

  /** A recovery that a person asked for begins with the request. */
  #isFirst({ position, type, actionId, because }: LoggedEvent): boolean {
    if (this.#recovery === null) return position === this.#incident.opened
    if (actionId !== this.#recovery) return false
    return type === 'control_recover_requested' || (type === 'action_queued' && because?.kind !== 'control')
  }

  async #has({ incidentId, actionId, kind }: LoggedEvent): Promise<boolean> {
    if (incidentId !== null) return incidentId === this.#incident.id
    if (this.#recovery === null || actionId === null) return false
    return actionId === this.#recovery || (kind === 'code' && (await this.#isAboutRecovery(actionId)))
  }

  async #isAboutRecovery(actionId: string): Promise<boolean> {
    const known = this.#isAbout.get(actionId)
    if (known !== undefined) return known
    const because = (await this.#store.readAction(actionId))?.because
    const isAbout = because?.kind === 'recovery_accepted' && because.actionId === this.#recovery
    this.#isAbout.set(actionId, isAbout)
    return isAbout
  }
}

function recoveryIn({ because }: StoredIncident): string | null {
  return because !== null && 'actionId' in because ? (because.actionId ?? null) : null
}
