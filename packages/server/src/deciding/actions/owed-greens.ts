// deciding/actions/owed-greens.ts: greens that were withdrawn unsent. What such a destination was told last
// is no longer true, so the monitor's next green goes there too, whatever its own destinations are. The debt
// is stored on the record of the withdrawn green, so that the next process finds it.
import type { Action, NotificationAction } from './action.ts'
import type { LedgerDraft } from './ledger-decision.ts'
import type { MonitorActions } from './monitor-actions.ts'

export function oweGreen(draft: LedgerDraft, monitor: MonitorActions, withdrawn: NotificationAction): void {
  payGreen(draft, monitor, withdrawn.endpoint)
  const green = { ...withdrawn, owesGreen: true, revision: withdrawn.revision + 1 }
  draft.change(green)
  restoreOwedGreen(monitor, green)
}

/** Restores a stored one. */
export function restoreOwedGreen(monitor: MonitorActions, green: Action): void {
  monitor.owedGreens = [...monitor.owedGreens, green]
}

/** The destination's next green is queued. If that one is withdrawn, it is owed again. */
export function payGreen(draft: LedgerDraft, monitor: MonitorActions, endpoint: string): void {
  settle(draft, monitor, (green) => green.endpoint === endpoint)
}

export function forgetOwedGreens(draft: LedgerDraft, monitor: MonitorActions): void {
  settle(draft, monitor, () => true)
}

function settle(draft: LedgerDraft, monitor: MonitorActions, isSettled: (green: Action) => boolean): void {
  const settled = monitor.owedGreens.filter(isSettled)
  if (settled.length === 0) return
  monitor.owedGreens = monitor.owedGreens.filter((green) => !isSettled(green))
  for (const green of settled) draft.change({ ...green, owesGreen: false, revision: green.revision + 1 })
}
