import type { PoolSeries } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function usePoolHistory(): Reading<PoolSeries> {
  return useReading('pool-history', '/api/v1/pools/history')
}
