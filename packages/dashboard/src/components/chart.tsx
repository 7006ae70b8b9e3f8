// components/chart.tsx: lines over time. The drawing library is a chunk of its own, loaded when the first chart is seen;
// what the chart says is also said in words, for who does not see it.
import { lazy, Suspense } from 'react'
import styles from './chart.module.css'

const Plot = lazy(() => import('./plot.tsx'))

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

export function Chart(props: ChartProps) {
  const { summary, lines, height = 150 } = props
  return (
    <figure className={styles.chart}>
      <div className={styles.plot} style={{ height }} role="img" aria-label={summary}>
        <Suspense>
          <Plot {...props} height={height} />
        </Suspense>
      </div>
      <figcaption className={styles.legend}>
        {lines.map(({ name, hue, look }) => (
          <span key={name} className={styles.name}>
            <i className={styles[look ?? 'line']} style={{ color: `var(${hue})` }} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
