// acting/ask.ts: the single entry point for everything that changes something. Buttons, keys and the palette
// only ask; the dialog that opens reads the subject and sends once.
import type { MonitorFilter } from '../data/monitors.ts'
import { createStore } from '../store.ts'
import type { Verb } from './verbs.ts'

export interface Asked {
  readonly verb: Verb
  /** The stable identity. */
  readonly monitorId: string
  /** If absent: the incident that is open when the dialog reads the monitor. */
  readonly incidentId?: string
  readonly actionId?: string
}

/** Monitors by stable identity, each with its name; or all that match a filter. */
export type Chosen =
  | { readonly kind: 'named'; readonly names: ReadonlyMap<string, string> }
  | { readonly kind: 'found'; readonly filter: MonitorFilter; readonly total: number }

/** The monitors with an open incident that a page of a policy is about. */
export interface ChosenPage {
  readonly kind: 'page'
  readonly page: string
}

export interface AskedOfMany {
  readonly verb: Exclude<Verb, 'review'>
  readonly chosen: Chosen | ChosenPage
}

/** One per dialog: asking the same again is another question with another number. */
export type Question = { readonly number: number } & (
  | { readonly kind: 'one'; readonly asked: Asked }
  | { readonly kind: 'many'; readonly asked: AskedOfMany }
)

/** Null while there is no open question. */
export const openQuestion = createStore<Question | null>(null)

/** What was done last, or why nothing was, as a sentence. */
export const announcement = createStore<string | null>(null)

let questions = 0

export function ask(asked: Asked): void {
  announcement.set(null)
  openQuestion.set({ number: ++questions, kind: 'one', asked })
}

export function askMany(asked: AskedOfMany): void {
  announcement.set(null)
  openQuestion.set({ number: ++questions, kind: 'many', asked })
}

/** Ends only this question: the browser reports a closed dialog late, when the next one may already be open. */
export function endQuestion(ended: Question): void {
  if (openQuestion.get() === ended) openQuestion.set(null)
}
