import type { QueueSeries } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function useQueueHistory(): Reading<QueueSeries> {
  return useReading('queue-history', '/api/v1/queues/history')
}
