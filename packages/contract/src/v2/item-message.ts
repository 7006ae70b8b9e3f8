// v2/item-message.ts: the message of an item that is not valid, as one text: its source, then every mistake as a JSON
// pointer and a sentence. Operations keep only this text, so the command reads the mistakes from it again.
import type { FieldError } from './wire/problem.ts'

export type ItemMistake = Pick<FieldError, 'field' | 'message'>

export function itemMessage(source: string, errors: readonly ItemMistake[]): string {
  return `${source}: ${errors.map(({ field, message }) => `${field}: ${sentence(message)}`).join(' ')}`
}

/** Null for a text that is not of this form. */
export function mistakesInItemMessage(source: string, message: string): ItemMistake[] | null {
  if (!message.startsWith(`${source}: /`)) return null
  const mistakes = message
    .slice(source.length + 2)
    .split(betweenMistakes)
    .map((text) => /^(?<field>\/.*?): (?<message>.+)$/s.exec(text)?.groups)
  return mistakes.includes(undefined) ? null : (mistakes as unknown as ItemMistake[])
}

/** A sentence has ended, and the next words are a pointer into a resource. */
const betweenMistakes = /(?<=[.?]) (?=\/(?:metadata|spec)[/:])/

function sentence(text: string): string {
  return /[.?]$/.test(text) ? text : `${text}.`
}
