import type { Config } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function useConfig(): Reading<Config> {
  return useReading('config', '/api/v1/config')
}
