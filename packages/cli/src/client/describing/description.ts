// client/describing/description.ts: what `describe` shows of one thing is made of: how it is and why, what belongs to it, and
// what happens next. A part that cannot be read now is missing with a note; the rest still stands.
import { type CallOptions, type Client, PulsewardError } from '@pulseward/client'
import type { Block, Cell, FactsBlock, Phrase } from '../table/block.ts'
import { facts, note } from '../table/block.ts'

export interface Reading {
  readonly client: Client
  readonly options: CallOptions
}

/** Makes the blocks for the body that v2 has of one thing. */
export type Describe<Body> = (body: Body, reading: Reading) => Promise<readonly Block[]>

/** Facts without those that there is nothing to say about. */
export function known(entries: FactsBlock['facts'], heading?: string): Block {
  return facts(
    entries.filter(([, value]) => !isNothing(value)),
    heading,
  )
}

function isNothing(value: Cell): boolean {
  return value === null || value === undefined || value === '' || value === false
}

/** What happens next, one sentence a line; nothing at all if that is so. */
export function next(sentences: readonly (string | Phrase)[]): Block[] {
  if (sentences.length === 0) return []
  return [facts(sentences.map((sentence, place) => [place === 0 ? 'Next' : '', sentence]))]
}

/** Null where the service cannot read it now, or has none of it. */
export async function ifReadable<Value>(reading: Promise<Value>): Promise<Value | null> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof PulsewardError && ['unavailable', 'notFound'].includes(error.category)) return null
    throw error
  }
}

export function unreadable(what: string): Block {
  return note(`${what} cannot be read now; try again in a moment.`)
}
