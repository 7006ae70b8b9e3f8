// components/chart.tsx: lines over time. The drawing library is a separate chunk, loaded when the first chart
// is seen. The content of the chart is also given in words, for people who do not see it.
import { lazy, Suspense, useState } from 'react'
import styles from './chart.module.css'
import { ChartCursor } from './chart-cursor.tsx'
import type { ChartProps } from './chart-props.ts'
import type { PlotPointer } from './plot-pointer.ts'

/** Class names for looks whose name is not one. */
const looks: Readonly<Record<string, string>> = { 'solid bars': 'solid', 'hanging bars': 'solid' }

const Plot = lazy(() => import('./plot.tsx'))

export function Chart(props: ChartProps) {
  const { summary, lines, bands = [], height = 150, timesMs, readout, keyboard } = props
  const [pointer, setPointer] = useState<PlotPointer | null>(null)
  return (
    <figure className={styles.chart}>
      <div className={styles.plot} style={{ height }} role="img" aria-label={summary}>
        <Suspense>
          <Plot {...props} height={height} onPointer={setPointer} />
        </Suspense>
      </div>
      {keyboard !== undefined && readout !== undefined && timesMs.length > 1 && (
        <ChartCursor height={height} pointer={pointer} timesMs={timesMs} readout={readout} {...keyboard} />
      )}
      <figcaption className={styles.legend}>
        {[...lines, ...bands].map(({ name, hue, look = 'line' }) => (
          <span key={name} className={styles.name}>
            <i className={styles[looks[look] ?? look]} style={{ color: `var(${hue})` }} />
            {name}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}
