// views/overview/unknown-due.ts: when monitors with an unknown status are due, from as many of them as one page holds.
import { v1Limits } from '@pulseward/contract'
import { type MonitorList, useMonitors } from '../../data/monitors.ts'
import { bodyOf } from '../../data/reading.ts'
import type { UnknownDue } from './sentence.ts'

export function useUnknownDue(unknown: number): UnknownDue | null {
  const page = { status: 'unknown', size: v1Limits.sizeCap }
  const list = bodyOf(useMonitors(page, { enabled: unknown > 0 }))
  return list === null ? null : unknownDue(list)
}

export function unknownDue({ monitors, total }: Pick<MonitorList, 'monitors' | 'total'>): UnknownDue {
  const dueAtMs = monitors.flatMap(({ next_check }) => (next_check === null ? [] : [Date.parse(next_check)]))
  return {
    lookedAt: monitors.length,
    total,
    latestAtMs: dueAtMs.length === 0 ? null : Math.max(...dueAtMs),
    neverChecked: monitors.every(({ last_check }) => last_check === null),
  }
}
