// controls/page-desk.ts: where a page of a policy is acknowledged as a whole: all of its incidents that have not been
// acknowledged since it started, by one person, a bounded number in each turn.
import { incidentRevisionOf } from '../deciding/health/health.ts'
import type { Engine } from '../engine/engine.ts'
import type { Fleet } from '../fleet/fleet.ts'

const mostInTurn = 500

export interface PageDeskOptions {
  readonly engine: Pick<Engine, 'request' | 'applyControl' | 'reading'>
  readonly fleet: Fleet
}

export class PageDesk {
  readonly #options: PageDeskOptions

  constructor(options: PageDeskOptions) {
    this.#options = options
  }

  /** False if it could not be stored, or only a part of it: it may be asked for again. */
  async acknowledge(page: string, actor: string, note: string): Promise<boolean> {
    const { engine, fleet } = this.#options
    const asked = { actor, reason: null, note }
    // An incident that refuses to be acknowledged has closed meanwhile.
    const tried = new Set<string>()
    for (;;) {
      const left = engine.reading.pages
        .unacknowledgedOf(page)
        .filter(({ incidentId }) => !tried.has(incidentId))
      if (left.length === 0) return true
      const end = await engine.request('told', (turn) => {
        for (const { monitorId, incidentId } of left.slice(0, mostInTurn)) {
          tried.add(incidentId)
          const row = fleet.rowOf(monitorId)
          const incident = row === -1 ? null : (engine.reading.healthOf(row).episode?.incident ?? null)
          if (incident?.id !== incidentId) continue
          const revision = incidentRevisionOf(incident)
          engine.applyControl(turn, { verb: 'acknowledge', monitorId, incidentId, revision, asked })
        }
      })
      if (end !== 'stored') return false
    }
  }
}
