// fleet/columns.ts: the present state of each monitor, as columns in shared memory that any thread reads in
// place. They grow in place; readers are sent the longer views.
import { codes, statuses, v2 } from '@pulseward/contract'
import { addTo, grown, newColumn, put } from '../platform/column.ts'

export const statusNumber = Object.fromEntries(statuses.map((status, number) => [status, number])) as Record<
  (typeof statuses)[number],
  number
>

/** 0 is none; 1 is codes[0], the most important. */
export const noCode = 0
export const codeNumber = Object.fromEntries(codes.map((code, index) => [code, index + 1])) as Record<
  (typeof codes)[number],
  number
>

/** No check runs longer. A larger value is not a measurement, and beyond 3.4e38 the column would hold Infinity. */
export const longestLatencyMs = v2.limits.jobTimeoutHours * 3_600_000

/** Clamps a latency to what the column may hold. */
export function boundedLatency(ms: number): number {
  return Math.min(Math.max(ms, 0), longestLatencyMs)
}

export interface FleetColumns {
  readonly capacity: number
  /** Index into statuses. */
  readonly status: Uint8Array
  /** Index into the fleet's list of check types. */
  readonly type: Uint8Array
  readonly code: Uint8Array
  /** In the service's own time; NaN before the first check. */
  readonly lastCheck: Float64Array
  readonly lastSuccess: Float64Array
  /** Latency of the last check that answered; NaN before the first. */
  readonly latencyMs: Float32Array
  readonly consecutiveFailures: Uint16Array
  readonly healthySamples: Uint32Array
  readonly totalSamples: Uint32Array
  /** The samples of the last checkpoint: these are shown, since they can never decrease. */
  readonly shownHealthySamples: Uint32Array
  readonly shownTotalSamples: Uint32Array
  /** 1 while the next checkpoint has something new to write for the row. */
  readonly unsaved: Uint8Array
  /** The number that identifies a monitor in the API; 0 for a row without one. */
  readonly numericId: Uint32Array
  /** When the open incident was opened, in the service's own time; 0 if there is none. */
  readonly openedAt: Float64Array
  /** Rises with each started check and each change of the check; results with an older generation are ignored. */
  readonly generation: Uint32Array
  /** Rises when check.type or check.config change. */
  readonly checkRevision: Uint32Array
  /** 1 while nothing but columns is needed to apply a success (deciding/health/quiet.ts). */
  readonly quiet: Uint8Array
  /** 1 if it is enabled and its red has no destination. Kept by deciding/silent-monitors.ts. */
  readonly tellsNobody: Uint8Array
  /** 1 while the monitor is snoozed. */
  readonly snoozed: Uint8Array
}

export function createColumns(capacity: number): FleetColumns {
  return {
    capacity,
    status: newColumn(Uint8Array, capacity),
    type: newColumn(Uint8Array, capacity),
    code: newColumn(Uint8Array, capacity),
    lastCheck: newColumn(Float64Array, capacity),
    lastSuccess: newColumn(Float64Array, capacity),
    latencyMs: newColumn(Float32Array, capacity),
    consecutiveFailures: newColumn(Uint16Array, capacity),
    healthySamples: newColumn(Uint32Array, capacity),
    totalSamples: newColumn(Uint32Array, capacity),
    shownHealthySamples: newColumn(Uint32Array, capacity),
    shownTotalSamples: newColumn(Uint32Array, capacity),
    unsaved: newColumn(Uint8Array, capacity),
    numericId: newColumn(Uint32Array, capacity),
    openedAt: newColumn(Float64Array, capacity),
    generation: newColumn(Uint32Array, capacity),
    checkRevision: newColumn(Uint32Array, capacity),
    quiet: newColumn(Uint8Array, capacity),
    tellsNobody: newColumn(Uint8Array, capacity),
    snoozed: newColumn(Uint8Array, capacity),
  }
}

export function grownColumns(columns: FleetColumns, capacity: number): FleetColumns {
  const { capacity: _, ...byName } = columns
  const longer = Object.entries(byName).map(([name, column]) => [name, grown(column, capacity)])
  return { capacity, ...Object.fromEntries(longer) } as FleetColumns
}

/** Clears a row for a new monitor. */
export function clearRow(columns: FleetColumns, row: number): void {
  columns.status[row] = statusNumber.unknown
  put(columns.code, row, 0)
  columns.lastCheck[row] = Number.NaN
  columns.lastSuccess[row] = Number.NaN
  columns.latencyMs[row] = Number.NaN
  put(columns.consecutiveFailures, row, 0)
  put(columns.healthySamples, row, 0)
  put(columns.totalSamples, row, 0)
  put(columns.shownHealthySamples, row, 0)
  put(columns.shownTotalSamples, row, 0)
  put(columns.unsaved, row, 0)
  put(columns.numericId, row, 0)
  put(columns.openedAt, row, 0)
  put(columns.quiet, row, 0)
  put(columns.tellsNobody, row, 0)
  put(columns.snoozed, row, 0)
  // generation and checkRevision are not reset: a late result of the row's last monitor must match neither.
  addTo(columns.generation, row, 1)
  addTo(columns.checkRevision, row, 1)
}
