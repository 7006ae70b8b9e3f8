import type { CandidateReadyz, MainReadyz } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { readJson } from './request.ts'
import { useReading } from './use-reading.ts'

/** The common fields, and what each edition adds. */
export type Readiness = {
  readonly status: CandidateReadyz['status']
  readonly reasons?: readonly (
    | NonNullable<CandidateReadyz['reasons']>
    | NonNullable<MainReadyz['reasons']>
  )[number][]
} & Partial<Omit<CandidateReadyz, 'status' | 'reasons'>> &
  Partial<Omit<MainReadyz, 'status' | 'reasons'>>

/** "Not ready" is an answer too. */
export function useReady(): Reading<Readiness> {
  return useReading('ready', '/api/v1/readyz', { read: (path, signal) => readJson(path, signal, [503]) })
}
