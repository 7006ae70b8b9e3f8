// projection/read-model.ts: what the API can ask about the fleet. Each edition has its own read model;
// whatever a model cannot answer now is unavailable with a reason, never empty.
import type { Overview } from '@pulseward/contract'
import type { Available } from '../platform/available.ts'

export interface ReadModel {
  overview(): Available<Overview>
}
