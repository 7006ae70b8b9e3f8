// data/known-monitors.ts: the number and name of monitors by stable identity, which is all that events carry.
// Uses what the page has read anyway; if something is missing, a small fleet is read whole.

import { v1Limits } from '@pulseward/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type MonitorRow, useMonitors } from './monitors.ts'
import { useOverview } from './overview.ts'
import { bodyOf } from './reading.ts'

export type KnownMonitor = Pick<MonitorRow, 'id' | 'name'>

interface HasRows {
  readonly monitors?: readonly MonitorRow[]
  readonly incidents?: readonly MonitorRow[]
}

const sources: ReadonlySet<unknown> = new Set(['monitors', 'incidents'])

export function useKnownMonitors(wanted: readonly string[]): ReadonlyMap<string, KnownMonitor> {
  const client = useQueryClient()
  const known = new Map<string, KnownMonitor>()
  const remember = (rows: readonly MonitorRow[] = []) => {
    for (const row of rows) if (row.monitor_id !== undefined) known.set(row.monitor_id, row)
  }
  for (const [, body] of client.getQueriesData<HasRows>({
    predicate: ({ queryKey }) => sources.has(queryKey[0]),
  })) {
    remember(body?.monitors)
    remember(body?.incidents)
  }
  const isSmall = (bodyOf(useOverview())?.total ?? Number.POSITIVE_INFINITY) <= v1Limits.sizeCap
  const isMissing = wanted.some((id) => !known.has(id))
  const all = useMonitors({ size: v1Limits.sizeCap }, { enabled: isSmall && isMissing })
  remember(bodyOf(all)?.monitors)
  return known
}
