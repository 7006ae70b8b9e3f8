// client/table/render.ts: blocks as lines of text for a terminal of some width. What there is no value for shows as a
// dash, never as a zero. Text of others is made harmless before it is measured.
import { plain } from '../plain-text.ts'
import type { Block, Cell, Column, FactsBlock, TableBlock } from './block.ts'
import { colorOfWord, type Paint } from './color.ts'
import { cutToWidth, displayWidth, padToWidth } from './display-width.ts'
import { fitColumns, gap } from './fit-columns.ts'

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
      return [plain(block.text)]
  }
}

function headingOf({ heading }: { readonly heading?: string }, { paint }: RenderOptions): string[] {
  return heading === undefined ? [] : [paint(plain(heading), 'bold')]
}

function tableLines({ columns, rows, empty }: TableBlock, options: RenderOptions): string[] {
  if (rows.length === 0) return [plain(empty)]
  const shown = columns.filter(({ wide }) => options.isWide || !wide) as readonly Column<unknown>[]
  const cells = rows.map((row) => shown.map(({ cell }) => textOf(cell(row))))
  const isNumeric = shown.map(({ cell }) => rows.every((row) => isNumberOrNone(cell(row))))
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
        const fitted = padToWidth(cutToWidth(text, width), width, isNumeric[index] ? 'right' : 'left')
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
  return facts.map(([name, value]) => {
    const text = textOf(value)
    const shown = left === null ? text : cutToWidth(text, left)
    return `${padToWidth(name, width, 'left')}${' '.repeat(gap)}${paint(shown, colorOfWord(text))}`
  })
}

function textOf(cell: Cell): string {
  if (cell === null || cell === undefined || cell === '') return '-'
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no'
  return plain(String(cell))
}

function isNumberOrNone(cell: Cell): boolean {
  return cell === null || cell === undefined || typeof cell === 'number'
}
