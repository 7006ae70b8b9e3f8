// trend/trend-charts.tsx: availability and latency over the same time, with incidents and maintenance behind
// them. Incidents of the fleet overlap, so for the fleet the chart shows how many were open.
import { useId, useMemo } from 'react'
import { Chart } from '../components/chart.tsx'
import type { ChartBand, ChartProps } from '../components/chart-props.ts'
import type { Trend } from '../data/trend.ts'
import { formatCount } from '../format/count.ts'
import { formatMilliseconds } from '../format/duration.ts'
import { formatTick } from '../format/time.ts'
import { availabilityPercent, type TrendGrid } from './grid.ts'
import { availabilityFloor, failureDepth } from './scale.ts'
import { incidentSpans, maintenanceSpans, openIncidents } from './spans.ts'
import { availabilityInWords, incidentsInWords, latencyInWords, slotInWords } from './trend-words.ts'

export interface TrendChartsProps {
  readonly trend: Trend
  readonly grid: TrendGrid
  readonly isFleet: boolean
  /** A part was dragged over. */
  readonly onSelect: (fromMs: number, toMs: number) => void
  /** Shows all of the window; null while it does. */
  readonly onReset: (() => void) | null
}

export function TrendCharts({ trend, grid, isFleet, onSelect, onReset }: TrendChartsProps) {
  const cursorKey = useId()
  const shared = useMemo(() => {
    const { slots, cellMs, fromMs, toMs } = grid
    return {
      timesMs: slots.map((slot) => slot.fromMs + cellMs / 2),
      period: { fromMs, toMs },
      formatTick,
      bands: isFleet ? [] : bandsOf(trend, grid),
    }
  }, [trend, grid, isFleet])
  const readout = (index: number) => {
    const slot = grid.slots[index]
    return slot === undefined ? '' : slotInWords(slot)
  }
  return (
    <>
      {/* The first chart has the readout and the keys for all of them, since they share the pointer. */}
      <AvailabilityChart
        trend={trend}
        grid={grid}
        shared={{ ...shared, cursorKey, onSelect, readout, keyboard: { onSelect, onReset } }}
      />
      <LatencyChart trend={trend} grid={grid} shared={{ ...shared, cursorKey, onSelect, readout: silent }} />
      {isFleet && <IncidentsChart trend={trend} grid={grid} shared={{ ...shared, cursorKey, onSelect }} />}
    </>
  )
}

const silent = () => ''

interface ChartOfTrend {
  readonly trend: Trend
  readonly grid: TrendGrid
  readonly shared: {
    readonly timesMs: readonly number[]
    readonly period: { readonly fromMs: number; readonly toMs: number }
    readonly formatTick: (ms: number) => string
    readonly bands: readonly ChartBand[]
    readonly cursorKey: string
    readonly onSelect: (fromMs: number, toMs: number) => void
    readonly readout?: (index: number) => string
    readonly keyboard?: NonNullable<ChartProps['keyboard']>
  }
}

function AvailabilityChart({ trend, grid, shared }: ChartOfTrend) {
  const percents = grid.slots.map(({ cell }) => availabilityPercent(cell))
  const floor = availabilityFloor(percents)
  return (
    <Chart
      {...shared}
      summary={availabilityInWords(trend, grid)}
      lines={[
        { name: 'Healthy', values: percents, hue: '--up', look: 'bars' },
        { name: 'Failed', values: failureDepth(percents, floor), hue: '--down', look: 'hanging bars' },
      ]}
      range={[floor, 100]}
      format={(percent) => `${percent} %`}
      height={132}
    />
  )
}

function LatencyChart({ trend, grid, shared }: ChartOfTrend) {
  return (
    <Chart
      {...shared}
      summary={latencyInWords(trend, grid)}
      lines={[
        {
          name: 'p50: half took no longer',
          values: grid.slots.map(({ cell }) => cell?.p50_ms ?? null),
          hue: '--accent',
          look: 'area',
        },
        {
          name: 'p95: 95 % took no longer',
          values: grid.slots.map(({ cell }) => cell?.p95_ms ?? null),
          hue: '--ink-2',
          look: 'dashed',
        },
      ]}
      format={formatMilliseconds}
      height={150}
    />
  )
}

function IncidentsChart({ trend, grid, shared }: ChartOfTrend) {
  const open = openIncidents(trend, grid)
  return (
    <Chart
      {...shared}
      summary={incidentsInWords(open, trend.window)}
      lines={[{ name: 'Open incidents', values: open, hue: '--incident', look: 'solid bars' }]}
      range={[0, Math.max(4, ...open.map((count) => count ?? 0))]}
      format={formatCount}
      height={90}
    />
  )
}

function bandsOf(trend: Trend, grid: TrendGrid): readonly ChartBand[] {
  const incidents = incidentSpans(trend, grid)
  const maintenance = maintenanceSpans(trend, grid) ?? []
  const bands: ChartBand[] = []
  if (maintenance.length > 0)
    bands.push({ name: 'Maintenance', hue: '--disabled', look: 'hatch', spans: maintenance })
  if (incidents.length > 0)
    bands.push({ name: 'Incident', hue: '--incident', look: 'tint', spans: incidents })
  return bands
}
