// client/table/render.ts: renders blocks as lines of text for a terminal of a given width, and reports what did not fit.
// A missing value is shown as a dash, never as a zero. Foreign text is made safe before it is measured.
import { plain } from '../plain-text.ts'
import type { Block, Cell, FactsBlock, Moment, NoteBlock, TableBlock } from './block.ts'
import { colorOfWord, type Paint } from './color.ts'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'
import { fitColumns, gap } from './fit-columns.ts'
import { exactTime, shortTime, withLocalTimes } from './local-time.ts'
import { figure } from './values.ts'
import { wrapped, wrappedWithin } from './wrap.ts'

const none = '-'

export interface RenderOptions {
  /** Null if line length is unlimited. */
  readonly columns: number | null
  readonly isWide: boolean
  readonly timeZone: string
  readonly nowMs: number
  readonly paint: Paint
}

export interface Rendered {
  readonly text: string
  /** Titles of the columns with values that were dropped for lack of room. */
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
  const shown = columns
    .filter(({ wide }) => options.isWide || !wide)
    .map((column) => {
      const texts = rows.map((row) => textOf(column.cell(row), options))
      return { ...column, texts, isFigure: areFigures(texts), need: needOf(column, texts) }
    })
  const widths = fitColumns(
    shown.map(({ need }) => need),
    options.columns,
  )
  const fitted = shown.map((column, index) => ({ ...column, width: widths[index] ?? null }))
  const kept = fitted.flatMap(({ width, title, texts, isFigure, state }) => {
    if (width === null) return []
    const fit = (text: string) => padToWidth(cutToWidth(text, width), width, isFigure ? 'right' : 'left')
    const paint = (text: string) => (state ? options.paint(fit(text), colorOfWord(text)) : fit(text))
    return [[fit(title), ...texts.map(paint)]]
  })
  return {
    lines: ['title', ...rows].map((_, line) => joined(kept.map((cells) => cells[line] ?? ''))),
    // Dropping a column without values hides nothing.
    leftOut: fitted.filter(({ width, need }) => width === null && !need.isEmpty).map(({ title }) => title),
    isShortened: fitted.some(({ width, need }) => width !== null && width < need.natural),
  }
}

function needOf({ title, minimum, dispensable }: TableBlock['columns'][number], texts: readonly string[]) {
  const natural = texts.reduce((most, text) => Math.max(most, displayWidth(text)), title.length)
  const least = minimum === undefined ? natural : Math.min(natural, Math.max(minimum, title.length))
  const isEmpty = texts.every((text) => text === none)
  return { natural, minimum: least, dispensable: dispensable ?? 0, isEmpty }
}

function joined(texts: readonly string[]): string {
  return texts.join(' '.repeat(gap)).trimEnd()
}

/** Names stand before their values; a name that would leave too little room stands above its value. */
function factLines({ facts }: FactsBlock, options: RenderOptions): string[] {
  const { columns, paint } = options
  const room = columns === null ? null : Math.max(1, Math.floor(columns * 0.6) - gap)
  const width = facts.reduce((most, [name]) => {
    const one = displayWidth(name)
    return room === null || one <= room ? Math.max(most, one) : most
  }, 0)
  const left = columns === null ? null : Math.max(1, columns - width - gap)
  return facts.flatMap(([name, value]) => {
    const text = textOf(value, options)
    const color = colorOfWord(text)
    const isAbove = displayWidth(name) > width
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
  if (typeof cell === 'string') return plain(withLocalTimes(cell, options.timeZone))
  if ('instant' in cell) return plain(timeOf(cell, options))
  return cell.map((part) => textOf(part, options)).join('')
}

function timeOf({ instant, isExact }: Moment, { isWide, timeZone, nowMs }: RenderOptions): string {
  return isWide || isExact ? exactTime(instant, timeZone) : shortTime(instant, timeZone, nowMs)
}

const figureText = /^-?\d[\d.]*( (ms|s|min|h|d|%|B|[KMGT]B))?$|^< 0\.(1 ms|01)$/

/** Numbers are right-aligned; a column without any is text. */
function areFigures(texts: readonly string[]): boolean {
  return texts.every((text) => text === none || figureText.test(text)) && texts.some((text) => text !== none)
}
