// views/system/series-figure.tsx: a chart of a series, once it has more than one point.
import { Chart } from '../../components/chart.tsx'
import { Empty } from '../../components/empty.tsx'
import type { SeriesChart } from './series-lines.ts'

export interface SeriesFigureProps {
  readonly chart: SeriesChart
  readonly format: (value: number) => string
  readonly height?: number
}

export function SeriesFigure({ chart, format, height = 130 }: SeriesFigureProps) {
  if (chart.timesMs.length < 2) return <Empty>The first samples are being taken.</Empty>
  return <Chart {...chart} format={format} height={height} />
}
