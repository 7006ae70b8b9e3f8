// acting/last-actions.ts: what was last done about each monitor that is in an episode, for the list of incidents.
import type { Action } from '../deciding/actions/action.ts'
import type { Instant } from '../deciding/health/health.ts'

export interface LastAction extends Pick<Action, 'kind' | 'state' | 'outcome'> {
  readonly at: Instant
}

export class LastActions {
  readonly #actions = new Map<string, LastAction>()

  of(monitorId: string): LastAction | null {
    return this.#actions.get(monitorId) ?? null
  }

  note({ monitorId, kind, state, outcome, queuedAt, startedAt, finishedAt }: Action): void {
    if (monitorId === null) return
    this.#actions.set(monitorId, { kind, state, outcome, at: finishedAt ?? startedAt ?? queuedAt })
  }

  forget(monitorId: string): void {
    if (this.#actions.size > 0) this.#actions.delete(monitorId)
  }
}
