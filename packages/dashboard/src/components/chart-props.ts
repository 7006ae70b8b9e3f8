// components/chart-props.ts: what a chart shows.

export interface ChartLine {
  readonly name: string
  /** One per time; null if nothing was measured. */
  readonly values: readonly (number | null)[]
  /** A token of tokens.css, such as '--accent'. */
  readonly hue: string
  readonly look?: 'line' | 'area' | 'step' | 'points' | 'dashed' | 'bars' | 'solid bars' | 'hanging bars'
}

export interface ChartSpan {
  readonly fromMs: number
  readonly toMs: number
}

/** Periods of time, drawn behind the lines. */
export interface ChartBand {
  readonly name: string
  readonly hue: string
  readonly look: 'tint' | 'hatch'
  readonly spans: readonly ChartSpan[]
}

export interface ChartProps {
  /** What it shows, for screen readers: the latest figures in a sentence. */
  readonly summary: string
  readonly timesMs: readonly number[]
  readonly lines: readonly ChartLine[]
  readonly format: (value: number) => string
  readonly height?: number
  readonly bands?: readonly ChartBand[]
  /** The time range; without it, from the first time to the last. */
  readonly period?: ChartSpan
  /** The lowest and the highest value of the axis; without it, from 0 to above the highest. */
  readonly range?: readonly [number, number]
  /** The text for a time on the axis. */
  readonly formatTick?: (ms: number) => string
  /** The text for the time under the pointer. */
  readonly readout?: (index: number) => string
  /** Called when a stretch of time was dragged over; without it, dragging does nothing. */
  readonly onSelect?: (fromMs: number, toMs: number) => void
  /** Moves the pointer by keyboard; of charts that share it, one is enough. Needs `readout`. */
  readonly keyboard?: {
    readonly onSelect: (fromMs: number, toMs: number) => void
    /** Shows everything again; null while it does. */
    readonly onReset: (() => void) | null
  }
  /** Charts with the same key share their pointer. */
  readonly cursorKey?: string
}
