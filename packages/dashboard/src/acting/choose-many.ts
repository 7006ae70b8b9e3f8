// acting/choose-many.ts: the monitors that an operation over many is for. The matches of a filter are collected page by
// page, up to the limit of one operation; if there are more, the user is told, never cut off silently.
import { v1Limits, v2 } from '@pulseward/contract'
import type { MonitorFilter, MonitorList } from '../data/monitors.ts'
import { pathOf, readJson } from '../data/request.ts'
import type { Chosen } from './ask.ts'

export const mostOfMany = v2.limits.controlIDs

export type Names = ReadonlyMap<string, string>

/** Null if there are more than one operation accepts. */
export async function namesOf(
  chosen: Chosen,
  signal: AbortSignal,
  onProgress: (found: number) => void,
): Promise<Names | null> {
  if (chosen.kind === 'named') return chosen.names.size > mostOfMany ? null : chosen.names
  return collect(chosen.filter, signal, onProgress)
}

async function collect(
  filter: MonitorFilter,
  signal: AbortSignal,
  onProgress: (found: number) => void,
): Promise<Names | null> {
  const names = new Map<string, string>()
  for (let page = 1; ; page++) {
    const { q, status, type, code, snoozed } = filter
    const address = pathOf('/api/v1/monitors', {
      ...{ q, status, type, code, snoozed },
      page,
      size: v1Limits.sizeCap,
    })
    const { monitors, total } = await readJson<MonitorList>(address, signal)
    if (total > mostOfMany) return null
    // A monitor that moved to the next page meanwhile appears twice; the map by id counts it once.
    for (const { monitor_id, name } of monitors) if (monitor_id !== undefined) names.set(monitor_id, name)
    onProgress(names.size)
    if (monitors.length < v1Limits.sizeCap || names.size >= mostOfMany) return names
  }
}
