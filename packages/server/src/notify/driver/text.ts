// notify/driver/text.ts: makes foreign text, such as names and answers, safe for a message: one line, nothing
// invisible, no mentions, no longer than the provider takes. Pure. Escaping is left to each provider.

import { cut, onOneLine } from '../../platform/wording.ts'

export { cut } from '../../platform/wording.ts'

/** At most this many bytes of UTF-8; the last character is an ellipsis if something was cut. */
export function cutBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes - Buffer.byteLength('…')))
  return `${text.slice(0, read)}…`
}

// An @ at the beginning of a word. Inside an address such as ops@shop.test it mentions no user.
const MENTION = /(?<![\p{L}\p{N}._%+-])@(?=[\p{L}\p{N}_])/gu

/** Splits @here, @everyone and the like with a zero-width character, so that they mention no user. */
export function withoutMentions(text: string): string {
  return text.replace(MENTION, '@\u200b')
}

/** Applies all of the above, for text that people read; at most this many code points. */
export function neutral(text: string, maxCodePoints: number): string {
  // Cut twice: first to bound the work, then because marks were inserted.
  return cut(withoutMentions(onOneLine(cut(text, 4 * maxCodePoints))), maxCodePoints)
}
