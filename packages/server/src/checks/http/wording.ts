// checks/http/wording.ts: how this driver writes what it saw. Text that comes from a target is quoted, cut and
// stripped of control characters, because it ends up in notifications, terminals and pages.

const QUOTE_LENGTH = 80

// Control characters, and the invisible ones that reorder or hide the text around them.
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu

/** A target's text as it may stand in a sentence: one line, at most 80 characters, in quotation marks. */
export function quote(text: string): string {
  // Cut before cleaning, so that a megabyte of body costs no more than a line.
  const clean = onOneLine(text.slice(0, QUOTE_LENGTH * 4))
  const characters = Array.from(clean)
  if (characters.length <= QUOTE_LENGTH && text.length <= QUOTE_LENGTH * 4) return `"${clean}"`
  return `"${characters.slice(0, QUOTE_LENGTH).join('')}…"`
}

/** Without unprintable characters, as quote writes it. */
export function onOneLine(text: string): string {
  return text.replace(UNPRINTABLE, ' ').trim()
}

export function inWords(durationMs: number): string {
  if (durationMs < 1_000) return `${Math.round(durationMs)} ms`
  return `${Number((durationMs / 1_000).toFixed(2))} s`
}

export function bytesInWords(bytes: number): string {
  if (bytes >= 1_048_576 && bytes % 1_048_576 === 0) return `${bytes / 1_048_576} MiB`
  if (bytes >= 1_024 && bytes % 1_024 === 0) return `${bytes / 1_024} KiB`
  return bytes === 1 ? '1 byte' : `${bytes} bytes`
}

/** scheme://host[:port]/path: never user info, query or fragment. */
export function displayUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`
}
