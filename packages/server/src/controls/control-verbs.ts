// controls/control-verbs.ts: what controls of many monitors have to say, verb by verb, and which of them change resources.
import { v2 } from '@pulseward/contract'
import { refusal } from '../requests/v2-problem.ts'
import type { Selector } from '../store/selector.ts'
import { type ControlMember, controlMistakes } from './control-words.ts'

type Control = v2.ControlOperation['control']
export type ControlVerb = Control['verb']

const required: Readonly<Record<ControlVerb, readonly ControlMember[]>> = {
  acknowledge: [],
  dismiss: ['reason'],
  reopen: [],
  snooze: ['reason', 'duration'],
  unsnooze: [],
  enable: [],
  disable: [],
  recover: ['reason'],
}

/** Throws a problem for a member that is missing, misplaced or out of its bounds; all of them at once. */
export function requireWords(control: Control): void {
  const { verb, reason, duration } = control
  const said = {
    ...(reason === undefined ? {} : { reason }),
    ...(duration === undefined ? {} : { duration }),
  }
  const allowed: ControlMember[] = verb === 'snooze' ? ['reason', 'duration'] : ['reason']
  const mistakes = controlMistakes(said, required[verb], allowed, '/control')
  if (mistakes.length > 0) throw refusal('invalidResource', 'body', mistakes)
}

/** Whether it is a merge patch of the monitors, and not something that is asked of them. */
export function changesResources(verb: string): verb is 'enable' | 'disable' {
  return verb === 'enable' || verb === 'disable'
}

/** Throws a problem for a text that is none. */
export function selectorOf(text: string): Selector {
  const read = v2.parseSelector(text)
  if ('mistake' in read)
    throw refusal('invalidResource', 'body', [
      { field: '/control/selector', reason: 'malformed', message: read.mistake },
    ])
  return read.selector
}
