// platform/wording.ts: how durations and foreign text are written in sentences for people. Text that comes from a
// target is quoted, cut and stripped of control characters, because it ends up in notifications and terminals.

const QUOTED_CHARACTERS = 80

// Control characters, and the invisible ones that reorder or hide the text around them.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** One line in quotation marks, at most 80 characters of it. */
export function quote(text: string): string {
  // Cut before cleaning: the cost must not grow with what a target sends.
  const clean = onOneLine(text.slice(0, QUOTED_CHARACTERS * 4))
  const characters = Array.from(clean)
  if (characters.length <= QUOTED_CHARACTERS && text.length <= QUOTED_CHARACTERS * 4) return `"${clean}"`
  return `"${characters.slice(0, QUOTED_CHARACTERS).join('')}…"`
}

/** Without what cannot be printed, as quote writes it. */
export function onOneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim()
}

export function durationInWords(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`
  return `${Number((durationMs / 1_000).toFixed(2))} s`
}

/** A calendar day in UTC. */
export function dayOf(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10)
}
