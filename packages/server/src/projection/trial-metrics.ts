// projection/trial-metrics.ts: what people tried without saving it, as a metric family. Zeros from the start, as usual.
import { v2 } from '@pulseward/contract'
import type { Family } from '../telemetry/exposition.ts'
import type { LabelCount } from '../telemetry/label-counter.ts'
import { family } from './metric-families.ts'

const outcomes = { check: v2.checkTrialOutcomes, notification: v2.notificationTrialOutcomes }

/** Null for an edition that tries nothing. */
export function trialFamilies(counts: readonly LabelCount[] | null): Family[] {
  if (counts === null) return []
  const countOf = (kind: string, outcome: string) =>
    counts.find(({ first, second }) => first === kind && second === outcome)?.count ?? 0
  const samples = Object.entries(outcomes).flatMap(([kind, words]) =>
    words.map((outcome) => ({
      labels: { kind, outcome: inSnakeCase(outcome) },
      value: countOf(kind, outcome),
    })),
  )
  return [family('pulseward_trials_total', samples)]
}

/** As in the labels of other families. */
function inSnakeCase(word: string): string {
  return word.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
