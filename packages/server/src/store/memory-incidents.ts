// store/memory-incidents.ts: the incidents of the store in memory, in the order in which they were opened.
import {
  asOf,
  type IncidentPage,
  type IncidentQuery,
  incidentChange,
  notHandled,
  type StoredIncident,
} from './incident.ts'
import type { StoredEvent } from './store.ts'

export class MemoryIncidents {
  readonly #incidents = new Map<string, StoredIncident>()

  note(event: StoredEvent, position: number): void {
    const change = incidentChange(event)
    if (change === null) return
    const known = this.#incidents.get(change.id)
    if (change.is === 'opened') {
      const { id, monitorId, at, because } = change
      if (known === undefined)
        this.#incidents.set(id, {
          id,
          monitorId,
          opened: position,
          openedAt: at,
          because,
          closed: null,
          handling: notHandled,
        })
    } else if (known !== undefined && change.is === 'handled')
      this.#incidents.set(known.id, { ...known, handling: { ...known.handling, ...change.handling } })
    else if (known !== undefined && change.is === 'closed') {
      const { at, outcome } = change
      this.#incidents.set(known.id, { ...known, closed: { position, at, outcome } })
    }
  }

  list({ monitorId, upTo, after, limit }: IncidentQuery): IncidentPage {
    const highest = after === null ? upTo : Math.min(upTo, after - 1)
    const seen = [...this.#incidents.values()].filter(
      (incident) => incident.opened <= highest && (monitorId === null || incident.monitorId === monitorId),
    )
    const incidents = seen.reverse().slice(0, limit)
    return { incidents: incidents.map((incident) => asOf(incident, upTo)), more: seen.length > limit }
  }

  read(id: string): StoredIncident | null {
    return this.#incidents.get(id) ?? null
  }

  /** Removes those closed by an event before this position. */
  retain(oldest: number, rows: number): number {
    let removed = 0
    for (const { id, closed } of this.#incidents.values()) {
      if (removed >= rows) break
      if (closed === null || closed.position >= oldest) continue
      this.#incidents.delete(id)
      removed++
    }
    return removed
  }
}
