// projection/engine-view.ts: the controller's own figures as v1 shows them: queues, pools, stages and their
// histories, and the SLO window. Reads observations; measures nothing itself.

import type { QueueObservation } from '../checking/queue/queue-observer.ts'
import type { DestinationFigures, EngineFigures } from '../engine/engine-figures.ts'
import { timestamp, toWire } from '../platform/wire.ts'
import type { SloReport } from '../slo/slo-window.ts'
import type { Sharing } from '../store/standing.ts'
import {
  HISTORY_CAPACITY,
  HISTORY_INTERVAL_SECONDS,
  type SampleHistory,
} from '../telemetry/sample-history.ts'
import type { SystemsObservation } from '../telemetry/system-meter.ts'

type Body = Record<string, unknown>

export function queuesView(figures: EngineFigures, generatedMs: number): Body {
  const queue = (observation: QueueObservation) => toWire(observation, ['lastEnqueue', 'lastDequeue'])
  return {
    generated: timestamp(generatedMs),
    queues: mapValues(figures.queues(), queue),
    destinations: figures.destinations().map(destinationView),
  }
}

function destinationView(destination: DestinationFigures): Body {
  const { name, driver, state, since, reason, until, queued } = destination
  return { name, driver, state, since: timestamp(since), reason, until: timestamp(until), queued }
}

export function poolsView(
  figures: EngineFigures,
  conditions: Readonly<Record<string, string | null>>,
  generatedMs: number,
): Body {
  const pools = Object.entries(figures.pools()).map(([name, observation]) => [
    name,
    { ...toWire(observation, ['lastScale']), slo_condition: conditions[name] ?? null },
  ])
  return { generated: timestamp(generatedMs), pools: Object.fromEntries(pools) }
}

export function systemsView(
  { systems, aggregate: sums }: SystemsObservation,
  loopLagP99Ms: number | null,
  generatedMs: number,
): Body {
  const { name: _, ...aggregate } = toWire(sums, ['lastProgress'])
  return {
    generated: timestamp(generatedMs),
    systems: systems.map((system) => toWire(system, ['lastProgress'])),
    aggregate: { ...aggregate, event_loop_lag_p99_ms: loopLagP99Ms },
  }
}

export function processesView(sharing: Sharing | null): Body {
  if (sharing === null) return {}
  const processes = sharing.processes()
  return {
    processes: processes.map(({ name, url, role, hasSameFiles }) => ({
      name,
      url,
      role,
      same_files: hasSameFiles,
    })),
  }
}

export function historyView(
  series: Readonly<Record<string, SampleHistory<string>>>,
  generatedMs: number,
): Body {
  return {
    generated: timestamp(generatedMs),
    interval_seconds: HISTORY_INTERVAL_SECONDS,
    capacity: HISTORY_CAPACITY,
    series: mapValues(series, (history) => history.samples().map((sample) => toWire(sample, ['at']))),
  }
}

export function sloView(report: SloReport, generatedMs: number): Body {
  return { generated: timestamp(generatedMs), ...toWire(report, ['gapStart', 'gapEnd']) }
}

const worstFirst = [
  'result_delay',
  'downstream_limited',
  'queue_delay',
  'coverage_gap',
  'insufficient_observations',
  'healthy',
]

/** The worst condition among all drivers' checks; null until something was checked. */
export function worstCondition({ reports }: SloReport): string | null {
  return worstFirst.find((condition) => reports.some((report) => report.condition === condition)) ?? null
}

function mapValues<From, To>(
  record: Readonly<Record<string, From>>,
  map: (value: From) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]))
}
