// client/control-many.ts: a control of all monitors with certain labels, as one operation: the service
// freezes the set of monitors, the user sees how many there are, and only then it is applied.
import type { v2 as wire } from '@pulseward/client'
import { v2 } from '@pulseward/contract'
import { counted, UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import { activateOperation } from './activate-operation.ts'
import { appliedBlocks } from './apply/report.ts'
import { operationExitCode } from './await-operation.ts'
import { isConfirmed, mustAsk, yesFlag } from './confirm.ts'
import { letGo, openOperation } from './open-operation.ts'
import { formatFrom, formatted } from './output.ts'
import type { Session } from './session.ts'
import { note } from './table/block.ts'

type Control = wire.ControlOperation['control']
export type ManyVerb = Control['verb']

export const manyFlags: Readonly<Record<string, FlagSpec>> = {
  selector: {
    kind: 'value',
    short: 'l',
    valueName: 'SELECTOR',
    summary: 'Instead of one: all monitors with these labels, such as team=payments,tier!=test.',
  },
  yes: yesFlag,
}

/** The operations that a command with a selector needs. */
export const manyOperations = ['CreateOperation', 'ActivateOperation', 'CancelOperation', 'GetOperation']

/** What the control applies to, and what has been done to it. */
const words: Readonly<Record<ManyVerb, readonly [subject: string, done: string]>> = {
  acknowledge: ['open incident', 'acknowledged'],
  dismiss: ['open incident', 'dismissed'],
  reopen: ['open incident', 'no longer dismissed'],
  snooze: ['monitor', 'snoozed'],
  unsnooze: ['monitor', 'no longer snoozed'],
  recover: ['monitor', 'asked to recover'],
  enable: ['monitor', 'enabled'],
  disable: ['monitor', 'disabled'],
}

/**
 * Null if a single subject is named instead. Throws a UsageError for anything that cannot be combined with a selector.
 */
export function selectorFrom(parsed: ParsedArguments): string | null {
  const selector = lastValue(parsed, 'selector')
  if (selector === null) {
    if (parsed.flags.has('yes')) throw new UsageError('--yes goes with -l SELECTOR; leave it out.')
    return null
  }
  if (parsed.operands.length > 0) throw new UsageError('Name one, or many with -l SELECTOR, not both.')
  for (const flag of ['revision', 'incident'])
    if (parsed.flags.has(flag)) throw new UsageError(`--${flag} applies to one; leave it out with -l.`)
  // An empty selector would mean the whole fleet.
  if (selector.trim() === '') throw new UsageError('-l needs labels, such as team=payments.')
  const read = v2.parseSelector(selector)
  if ('mistake' in read) throw new UsageError(`--selector ${read.mistake}.`)
  return selector
}

export async function controlMany(
  parsed: ParsedArguments,
  session: Session,
  control: Control,
): Promise<number> {
  const format = formatFrom(parsed)
  const asks = mustAsk(parsed, session)
  const { id, itemCount = 0 } = await openOperation(session, { control })
  const [subject, done] = words[control.verb]
  const span = control.duration === undefined ? '' : ` for ${control.duration}`
  if (itemCount === 0) return leave(session, id, `There is no ${subject} with these labels`)
  const question = `${capital(control.verb)} ${counted(itemCount, subject)}${span}?`
  if (asks && !(await isConfirmed(session, question))) return leave(session, id, 'Not confirmed')
  const operation = await activateOperation(session, id, true)
  if (typeof operation === 'number') return operation
  const what = `${counted(itemCount, subject)} ${itemCount === 1 ? 'is' : 'are'} ${done}${span}.`
  const isWhole = operation.state === 'completed'
  session.show(
    formatted(session.terminal, format, operation, () =>
      isWhole ? [note(capital(what))] : appliedBlocks(operation),
    ),
  )
  return operationExitCode(operation)
}

/** Releases the frozen set; if that fails, it expires by itself. */
async function leave(session: Session, id: string, why: string): Promise<number> {
  await letGo(session, id)
  session.say(`${why}; nothing was changed.`)
  return 1
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
