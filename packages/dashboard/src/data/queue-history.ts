import type { QueueSeries } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

/** Half a megabyte: who only wants its shape reads it less often. */
export function useQueueHistory(everyMs?: number): Reading<QueueSeries> {
  return useReading('queue-history', '/api/v1/queues/history', { everyMs })
}
