import type { Queues } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function useQueues(): Reading<Queues> {
  return useReading('queues', '/api/v1/queues')
}
