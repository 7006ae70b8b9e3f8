// components/chart-cursor.tsx: the pointer of a chart by keyboard: a slider over its times, whose value is what the chart says
// of the time. Shift marks a stretch, Enter looks closer, Escape goes back.
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import styles from './chart.module.css'
import type { ChartProps } from './chart-props.ts'
import { afterKey, type CursorPlace, selectedMs, stretchOf } from './cursor-place.ts'
import type { PlotPointer } from './plot-pointer.ts'

export interface ChartCursorProps extends Pick<ChartProps, 'timesMs'> {
  readonly height: number
  readonly pointer: PlotPointer | null
  readonly readout: (index: number) => string
  readonly onSelect: (fromMs: number, toMs: number) => void
  /** Null while everything is shown. */
  readonly onReset: (() => void) | null
}

export function ChartCursor(props: ChartCursorProps) {
  const { height, pointer, timesMs, readout, onSelect, onReset } = props
  const help = useId()
  const last = timesMs.length - 1
  const [place, setPlace] = useState<CursorPlace | null>(null)
  const [isFocused, setFocused] = useState(false)
  // New data may have fewer times.
  const shown = place === null || place.at > last ? { at: last, anchor: null } : place
  const stretch = stretchOf(shown)
  useEffect(() => {
    if (!isFocused) return
    pointer?.moveTo(shown.at)
    pointer?.mark(stretch)
  })
  const leave = () => {
    setFocused(false)
    setPlace(null)
    pointer?.moveTo(null)
    pointer?.mark(null)
  }
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const moved = afterKey(shown, event, last)
    if (moved !== null) setPlace(moved)
    else if (event.key === 'Enter') {
      pointer?.mark(null)
      setPlace(null)
      onSelect(...selectedMs(timesMs, shown))
    } else if (event.key === 'Escape' && stretch !== null) setPlace({ at: shown.at, anchor: null })
    else if (event.key === 'Escape' && onReset !== null) onReset()
    else return
    event.preventDefault()
  }
  return (
    <>
      <input
        className={styles.cursor}
        style={{ height }}
        type="range"
        min={0}
        max={last}
        value={shown.at}
        aria-label="Time in the chart"
        aria-valuetext={`${stretch === null ? '' : 'Marked up to '}${readout(shown.at)}`}
        aria-describedby={help}
        onChange={(event) => setPlace({ at: Number(event.target.value), anchor: null })}
        onFocus={() => setFocused(true)}
        onBlur={leave}
        onKeyDown={press}
      />
      <p id={help} className={styles.cursorHelp}>
        <kbd>←</kbd> <kbd>→</kbd> move · with <kbd>Shift</kbd> they mark · <kbd>Enter</kbd> looks closer ·{' '}
        <kbd>Esc</kbd> shows all again
      </p>
    </>
  )
}
