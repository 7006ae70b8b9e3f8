import type { Slo } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function useSlo(): Reading<Slo> {
  return useReading('slo', '/api/v1/slo')
}
