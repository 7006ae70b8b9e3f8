// engine/live-changes.ts: which monitors changed, for the event stream. It is filled only while a client listens, only
// with what is on disk, and only up to a limit; beyond that it records only that more has changed.
import type { Decision } from '../deciding/decision.ts'
import type { MonitorEvent } from '../deciding/health/step.ts'
import type { Journal } from '../persistence/journal.ts'

const keptAtMost = 2_000

export type IncidentChange = Extract<MonitorEvent, { type: 'incident_opened' | 'incident_closed' }>

export interface TakenChanges {
  readonly rows: ReadonlySet<number>
  readonly incidents: readonly { readonly row: number; readonly event: IncidentChange }[]
  /** More has changed than is listed here: clients have to read everything again. */
  readonly overflowed: boolean
}

export class LiveChanges {
  readonly #journal: Pick<Journal, 'afterCommit'>
  /** Whether a client listens. */
  isWatched = false
  #rows = new Set<number>()
  #incidents: { row: number; event: IncidentChange }[] = []
  #overflowed = false

  constructor(journal: Pick<Journal, 'afterCommit'>) {
    this.#journal = journal
  }

  follow({ steps }: Decision): void {
    if (!this.isWatched || steps.length === 0) return
    this.#journal.afterCommit(() => {
      for (const { row, step } of steps) this.note(row, step.events)
    })
  }

  note(row: number, events: readonly MonitorEvent[]): void {
    if (this.#rows.size >= keptAtMost) this.#overflowed = true
    else this.#rows.add(row)
    for (const event of events) {
      if (event.type !== 'incident_opened' && event.type !== 'incident_closed') continue
      if (this.#incidents.length >= keptAtMost) this.#overflowed = true
      else this.#incidents.push({ row, event })
    }
  }

  take(): TakenChanges {
    const taken = { rows: this.#rows, incidents: this.#incidents, overflowed: this.#overflowed }
    this.#rows = new Set()
    this.#incidents = []
    this.#overflowed = false
    return taken
  }
}
