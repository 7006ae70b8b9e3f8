// platform/wording.ts: how durations, sizes, counts and foreign text are written in sentences for people. Text from a
// target is quoted, cut and stripped of control characters, because it ends up in notifications and terminals.

const QUOTED_CHARACTERS = 80

// Control characters, and the invisible ones that reorder or hide the text around them.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** One line in quotation marks, cut to 80 characters. */
export function quote(text: string): string {
  // Cut before cleaning: the cost must not grow with what a target sends.
  const clean = onOneLine(text.slice(0, QUOTED_CHARACTERS * 4))
  const characters = Array.from(clean)
  if (characters.length <= QUOTED_CHARACTERS && text.length <= QUOTED_CHARACTERS * 4) return `"${clean}"`
  return `"${characters.slice(0, QUOTED_CHARACTERS).join('')}…"`
}

/** Without unprintable characters, as in quote. */
export function onOneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim()
}

/** At most this many code points; the last is an ellipsis if something was cut. */
export function cut(text: string, maxCodePoints: number): string {
  if (text.length <= maxCodePoints) return text
  // A code point has at most two units, so this bounds the work by the limit and not by the text.
  const start = Array.from(text.slice(0, 2 * maxCodePoints + 2))
  if (start.length <= maxCodePoints) return text
  return `${start.slice(0, maxCodePoints - 1).join('')}…`
}

export function durationInWords(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`
  return `${Number((durationMs / 1_000).toFixed(2))} s`
}

export function bytesInWords(bytes: number): string {
  if (bytes >= 1_048_576 && bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`
  if (bytes >= 1_024 && bytes % 1_024 === 0) return `${bytes / 1_024} KiB`
  return counted(bytes, 'byte')
}

/** Such as "1 monitor" and "3 monitors". */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`
}

/** Such as "fra, iad and sin". */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`
}

/** A calendar day in UTC. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10)
}
