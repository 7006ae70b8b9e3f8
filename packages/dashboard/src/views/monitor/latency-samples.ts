// views/monitor/latency-samples.ts: the latencies seen while the page was open: the service keeps no raw
// checks. Bounded; a check that is read twice counts once.
import { plural } from '../../format/count.ts'

export interface LatencySample {
  readonly atMs: number
  readonly latencyMs: number | null
  readonly succeeded: boolean
}

export interface SeenCheck {
  readonly last_check: string | null
  readonly last_success: string | null
  readonly latency_ms: number | null
}

export const mostSamples = 900

export function withSample(samples: readonly LatencySample[], seen: SeenCheck): readonly LatencySample[] {
  if (seen.last_check === null) return samples
  const atMs = Date.parse(seen.last_check)
  const last = samples.at(-1)
  if (Number.isNaN(atMs) || (last !== undefined && atMs <= last.atMs)) return samples
  const sample = { atMs, latencyMs: seen.latency_ms, succeeded: seen.last_check === seen.last_success }
  return [...samples.slice(Math.max(0, samples.length + 1 - mostSamples)), sample]
}

export function latencyInWords(samples: readonly LatencySample[]): string {
  const measured = samples.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]))
  if (measured.length === 0) return 'No latency was measured since you opened this page.'
  const [low, high] = [Math.min(...measured), Math.max(...measured)].map((ms) => Math.round(ms * 10) / 10)
  const failed = samples.filter(({ succeeded }) => !succeeded).length
  return `${plural(measured.length, 'latency', 'latencies')} between ${low} and ${high} ms; ${plural(failed, 'check')} failed.`
}
