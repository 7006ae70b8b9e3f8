// notify/driver/text.ts: names and answers of strangers made fit to stand in a message: one line, nothing invisible,
// nobody called by name, no longer than the provider takes. Pure. What a character means to one provider (escaping)
// is that provider's own business.

import { onOneLine } from '../../platform/wording.ts'

/** At most so many code points; the last is an ellipsis where something is missing. */
export function cut(text: string, maxCodePoints: number): string {
  // No code point is longer than two units, so this bounds the work by the limit and not by the text.
  const start = Array.from(text.slice(0, 2 * maxCodePoints + 2))
  if (start.length <= maxCodePoints) return text
  return `${start.slice(0, maxCodePoints - 1).join('')}…`
}

/** At most so many bytes of UTF-8; the last character is an ellipsis where something is missing. */
export function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes - Buffer.byteLength('…')))
  return `${text.slice(0, read)}…`
}

// An @ that begins a word; within an address such as ops@shop.test it calls nobody.
const MENTION = /(?<![\p{L}\p{N}._%+-])@(?=[\p{L}\p{N}_])/gu

/** Splits @here, @everyone and their like by a character without width, so that they call nobody. */
export function withoutMentions(text: string): string {
  return text.replace(MENTION, '@\u200b')
}

/** Everything at once: for people's eyes, at most so many code points. */
export function neutral(text: string, maxCodePoints: number): string {
  // Cut twice: first so that the work is bounded, then because marks were put in.
  return cut(withoutMentions(onOneLine(cut(text, 4 * maxCodePoints))), maxCodePoints)
}
