// bench/fleet-comparison.ts: several runs of one or two services as medians with their spread, and the ratio
// of ours to theirs. A ratio within the spread is not significant.
import { median } from './median.ts'

export interface Spread {
  readonly median: number
  readonly least: number
  readonly most: number
}

type Figures = Readonly<Record<string, unknown>>
type Side = 'ours' | 'theirs'

export interface Comparison {
  readonly summary: Readonly<Partial<Record<Side, Readonly<Record<string, Spread>>>>>
  /** Ratio of the medians, ours ÷ theirs; empty if there is nothing to compare with. */
  readonly ratio: Readonly<Record<string, number>>
}

const compared = [
  'cpu_us_per_check',
  'rss_bytes',
  'checks_per_second',
  'start_seconds',
  'schedule_delay_p99_ms',
  'event_loop_lag_p99_ms',
]

export function compareRuns(
  runs: Readonly<Partial<Record<Side, readonly { readonly figures: Figures }[]>>>,
): Comparison {
  const sides = Object.entries(runs).map(([side, of]) => [side, spreadsOf(of.map(({ figures }) => figures))])
  const summary: Comparison['summary'] = Object.fromEntries(sides)
  const { ours = {}, theirs = {} } = summary
  const shared = Object.keys(ours).filter((name) => theirs[name] !== undefined && theirs[name].median > 0)
  return {
    summary,
    ratio: Object.fromEntries(shared.map((name) => [name, ours[name]!.median / theirs[name]!.median])),
  }
}

/** For the figures that every run has. */
function spreadsOf(runs: readonly Figures[]): Record<string, Spread> {
  const spreads: Record<string, Spread> = {}
  for (const name of compared) {
    const values = runs.map((run) => run[name]).filter((value) => typeof value === 'number')
    if (values.length !== runs.length || values.length === 0) continue
    spreads[name] = { median: median(values), least: Math.min(...values), most: Math.max(...values) }
  }
  return spreads
}

export function printComparison({ summary, ratio }: Comparison): void {
  const row = (name: string, ...cells: string[]) =>
    console.error(name.padEnd(26) + cells.map((cell) => cell.padStart(34)).join(''))
  row('median (least–most)', 'ours', 'theirs', 'ours ÷ theirs')
  for (const [name, value] of Object.entries(ratio))
    row(name, inWords(name, summary.ours![name]!), inWords(name, summary.theirs![name]!), value.toFixed(3))
}

function inWords(name: string, { median, least, most }: Spread): string {
  const [unit, words] = name.endsWith('_bytes') ? [1e6, ' MB'] : [1, '']
  const short = (value: number) => (value / unit).toLocaleString('en-US', { maximumFractionDigits: 1 })
  return `${short(median)}${words} (${short(least)}–${short(most)})`
}
