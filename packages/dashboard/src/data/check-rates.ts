// data/check-rates.ts: how many checks became due and started in the last minutes. Keeps two figures per
// sample of an answer of half a megabyte.
import type { QueueSeries } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { readJson } from './request.ts'
import { useReading } from './use-reading.ts'

export interface CheckRates {
  readonly intervalMs: number
  /** Per second, oldest first; null if nothing was measured. */
  readonly started: readonly (number | null)[]
  readonly due: readonly (number | null)[]
}

const everyMs = 30_000

export function useCheckRates(): Reading<CheckRates> {
  return useReading('check-rates', '/api/v1/queues/history', { everyMs, read })
}

async function read(path: string, signal: AbortSignal): Promise<CheckRates> {
  const { interval_seconds, series } = await readJson<QueueSeries>(path, signal)
  return {
    intervalMs: interval_seconds * 1000,
    started: series.pulse.map(({ dequeue_rate }) => dequeue_rate),
    due: series.pulse.map(({ enqueue_rate }) => enqueue_rate),
  }
}
