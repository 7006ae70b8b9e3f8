// acting/verbs.ts: what people can request for a monitor, its incident and its actions: the words on buttons,
// the key, and the operation. Small, because the first view loads it; the dialog, which is loaded later,
// explains what a verb means.
import type { SessionRole, v2 } from '@pulseward/contract'
import { may } from '../data/may.ts'

export const verbs = {
  acknowledge: { words: 'Acknowledge', key: 'a', operation: 'AcknowledgeIncident' },
  dismiss: { words: 'Dismiss', key: 'x', operation: 'DismissIncident' },
  reopen: { words: 'Reopen', key: 'o', operation: 'ReopenIncident' },
  snooze: { words: 'Snooze', key: 's', operation: 'SnoozeMonitor' },
  unsnooze: { words: 'End the snooze', key: 'w', operation: 'UnsnoozeMonitor' },
  enable: { words: 'Enable', key: 'e', operation: 'PatchMonitor' },
  disable: { words: 'Disable', key: 'd', operation: 'PatchMonitor' },
  recover: { words: 'Recover', key: 'r', operation: 'RecoverMonitor' },
  review: { words: 'Review', key: 'v', operation: 'ReviewAction' },
} as const satisfies Readonly<
  Record<string, { readonly words: string; readonly key: string; readonly operation: v2.OperationName }>
>

export type Verb = keyof typeof verbs

export function mayAsk(role: SessionRole, verb: Verb): boolean {
  return may(role, verbs[verb].operation)
}

export function isOfIncident(verb: Verb): verb is 'acknowledge' | 'dismiss' | 'reopen' {
  return verb === 'acknowledge' || verb === 'dismiss' || verb === 'reopen'
}
