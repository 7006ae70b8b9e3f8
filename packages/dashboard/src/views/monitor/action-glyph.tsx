// views/monitor/action-glyph.tsx: the progress of an action, in the shapes and hues of the statuses.
// Decoration: the sentence beside it says the same.
import type { Status } from '@pulseward/contract'
import type { ActionState } from '@pulseward/contract/v1/words'
import { StatusGlyph } from '../../components/status.tsx'

const looks: Readonly<Record<ActionState, Status>> = {
  queued: 'unknown',
  started: 'verifying',
  succeeded: 'up',
  failed: 'down',
  unknown: 'degraded',
  cancelled: 'disabled',
}

export function ActionGlyph({ state }: { readonly state: ActionState }) {
  return <StatusGlyph status={looks[state]} />
}
