// explaining/action-words.ts: what a recovery or a notification is called, and what became of it, from its record.

import { nameOfAction } from '@pulseward/contract/v1/words'
import type { Action } from '../deciding/actions/action.ts'
import { timestamp } from '../platform/wire.ts'
import { clauseOf, type Teller, unrecorded } from './explained.ts'

/** Such as "Red of Edge to ops-chat". */
export function titleOf({ kind, color, endpoint, monitorId, page }: Action, { names }: Teller): string {
  const subject = monitorId ?? page?.lead ?? null
  const about = subject === null || subject === '' ? '' : ` of ${names(subject)}`
  const to = endpoint === null ? '' : ` to ${endpoint}`
  if (kind === 'code' && color === null) {
    if (page === undefined) return `The digest${to}`
    return page.stage === 'handover' ? `The message about a hand-over${to}` : `The page${about}${to}`
  }
  return `${nameOfAction({ kind, color, endpoint: null })}${about}${to}`
}

/** What became of it, as the end of a sentence that begins with its title. */
export function fateOf(action: Action, teller: Teller): string {
  const { state, kind, notBefore, startedAt, finishedAt, delay } = action
  const why = clauseOf(action.endedBecause, teller) ?? action.reason ?? unrecorded
  const time = (instant: number | null) => (instant === null ? '' : ` at ${timestamp(instant)}`)
  switch (state) {
    case 'queued': {
      const waits = clauseOf(delay, teller)
      return waits === null ? 'is queued' : `waits until ${timestamp(notBefore)}: ${waits}`
    }
    case 'started':
      return `was sent${time(startedAt)}, and no answer has come yet`
    case 'succeeded':
      return `was ${kind === 'code' ? 'delivered' : 'accepted'}${time(finishedAt)}`
    case 'failed':
      return `was not ${kind === 'code' ? 'delivered' : 'accepted'}: ${why}`
    case 'cancelled':
      return `was dropped: ${why}`
    case 'unknown':
      return `was sent, and its outcome is not known: ${why}`
  }
}

/** Why it was decided, if its fate does not say it all. */
export function causeOf(action: Action, teller: Teller): string | null {
  const isOn = action.state === 'queued' || action.state === 'started' || action.state === 'succeeded'
  const isToldBy = action.state === 'queued' && action.delay !== undefined
  return isOn && !isToldBy ? (clauseOf(action.because, teller) ?? unrecorded) : null
}
