// trend/zoom-tools.tsx: looking closer at a part of a trend with buttons: closer, earlier, later, and all of it again. Dragging
// over a chart does the same, with a mouse or a finger, and so do its keys.
import { Button } from '../components/button.tsx'
import type { TrendWindow } from '../data/trend.ts'
import { formatStretch } from '../format/time.ts'
import type { TrendGrid } from './grid.ts'
import styles from './trend.module.css'
import { closer, shifted, windowFor, type Zoom } from './zoom.ts'

export interface ZoomToolsProps {
  /** Of the whole window. */
  readonly grid: TrendGrid
  readonly window: TrendWindow
  readonly zoom: Zoom | null
  readonly choose: (window: TrendWindow, zoom: Zoom | null) => void
  readonly showAll: () => void
}

export function ZoomTools({ grid, window, zoom, choose, showAll }: ZoomToolsProps) {
  const look = (next: Zoom | null) => choose(next === null ? window : windowFor(next, grid, window), next)
  return (
    <div className={styles.zoom}>
      <Button title="Or drag over a chart" onClick={() => look(closer(grid, zoom))}>
        Look closer
      </Button>
      {zoom !== null && (
        <>
          <Button onClick={() => look(shifted(grid, zoom, -1))}>Earlier</Button>
          <Button onClick={() => look(shifted(grid, zoom, 1))}>Later</Button>
          <Button className={styles.reset} onClick={showAll}>
            Show all
          </Button>
          <span className={styles.part}>{formatStretch(zoom.fromMs, zoom.toMs)}</span>
        </>
      )}
    </div>
  )
}
