// notify/driver/markup.ts: foreign text in media that read markup. Escapes count against the provider's limit, and no
// escape is cut in two. Pure.

/** Escapes a single code point. */
export type EscapeCharacter = (character: string) => string

const MARKDOWN = new Set('\\`*_[]#>~|')

/** For Markdown with tags in angle brackets: mentions, links and, in Slack-compatible readers, <!channel>. */
export const escapeMarkdown: EscapeCharacter = (character) =>
  MARKDOWN.has(character) ? `\\${character}` : breakTags(character)

/** For media that have tags but no way to escape them. The inserted character has no width. */
export const breakTags: EscapeCharacter = (character) => (character === '<' ? '<\u200b' : character)

/** At most this many code points after escaping; the last is an ellipsis if something was cut. */
export function escapedWithin(text: string, maxCodePoints: number, escaped: EscapeCharacter): string {
  const pieces: string[] = []
  let length = 0
  for (const character of text) {
    const piece = escaped(character)
    pieces.push(piece)
    length += lengthOf(piece)
    if (length > maxCodePoints) return shortened(pieces, length, maxCodePoints)
  }
  return pieces.join('')
}

function shortened(pieces: string[], length: number, maxCodePoints: number): string {
  let left = length
  while (left > maxCodePoints - 1) left -= lengthOf(pieces.pop()!)
  return `${pieces.join('')}…`
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
