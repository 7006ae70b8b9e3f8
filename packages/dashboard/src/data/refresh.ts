// data/refresh.ts: the refresh interval: every five seconds while the page is visible and not paused. An
// absent resource is requested again once a minute, since the service may come back as another edition.
import { createStore, useStore } from '../store.ts'
import { ReadFailure } from './failure.ts'

const everyMs = 5_000
const absentEveryMs = 60_000

export const paused = createStore(false)

export function usePaused(): boolean {
  return useStore(paused)
}

export function refreshEveryMs(isPaused: boolean, error: unknown, usualMs = everyMs): number | false {
  if (isPaused) return false
  if (!(error instanceof ReadFailure)) return usualMs
  if (error.kind === 'signed-out') return false
  return error.kind === 'absent' ? absentEveryMs : usualMs
}
