// acting/ask.ts: the one door to all that changes something on the page. Buttons, keys and the palette only ask; the dialog
// that opens reads what it is about, and sends once.
import type { MonitorFilter } from '../data/monitors.ts'
import { createStore } from '../store.ts'
import type { Verb } from './verbs.ts'

export interface Asked {
  readonly verb: Verb
  /** The stable identity. */
  readonly monitorId: string
  /** Without it: the incident that is open when the dialog reads the monitor. */
  readonly incidentId?: string
  readonly actionId?: string
}

/** Monitors by their stable identity, each with its name; or all that a filter finds. */
export type Chosen =
  | { readonly kind: 'named'; readonly names: ReadonlyMap<string, string> }
  | { readonly kind: 'found'; readonly filter: MonitorFilter; readonly total: number }

export interface AskedOfMany {
  readonly verb: Exclude<Verb, 'review'>
  readonly chosen: Chosen
}

/** Null while nothing is asked. */
export const asked = createStore<Asked | null>(null)

/** Null while nothing is asked of many. */
export const askedOfMany = createStore<AskedOfMany | null>(null)

/** What was done last, or why nothing was, as a sentence. */
export const announcement = createStore<string | null>(null)

export function ask(request: Asked): void {
  announcement.set(null)
  // A new object: asking the same again is another question.
  asked.set({ ...request })
}

export function askMany(request: AskedOfMany): void {
  announcement.set(null)
  askedOfMany.set({ ...request })
}
