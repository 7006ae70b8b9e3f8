// projection/push-metrics.ts: the signals of jobs that report by themselves, as metric families. Zeros from the start, as
// usual: anybody may call with a key of no monitor.
import { pushSignals } from '@pulseward/contract'
import type { Family } from '../telemetry/exposition.ts'
import { type SignalCounts, unknownKeyAnswers } from '../telemetry/signal-counts.ts'
import { family, single } from './metric-families.ts'

export function pushFamilies(counts: SignalCounts): Family[] {
  const signals = counts.signals(pushSignals)
  return [
    family(
      'pulseward_push_signals_total',
      signals.map(({ kind, outcome, count }) => ({ labels: { kind, outcome }, value: count })),
    ),
    single('pulseward_push_invalid_signals_total', counts.invalid),
    family(
      'pulseward_push_unknown_keys_total',
      unknownKeyAnswers.map((answer) => ({ labels: { answer }, value: counts.unknownKeys(answer) })),
    ),
  ]
}
