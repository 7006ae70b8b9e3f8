// engine/changes.ts: which monitors changed, for whoever shows them live. It is filled only while somebody watches,
// only with what is committed, and never beyond a bound: after that it knows no more than that much has changed.
import type { MonitorEvent } from '../deciding/health/step.ts'

const keptAtMost = 2_000

export type IncidentChange = Extract<MonitorEvent, { type: 'incident_opened' | 'incident_closed' }>

export interface ChangesTaken {
  readonly rows: ReadonlySet<number>
  readonly incidents: readonly { readonly row: number; readonly event: IncidentChange }[]
  /** More than these: reading everything again is the only way to know. */
  readonly overflowed: boolean
}

export class Changes {
  /** Whether anybody wants to know. */
  isWatched = false
  #rows = new Set<number>()
  #incidents: { row: number; event: IncidentChange }[] = []
  #overflowed = false

  note(row: number, events: readonly MonitorEvent[]): void {
    if (this.#rows.size >= keptAtMost) this.#overflowed = true
    else this.#rows.add(row)
    for (const event of events) {
      if (event.type === 'incident_suppressed') continue
      if (this.#incidents.length >= keptAtMost) this.#overflowed = true
      else this.#incidents.push({ row, event })
    }
  }

  take(): ChangesTaken {
    const taken = { rows: this.#rows, incidents: this.#incidents, overflowed: this.#overflowed }
    this.#rows = new Set()
    this.#incidents = []
    this.#overflowed = false
    return taken
  }
}
