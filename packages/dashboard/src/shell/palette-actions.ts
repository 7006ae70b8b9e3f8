// shell/palette-actions.ts: what the palette offers to do from anywhere: act on an incident or a monitor that the text names,
// create something, change the appearance. What the user may not do is not offered; the dialog says what is not possible.
import { type Verb, verbs } from '../acting/verbs.ts'
import type { Appearance } from '../theme/appearance.ts'

export interface PaletteAction {
  readonly name: string
  /** Other words that people type for it. */
  readonly about?: string
  readonly run: () => void
}

/** Subjects of verbs, by stable identity. */
export interface ActedOn {
  readonly monitorId: string
  readonly name: string
  readonly incidentId?: string
}

/** The text of the palette as a verb and the name that follows it: "ack check". */
export interface Wish {
  readonly verb: Verb | null
  /** What is searched among monitors and incidents. */
  readonly rest: string
}

/** Verbs about one monitor or its incident; a review needs an action, which its page has. */
const offeredVerbs: readonly Verb[] = [
  'acknowledge',
  'dismiss',
  'reopen',
  'snooze',
  'unsnooze',
  'recover',
  'enable',
  'disable',
]
const shortest = 2

export function wishIn(text: string): Wish {
  const words = text.trim()
  const [first = ''] = words.split(/\s/, 1)
  const isTyped = (verb: Verb) => verbs[verb].words.toLowerCase().startsWith(first.toLowerCase())
  const verb = first.length < shortest ? undefined : offeredVerbs.find(isTyped)
  return verb === undefined ? { verb: null, rest: words } : { verb, rest: words.slice(first.length).trim() }
}

export function verbActions(
  verb: Verb,
  subjects: readonly ActedOn[],
  ask: (verb: Verb, subject: ActedOn) => void,
): readonly PaletteAction[] {
  return subjects.map((subject) => ({
    name: `${verbs[verb].words}: ${subject.name}`,
    run: () => ask(verb, subject),
  }))
}

const appearanceWords: Readonly<Record<Appearance, { readonly name: string; readonly about: string }>> = {
  dark: { name: 'Appearance: dark', about: 'theme night mode' },
  light: { name: 'Appearance: light', about: 'theme day mode' },
  system: { name: 'Appearance: as the system has it', about: 'theme mode automatic' },
}

export function appearanceActions(choose: (next: Appearance) => void): readonly PaletteAction[] {
  return (['dark', 'light', 'system'] as const).map((next) => ({
    ...appearanceWords[next],
    run: () => choose(next),
  }))
}

/** Whether every word of the text is in the name or in the words about it. */
export function isMeant(text: string, { name, about = '' }: { name: string; about?: string }): boolean {
  const all = `${name} ${about}`.toLowerCase()
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => all.includes(word))
}
