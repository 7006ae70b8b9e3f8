// views/manage/operation-words.ts: operations in words: what each does, its progress, and whether
// it can still be cancelled.
import type { Status, v2 } from '@pulseward/contract'
import { formatCount, plural } from '../../format/count.ts'

export interface StateWords {
  /** The status whose glyph and hue it has. */
  readonly look: Status
  readonly meaning: string
  readonly isOpen: boolean
}

export const operationStates: Readonly<Record<v2.OperationState, StateWords>> = {
  staging: {
    look: 'unknown',
    meaning: 'Its items are being uploaded; nothing is changed yet.',
    isOpen: true,
  },
  validating: { look: 'verifying', meaning: 'The service is checking all items.', isOpen: true },
  validated: { look: 'unknown', meaning: 'It is valid and waits to be activated.', isOpen: true },
  rejected: { look: 'incident', meaning: 'Some items are wrong; nothing was changed.', isOpen: false },
  applying: { look: 'verifying', meaning: 'Its items are being applied.', isOpen: true },
  completed: { look: 'up', meaning: 'All items are applied.', isOpen: false },
  partial: { look: 'degraded', meaning: 'Some items are applied, others are not.', isOpen: false },
  failed: { look: 'incident', meaning: 'Nothing was applied.', isOpen: false },
  cancelled: { look: 'disabled', meaning: 'The rest of it was cancelled.', isOpen: false },
  expired: { look: 'disabled', meaning: 'Its client was inactive for too long.', isOpen: false },
}

/** `Apply 12 items`, `Snooze 3 items`. */
export function purposeOf({ verb, itemCount = 0 }: v2.Operation): string {
  const does = verb ?? 'apply'
  return `${does.slice(0, 1).toUpperCase()}${does.slice(1)} ${plural(itemCount, 'item')}`
}

export function progressOf({ state, uploaded = 0, applied = 0, itemCount = 0 }: v2.Operation): string {
  const [count, word] = state === 'staging' ? [uploaded, 'uploaded'] : [applied, 'applied']
  return `${formatCount(count)} of ${formatCount(itemCount)} ${word}`
}
