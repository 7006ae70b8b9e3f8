// client/table/display-width.ts: how many cells of a terminal a text takes, and cutting it to a number of them. Counts
// what people see as one character, so no emoji is cut in two and no accent is left without its letter.

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
const onlyAscii = /^[\x20-\x7e]*$/
const zeroWidth = /^[\p{M}\p{Cf}\p{Cc}]+$/u
/** Scripts whose characters fill two cells (East Asian Width W and F), and what is drawn as a picture. */
const twoCells =
  /^(?:[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18dff}\u{1aff0}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\p{Emoji}\ufe0f|\p{RI}{2})/u

export function displayWidth(text: string): number {
  if (onlyAscii.test(text)) return text.length
  let width = 0
  for (const { segment } of segmenter.segment(text)) width += widthOf(segment)
  return width
}

function widthOf(character: string): number {
  if (zeroWidth.test(character)) return 0
  return twoCells.test(character) ? 2 : 1
}

/** At most this many cells; what was cut off shows as an ellipsis. */
export function cutToWidth(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  return width < 1 ? '' : `${headOfWidth(text, width - 1).trimEnd()}…`
}

/** As many whole characters from the beginning as fit into so many cells. */
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
