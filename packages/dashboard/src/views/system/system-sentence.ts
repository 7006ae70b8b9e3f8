// views/system/system-sentence.ts: how the controller is doing, in a sentence from its figures.
import type { Systems } from '@pulseward/contract'
import { formatMeasure } from '../../format/count.ts'
import { formatMilliseconds } from '../../format/duration.ts'

/** Beyond this a person would notice: checks start late by as much. */
const lateMs = 100

export function systemSentence(systems: Systems | null): string {
  if (systems === null) return 'There is no data about the controller now.'
  const { entities_per_second: rate, event_loop_lag_p99_ms: lagMs } = systems.aggregate
  const handled = rate === null ? '' : `The controller handles ${formatMeasure(rate)} updates per second. `
  if (lagMs === null) return `${handled}The delay of its event loop is not measured yet.`
  const howLate = lagMs > lateMs ? 'too late' : 'late'
  return `${handled}Its event loop is ${howLate} by at most ${formatMilliseconds(lagMs)} in 99 of 100 rounds.`
}
