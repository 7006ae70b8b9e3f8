// trend/trend-panel.tsx: availability and latency over the last hours, day, week, month or quarter. The share of
// healthy samples is labelled as not being an SLA, as everywhere.
import { trendWindows } from '@pulseward/contract'
import { type ReactNode, useMemo } from 'react'
import { BigFigure, Note } from '../components/big-figure.tsx'
import { Button } from '../components/button.tsx'
import { Panel } from '../components/panel.tsx'
import { Percent } from '../components/percent.tsx'
import { ReadingView } from '../components/reading-view.tsx'
import { saveFile } from '../components/save-file.ts'
import { Segments } from '../components/segments.tsx'
import type { Reading } from '../data/reading.ts'
import type { Trend, TrendWindow } from '../data/trend.ts'
import { formatCount } from '../format/count.ts'
import { countedIn, gridOf } from './grid.ts'
import styles from './trend.module.css'
import { TrendCharts } from './trend-charts.tsx'
import { type TrendSubject, trendAsCsv, trendFileName } from './trend-csv.ts'
import { TrendTable } from './trend-table.tsx'
import { notesOf } from './trend-words.ts'
import type { TrendView } from './use-trend-window.ts'
import { fitted, windowFor, zoomed } from './zoom.ts'
import { ZoomTools } from './zoom-tools.tsx'

export interface TrendPanelProps {
  readonly title: string
  readonly reading: Reading<Trend>
  /** Null for the fleet. */
  readonly subject: TrendSubject | null
  readonly view: TrendView
  /** Another figure beside the share. */
  readonly figure?: ReactNode
}

export function TrendPanel({ title, reading, subject, figure, view }: TrendPanelProps) {
  return (
    <Panel title={title} aside={<WindowChoice view={view} />}>
      <ReadingView reading={reading} what="The trend">
        {(trend) => <TrendBody trend={trend} subject={subject} figure={figure} view={view} />}
      </ReadingView>
    </Panel>
  )
}

const choices: readonly { readonly value: TrendWindow; readonly words: string }[] = trendWindows.map(
  (value) => ({ value, words: value.replace(/(\d+)/, '$1 ') }),
)

export function WindowChoice({ view: { window, choose } }: { readonly view: TrendView }) {
  return <Segments label="How far back" value={window} choices={choices} onChoose={(next) => choose(next)} />
}

function TrendBody(props: Pick<TrendPanelProps, 'subject' | 'figure' | 'view'> & { readonly trend: Trend }) {
  const { trend, subject, figure, view } = props
  const { zoom, choose, showAll } = view
  const whole = useMemo(() => gridOf(trend), [trend])
  const grid = useMemo(() => zoomed(whole, zoom), [whole, zoom])
  const shown = grid === whole ? null : zoom
  const onSelect = (fromMs: number, toMs: number) => {
    const next = fitted(whole, { fromMs, toMs })
    if (next !== null) choose(windowFor(next, whole, trend.window), next)
  }
  const isFleet = subject === null
  const { samples, healthy } = countedIn(grid)
  return (
    <>
      <div className={styles.figures}>
        <BigFigure
          means={`healthy · ${formatCount(healthy)} of ${formatCount(samples)} samples · not an SLA`}
        >
          <Percent percent={samples === 0 ? null : (healthy / samples) * 100} fractionDigits={3} />
        </BigFigure>
        {figure}
      </div>
      <TrendCharts
        trend={trend}
        grid={grid}
        isFleet={isFleet}
        onSelect={onSelect}
        onReset={shown === null ? null : showAll}
      />
      <ZoomTools grid={whole} window={trend.window} zoom={shown} choose={choose} showAll={showAll} />
      {notesOf(trend, grid, isFleet).map((note) => (
        <Note key={note}>{note}</Note>
      ))}
      <div className={styles.tools}>
        <Button
          className={styles.save}
          title="The data of the charts, for a spreadsheet"
          onClick={() =>
            saveFile(trendFileName(trend, subject), 'text/csv;charset=utf-8', trendAsCsv(trend, subject))
          }
        >
          CSV
        </Button>
        <TrendTable trend={trend} grid={grid} />
      </div>
    </>
  )
}
