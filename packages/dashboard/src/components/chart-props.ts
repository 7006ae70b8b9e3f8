// components/chart-props.ts: what a chart shows.

export interface ChartLine {
  readonly name: string
  /** One for each time; null where nothing was measured. */
  readonly values: readonly (number | null)[]
  /** Of tokens.css: '--accent'. */
  readonly hue: string
  readonly look?: 'line' | 'area' | 'step' | 'points' | 'dashed'
}

export interface ChartProps {
  /** What it shows, for screen readers: the latest figures in a sentence. */
  readonly summary: string
  readonly timesMs: readonly number[]
  readonly lines: readonly ChartLine[]
  readonly format: (value: number) => string
  readonly height?: number
}
