// client/table/wrap.ts: text in lines of at most some width, broken between words.
import { displayWidth, headOfWidth } from './display-width.ts'

/** A word that is longer than a line stays whole: it may be a cursor to copy. */
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

/** As wrapped, but a longer word goes on in the next line: nothing is lost and nothing juts out. */
export function wrappedWithin(text: string, columns: number | null): string[] {
  return wrapped(text, columns).flatMap((line) => (columns === null ? [line] : pieces(line, columns)))
}

function pieces(line: string, columns: number): string[] {
  const found: string[] = []
  let rest = line
  while (displayWidth(rest) > columns) {
    const head = headOfWidth(rest, columns)
    // Not even one character of two cells fits into a line of one.
    if (head === '') break
    found.push(head)
    rest = rest.slice(head.length)
  }
  return [...found, rest]
}
