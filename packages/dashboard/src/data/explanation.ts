// data/explanation.ts: why a monitor is as it is, why an incident opened, or what became of a message, as v2 explains it.
import type { v2 } from '@pulseward/contract'
import type { Reading } from './reading.ts'
import { useV2Reading } from './v2-reading.ts'

export interface Explained {
  readonly kind: 'monitors' | 'incidents' | 'actions'
  readonly id: string
}

export function useExplanation({ kind, id }: Explained): Reading<v2.DecisionExplanation> {
  return useV2Reading(`/api/v2/${kind}/${encodeURIComponent(id)}/explanation`, {})
}
