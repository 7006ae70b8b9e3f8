import type { Config } from '@pulseward/contract'
import { bodyOf, type Reading } from './reading.ts'
import { useReading } from './use-reading.ts'

export function useConfig(): Reading<Config> {
  return useReading('config', '/api/v1/config')
}

/** Null until it is known. */
export function useKeepsHistory(): boolean | null {
  const config = bodyOf(useConfig())
  return config === null ? null : config.history_retention_days !== null
}
