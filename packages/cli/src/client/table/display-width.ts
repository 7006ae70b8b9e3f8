// client/table/display-width.ts: how many terminal cells a text takes, and cutting it to a number of them.
// Cuts between grapheme clusters, so no emoji is split and no accent loses its letter.
import { eastAsianWidth } from 'get-east-asian-width'

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const onlyAscii = /^[\x20-\x7e]*$/
/** Combining marks, and the parts of a Korean syllable after its first. */
const takesNoCell = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}\p{Default_Ignorable_Code_Point}\u1160-\u11ff\ud7b0-\ud7ff]/u
const picture = /^(?:\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{RI}{2})/u

export function displayWidth(text: string): number {
  if (onlyAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment)
  return width
}

function widthOf(character: string): number {
  if (picture.test(character)) return 2
  let width = 0
  for (const part of character) if (!takesNoCell.test(part)) width += eastAsianWidth(part.codePointAt(0)!)
  return width
}

/** At most this many cells; a cut is shown as an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  return width < 1 ? '' : `${headOfWidth(text, width - 1).trimEnd()}…`
}

/** As many whole characters from the beginning as fit into this many cells. */
export function headOfWidth(text: string, width: number): string {
  let head = ''
  let used = 0
  for (const { segment } of segmenter.segment(text)) {
    used += widthOf(segment)
    if (used > width) break
    head += segment
  }
  return head
}

export function padToWidth(text: string, width: number, side: 'left' | 'right'): string {
  const padding = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return side === 'left' ? text + padding : padding + text
}
