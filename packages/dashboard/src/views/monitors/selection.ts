// views/monitors/selection.ts: which monitors are selected for one operation: those that were ticked, on any page and
// with any filter, or all matches of one filter. It ends with the page: a link never selects anything.
import type { Chosen } from '../../acting/ask.ts'
import type { MonitorFilter, MonitorRow } from '../../data/monitors.ts'
import { createStore, useStore } from '../../store.ts'

const nothing: Chosen = { kind: 'named', names: new Map() }

const selection = createStore<Chosen>(nothing)

export function useSelection(): Chosen {
  return useStore(selection)
}

export function selectNothing(): void {
  selection.set(nothing)
}

export function selectFound({ q, status, type, code, snoozed }: MonitorFilter, total: number): void {
  selection.set({ kind: 'found', filter: { q, status, type, code, snoozed }, total })
}

export function isChosen(chosen: Chosen, { monitor_id }: MonitorRow): boolean {
  return chosen.kind === 'found' || (monitor_id !== undefined && chosen.names.has(monitor_id))
}

/** Adds rows to the selection, or removes them. */
export function select(rows: readonly MonitorRow[], isSelected: boolean): void {
  const now = selection.get()
  const names = new Map(now.kind === 'named' ? now.names : [])
  for (const { monitor_id, name } of rows) {
    if (monitor_id === undefined) continue
    if (isSelected) names.set(monitor_id, name)
    else names.delete(monitor_id)
  }
  selection.set({ kind: 'named', names })
}
