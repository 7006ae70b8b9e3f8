// views/system/series-lines.ts: the samples of a queue or a pool as lines of a chart, and the newest in words.
import type { PoolSeries, QueueSeries } from '@pulseward/contract'
import type { ChartLine } from '../../components/chart-props.ts'
import { formatCount, formatMeasure } from '../../format/count.ts'

type QueueSample = QueueSeries['series']['pulse'][number]
type PoolSample = PoolSeries['series']['pulse'][number]

export interface SeriesChart {
  readonly timesMs: readonly number[]
  readonly lines: readonly ChartLine[]
  readonly summary: string
}

export function rateChart(samples: readonly QueueSample[]): SeriesChart {
  const last = samples.at(-1)
  return {
    timesMs: timesOf(samples),
    lines: [
      line('Added per second', samples, ({ enqueue_rate }) => enqueue_rate, '--accent', 'area'),
      line('Taken per second', samples, ({ dequeue_rate }) => dequeue_rate, '--up', 'dashed'),
    ],
    summary: `Rates of the last 15 minutes. Now ${formatMeasure(last?.enqueue_rate ?? null)} are added and ${formatMeasure(last?.dequeue_rate ?? null)} are taken per second.`,
  }
}

export function depthChart(samples: readonly QueueSample[]): SeriesChart {
  return {
    timesMs: timesOf(samples),
    lines: [line('Waiting', samples, ({ depth }) => depth, '--degraded', 'area')],
    summary: `Entries that waited in the last 15 minutes. Now ${formatCount(samples.at(-1)?.depth ?? null)} wait.`,
  }
}

export function slotChart(samples: readonly PoolSample[]): SeriesChart {
  const last = samples.at(-1)
  return {
    timesMs: timesOf(samples),
    lines: [
      line('Busy', samples, ({ busy }) => busy, '--accent', 'area'),
      line('Slots', samples, ({ capacity }) => capacity, '--ink-3', 'step'),
      line('Recommended', samples, ({ recommended }) => recommended, '--up', 'dashed'),
    ],
    summary: `Slots in the last 15 minutes. Now ${formatCount(last?.busy ?? null)} of ${formatCount(last?.capacity ?? null)} are busy; ${formatCount(last?.recommended ?? null)} are recommended.`,
  }
}

export function serviceChart(samples: readonly PoolSample[]): SeriesChart {
  return {
    timesMs: timesOf(samples),
    lines: [
      line('Duration of a job', samples, ({ service_time_ms }) => service_time_ms, '--verifying', 'area'),
    ],
    summary: `How long a job took in the last 15 minutes. Now ${formatMeasure(samples.at(-1)?.service_time_ms ?? null)} ms.`,
  }
}

function timesOf(samples: readonly { readonly at: string }[]): readonly number[] {
  return samples.map(({ at }) => Date.parse(at))
}

function line<Sample>(
  name: string,
  samples: readonly Sample[],
  figureOf: (sample: Sample) => number | null,
  hue: string,
  look: NonNullable<ChartLine['look']>,
): ChartLine {
  return { name, values: samples.map(figureOf), hue, look }
}
