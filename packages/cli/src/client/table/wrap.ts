// client/table/wrap.ts: breaks text between words into lines of bounded width.
import { displayWidth, headOfWidth } from './display-width.ts'

/** A word longer than a line stays whole: it may be a cursor to copy. */
export function wrapped(text: string, columns: number | null): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || (columns !== null && displayWidth(longer) > columns)) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

/** Like `wrapped`, but a longer word continues on the next line: nothing is lost and no line is too long. */
export function wrappedWithin(text: string, columns: number | null): string[] {
  return wrapped(text, columns).flatMap((line) => (columns === null ? [line] : pieces(line, columns)))
}

function pieces(line: string, columns: number): string[] {
  const found: string[] = []
  let rest = line
  while (displayWidth(rest) > columns) {
    const head = headOfWidth(rest, columns)
    // A line of one cell cannot hold a character of two.
    if (head === '') break
    found.push(head)
    rest = rest.slice(head.length)
  }
  return [...found, rest]
}
