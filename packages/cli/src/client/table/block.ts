// client/table/block.ts: what a command shows to people: tables of rows, lists of facts, and notes. Data
// only; the renderer decides widths and colors.

/** An RFC 3339 time from the API; shown in the reader's time zone. */
export interface Moment {
  readonly instant: string
  /** With its date, second and offset in any case; others are so with -o wide. */
  readonly isExact?: true
}

/** A sentence in parts, for sentences that contain figures and times; a null part is shown as a dash. */
export type Phrase = readonly (string | number | Moment | null)[]

export type Cell = string | number | boolean | null | undefined | Moment | Phrase

export interface Column<Row> {
  readonly title: string
  cell(row: Row): Cell
  /** Shown only with -o wide. */
  readonly wide?: true
  /** How many cells must remain; without it the column is never cut. */
  readonly minimum?: number
  /** On a narrow terminal, columns with a higher value are dropped first; without it the column always stays. */
  readonly dispensable?: number
  /** A status word: it gets the color of its meaning. */
  readonly state?: true
}

export interface TableBlock {
  readonly kind: 'table'
  readonly heading?: string
  readonly columns: readonly Column<unknown>[]
  readonly rows: readonly unknown[]
  /** Shown instead of a table without rows. */
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
