// controls/control-verbs.ts: the verbs of bulk controls: which members each needs, and which of them change resources.
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

/** Throws a problem for members that are missing, misplaced or out of bounds; all of them at once. */
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

/** Whether the verb is a merge patch of the monitors instead of a control on their state. */
export function changesResources(verb: string): verb is 'enable' | 'disable' {
  return verb === 'enable' || verb === 'disable'
}

/** Throws a problem if the text is not a selector. */
export function selectorOf(text: string): Selector {
  const read = v2.parseSelector(text)
  if ('mistake' in read)
    throw refusal('invalidResource', 'body', [
      { field: '/control/selector', reason: 'malformed', message: read.mistake },
    ])
  return read.selector
}
