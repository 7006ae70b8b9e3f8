// data/recent-trends.ts: the last hours of the monitors in sight, for strips and sparklines. Outside React, since rows
// come and go with every frame of scrolling: whoever shows monitors says which are in sight, and only those that are not
// known or too old are asked for, many at once, when the scrolling rests. Absent in the edition that keeps nothing.
import { type RecentTrend, type RecentTrends, v1Limits } from '@pulseward/contract'
import { createStore } from '../store.ts'
import { ReadFailure } from './failure.ts'
import { paused } from './refresh.ts'
import { readJson } from './request.ts'

export interface KnownTrend extends RecentTrend {
  readonly cellSeconds: number
  readonly readAtMs: number
}

/** Longer than a glance at another page of the list. */
const mostKnown = 2_000
const restMs = 60
const freshForMs = 30_000
/** The first cell of a monitor should appear as soon as something was counted. */
const emptyForMs = 5_000
const lookEveryMs = 5_000
const absentForMs = 60_000

const known = new Map<number, KnownTrend>()
let wanted: readonly number[] = []
let timer: ReturnType<typeof setTimeout> | undefined
let isReading = false
let notBeforeMs = 0

/** Changes with every answer. */
export const recentTrends = createStore(0)

export function recentTrendOf(id: number): KnownTrend | null {
  return known.get(id) ?? null
}

/** These monitors are in sight now, and no others. */
export function watchRecentTrends(ids: readonly number[]): void {
  wanted = ids
  if (!isReading) readSoon(restMs)
}

function readSoon(inMs: number): void {
  clearTimeout(timer)
  timer = wanted.length === 0 ? undefined : setTimeout(() => void readMissing(), inMs)
}

async function readMissing(): Promise<void> {
  const nowMs = Date.now()
  const isSeen = !document.hidden && !paused.get() && nowMs >= notBeforeMs
  const ids = isSeen ? missing(nowMs).slice(0, v1Limits.recentMonitors) : []
  if (ids.length === 0) return readSoon(lookEveryMs)
  isReading = true
  try {
    const path = `/api/v1/trends/recent?ids=${ids.join(',')}`
    remember(ids, await readJson<RecentTrends>(path, new AbortController().signal), nowMs)
  } catch (error) {
    const isAbsent = error instanceof ReadFailure && error.kind === 'absent'
    notBeforeMs = nowMs + (isAbsent ? absentForMs : lookEveryMs)
  }
  isReading = false
  readSoon(missing(Date.now()).length > 0 ? restMs : lookEveryMs)
}

function missing(nowMs: number): readonly number[] {
  return wanted.filter((id) => {
    const trend = known.get(id)
    if (trend === undefined) return true
    const isEmpty = trend.samples.every((count) => count === 0)
    return nowMs - trend.readAtMs >= (isEmpty ? emptyForMs : freshForMs)
  })
}

function remember(asked: readonly number[], answer: RecentTrends, readAtMs: number): void {
  const found = new Map(answer.monitors.map((trend) => [trend.id, trend]))
  for (const id of asked) {
    // A monitor that has left is not asked for again and again.
    const trend = found.get(id) ?? { id, samples: [], healthy: [], p50_ms: [] }
    known.delete(id)
    known.set(id, { ...trend, cellSeconds: answer.cell_seconds, readAtMs })
  }
  for (const id of known.keys()) {
    if (known.size <= mostKnown) break
    known.delete(id)
  }
  recentTrends.set(recentTrends.get() + 1)
}
