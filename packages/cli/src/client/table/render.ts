// client/table/render.ts: blocks as lines of text for a terminal of some width. What there is no value for shows as a
// dash, never as a zero. Text of others is made harmless before it is measured.
import { plain } from '../plain-text.ts'
import type { Block, Cell, FactsBlock, TableBlock } from './block.ts'
import { colorOfWord, type Paint } from './color.ts'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'
import { fitColumns, gap } from './fit-columns.ts'

const none = '-'

export interface RenderOptions {
  /** Null where nothing bounds a line. */
  readonly columns: number | null
  readonly isWide: boolean
  readonly paint: Paint
}

export function renderBlocks(blocks: readonly Block[], options: RenderOptions): string {
  return blocks
    .map((block) => linesOf(block, options).join('\n'))
    .filter((text) => text !== '')
    .join('\n\n')
}

function linesOf(block: Block, options: RenderOptions): string[] {
  switch (block.kind) {
    case 'table':
      return [...headingOf(block, options), ...tableLines(block, options)]
    case 'facts':
      return [...headingOf(block, options), ...factLines(block, options)]
    case 'note':
      return wrapped(plain(block.text), options.columns)
  }
}

function headingOf({ heading }: { readonly heading?: string }, { paint }: RenderOptions): string[] {
  return heading === undefined ? [] : [paint(plain(heading), 'bold')]
}

/** A word that is longer than a line stays whole: it may be a cursor that somebody copies. */
function wrapped(text: string, columns: number | null): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    const longer = last === undefined ? word : `${last} ${word}`
    if (last === undefined || (columns !== null && displayWidth(longer) > columns)) lines.push(word)
    else lines[lines.length - 1] = longer
  }
  return lines
}

function tableLines({ columns, rows, empty }: TableBlock, options: RenderOptions): string[] {
  if (rows.length === 0) return [plain(empty)]
  const shown = columns.filter(({ wide }) => options.isWide || !wide)
  const cells = rows.map((row) => shown.map(({ cell }) => textOf(cell(row))))
  const isFigure = shown.map((_, index) => areFigures(cells.map((row) => row[index]!)))
  const widths = fitColumns(
    shown.map(({ title, minimum, dispensable }, index) => {
      const natural = Math.max(title.length, ...cells.map((row) => displayWidth(row[index]!)))
      const least = minimum === undefined ? natural : Math.min(natural, Math.max(minimum, title.length))
      return { natural, minimum: least, dispensable: dispensable ?? 0 }
    }),
    options.columns,
  )
  const line = (texts: readonly string[], paintCell: (text: string, column: number) => string) =>
    joined(
      texts.flatMap((text, index) => {
        const width = widths[index]
        if (width === null || width === undefined) return []
        const fitted = padToWidth(cutToWidth(text, width), width, isFigure[index] ? 'right' : 'left')
        return [paintCell(fitted, index)]
      }),
    )
  return [
    line(
      shown.map(({ title }) => title),
      (text) => text,
    ),
    ...cells.map((row) =>
      line(row, (text, index) =>
        shown[index]!.state ? options.paint(text, colorOfWord(row[index]!)) : text,
      ),
    ),
  ]
}

function joined(texts: readonly string[]): string {
  return texts.join(' '.repeat(gap)).trimEnd()
}

function factLines({ facts }: FactsBlock, { columns, paint }: RenderOptions): string[] {
  const width = Math.max(...facts.map(([name]) => displayWidth(name)))
  const left = columns === null ? null : Math.max(1, columns - width - gap)
  return facts.flatMap(([name, value]) => {
    const text = textOf(value)
    const color = colorOfWord(text)
    return wrapped(text, left).map((line, index) => {
      const label = padToWidth(index === 0 ? name : '', width, 'left')
      return `${label}${' '.repeat(gap)}${paint(left === null ? line : cutToWidth(line, left), color)}`
    })
  })
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return none
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return plain(String(cell))
}

const figure = /^\d[\d.]*( (ms|s|min|h|d|%|B|[KMGT]iB))?$|^< 0\.1 ms$/

/** Figures stand under each other by their last digit; a column without any is text. */
function areFigures(texts: readonly string[]): boolean {
  return texts.every((text) => text === none || figure.test(text)) && texts.some((text) => text !== none)
}
