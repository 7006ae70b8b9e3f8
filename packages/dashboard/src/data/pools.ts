import type { Pools } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function usePools(): Reading<Pools> {
  return useReading('pools', '/api/v1/pools')
}
