// client/table/render.ts: blocks as lines of text for a terminal of some width, and what had no room on it. What there
// has no value for shows as a dash, never as a zero. Text of others is made harmless before it is measured.
import { plain } from '../plain-text.ts'
import type { Block, Cell, FactsBlock, NoteBlock, TableBlock } from './block.ts'
import { colorOfWord, type Paint } from './color.ts'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'
import { fitColumns, gap } from './fit-columns.ts'
import { localTime } from './local-time.ts'
import { figure } from './values.ts'
import { wrapped, wrappedWithin } from './wrap.ts'

const none = '-'

export interface RenderOptions {
  /** Null where nothing bounds a line. */
  readonly columns: number | null
  readonly isWide: boolean
  readonly timeZone: string
  readonly paint: Paint
}

export interface Rendered {
  readonly text: string
  /** Titles of the columns with values for which there was no room. */
  readonly leftOut: readonly string[]
  /** Whether cells were cut. */
  readonly isShortened: boolean
}

export function renderBlocks(blocks: readonly Block[], options: RenderOptions): Rendered {
  const leftOut = new Set<string>()
  let isShortened = false
  const texts = blocks.map((block) => {
    if (block.kind !== 'table') return linesOf(block, options).join('\n')
    const rendered = tableLines(block, options)
    for (const title of rendered.leftOut) leftOut.add(title)
    isShortened ||= rendered.isShortened
    return [...headingOf(block, options), ...rendered.lines].join('\n')
  })
  return { text: texts.filter((text) => text !== '').join('\n\n'), leftOut: [...leftOut], isShortened }
}

function linesOf(block: FactsBlock | NoteBlock, options: RenderOptions): string[] {
  if (block.kind === 'note') return wrapped(textOf(block.text, options), options.columns)
  return [...headingOf(block, options), ...factLines(block, options)]
}

function headingOf({ heading }: { readonly heading?: string }, { columns, paint }: RenderOptions): string[] {
  if (heading === undefined) return []
  return wrappedWithin(plain(heading), columns).map((line) => paint(line, 'bold'))
}

function tableLines({ columns, rows, empty }: TableBlock, options: RenderOptions) {
  if (rows.length === 0) {
    return { lines: wrappedWithin(plain(empty), options.columns), leftOut: [], isShortened: false }
  }
  const shown = columns.filter(({ wide }) => options.isWide || !wide)
  const cells = rows.map((row) => shown.map(({ cell }) => textOf(cell(row), options)))
  const isFigure = shown.map((_, index) => areFigures(cells.map((row) => row[index]!)))
  const needs = shown.map(({ title, minimum, dispensable }, index) => {
    const natural = cells.reduce((most, row) => Math.max(most, displayWidth(row[index]!)), title.length)
    const least = minimum === undefined ? natural : Math.min(natural, Math.max(minimum, title.length))
    const isEmpty = cells.every((row) => row[index] === none)
    return { natural, minimum: least, dispensable: dispensable ?? 0, isEmpty }
  })
  const widths = fitColumns(needs, options.columns)
  const line = (texts: readonly string[], paintCell: (text: string, column: number) => string) =>
    joined(
      texts.flatMap((text, index) => {
        const width = widths[index]
        if (width === null || width === undefined) return []
        const fitted = padToWidth(cutToWidth(text, width), width, isFigure[index] ? 'right' : 'left')
        return [paintCell(fitted, index)]
      }),
    )
  const titles = shown.map(({ title }) => title)
  const paintState = (row: readonly string[]) => (text: string, index: number) =>
    shown[index]!.state ? options.paint(text, colorOfWord(row[index]!)) : text
  return {
    lines: [line(titles, (text) => text), ...cells.map((row) => line(row, paintState(row)))],
    // One without any value hides nothing.
    leftOut: titles.filter((_, index) => widths[index] === null && !needs[index]!.isEmpty),
    isShortened: widths.some((width, index) => width !== null && width < needs[index]!.natural),
  }
}

function joined(texts: readonly string[]): string {
  return texts.join(' '.repeat(gap)).trimEnd()
}

/** Names stand in front of their values; one that would leave too little of the line, above its value. */
function factLines({ facts }: FactsBlock, options: RenderOptions): string[] {
  const { columns, paint } = options
  const room = columns === null ? null : Math.max(1, Math.floor(columns * 0.6) - gap)
  const nameWidths = facts.map(([name]) => displayWidth(name))
  const width = nameWidths.reduce(
    (most, one) => (room === null || one <= room ? Math.max(most, one) : most),
    0,
  )
  const left = columns === null ? null : Math.max(1, columns - width - gap)
  return facts.flatMap(([name, value], index) => {
    const text = textOf(value, options)
    const color = colorOfWord(text)
    const isAbove = nameWidths[index]! > width
    const lines = wrappedWithin(text, left).map((line, row) => {
      const label = padToWidth(row === 0 && !isAbove ? name : '', width, 'left')
      return `${label}${' '.repeat(gap)}${paint(line, color)}`
    })
    return isAbove ? [...wrappedWithin(name, columns), ...lines] : lines
  })
}

function textOf(cell: Cell, options: RenderOptions): string {
  if (cell === null || cell === undefined || cell === '') return none
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  if (typeof cell === 'number') return figure(cell)
  if (typeof cell === 'string') return plain(cell)
  if ('instant' in cell) return plain(localTime(cell.instant, options.timeZone))
  return cell.map((part) => textOf(part, options)).join('')
}

const figureText = /^-?\d[\d.]*( (ms|s|min|h|d|%|B|[KMGT]iB))?$|^< 0\.(1 ms|01)$/

/** Figures stand under each other by their last digit; a column without any is text. */
function areFigures(texts: readonly string[]): boolean {
  return texts.every((text) => text === none || figureText.test(text)) && texts.some((text) => text !== none)
}
