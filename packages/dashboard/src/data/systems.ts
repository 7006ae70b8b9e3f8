import type { Systems } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function useSystems(): Reading<Systems> {
  return useReading('systems', '/api/v1/systems')
}
