// status-pages/written-update.ts: one message of people about an incident or maintenance.
import type { v2 } from '@pulseward/contract'

export interface WrittenUpdate {
  /** Null for maintenance. */
  readonly phase: v2.IncidentPhase | null
  readonly atMs: number
  /** Markdown. */
  readonly text: string
}
