// client/table/block.ts: what a command shows to people: tables of rows, lists of facts, and notes. Data only; the
// renderer decides about widths and colors.

/** A time of the API, RFC 3339; it is shown in the zone of the reader. */
export interface Moment {
  readonly instant: string
}

/** A sentence in parts, for those that name figures and times; a part that is null shows as a dash. */
export type Phrase = readonly (string | number | Moment | null)[]

export type Cell = string | number | boolean | null | undefined | Moment | Phrase

export interface Column<Row> {
  readonly title: string
  cell(row: Row): Cell
  /** Only with -o wide. */
  readonly wide?: true
  /** How many cells must stay; without it nothing of the column is cut. */
  readonly minimum?: number
  /** Columns with a higher one are left out first on a narrow terminal; without it the column always stays. */
  readonly dispensable?: number
  /** A word that tells how something is: it gets the color of its meaning. */
  readonly state?: true
}

export interface TableBlock {
  readonly kind: 'table'
  readonly heading?: string
  readonly columns: readonly Column<unknown>[]
  readonly rows: readonly unknown[]
  /** Instead of a table without rows. */
  readonly empty: string
}

export interface FactsBlock {
  readonly kind: 'facts'
  readonly heading?: string
  readonly facts: readonly (readonly [name: string, value: Cell])[]
}

export interface NoteBlock {
  readonly kind: 'note'
  readonly text: string | Phrase
}

export type Block = TableBlock | FactsBlock | NoteBlock

export function table<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  words: { empty: string; heading?: string },
): TableBlock {
  return { kind: 'table', columns: columns as readonly Column<unknown>[], rows, ...words }
}

export function facts(entries: FactsBlock['facts'], heading?: string): FactsBlock {
  return { kind: 'facts', facts: entries, ...(heading === undefined ? {} : { heading }) }
}

export function note(text: string | Phrase): NoteBlock {
  return { kind: 'note', text }
}
