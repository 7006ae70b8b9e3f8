// fleet-map/fleet-map.tsx: the whole fleet at a glance, on a canvas. Healthy is a faint tint, trouble is loud, nothing
// blinks. Zoomed by wheel, pinch, buttons and keys; its content is also given in words and linked as a list.
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { IconButton } from '../components/button.tsx'
import { looks } from '../components/status-words.ts'
import { largestScale } from './camera.ts'
import styles from './fleet-map.module.css'
import { cellSide, groupOf, layOut } from './layout.ts'
import { findSnoozed, type LookMap } from './look-map.ts'
import { MonitorTip } from './monitor-tip.tsx'
import { monitorAt } from './point-at.ts'
import { summarize } from './summary.ts'
import { findTrouble } from './trouble.ts'
import { type CameraControl, useCamera } from './use-camera.ts'
import { type Point, useGestures } from './use-gestures.ts'
import { usePainting } from './use-painting.ts'
import { useSize } from './use-size.ts'

export function FleetMap({ map }: { readonly map: LookMap }) {
  const [, navigate] = useLocation()
  const frame = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(frame)
  const { width, height } = size
  const layout = useMemo(() => layOut(map.tags, width, height), [map.tags, width, height])
  const trouble = useMemo(() => findTrouble(map.looks), [map.looks])
  const snoozed = useMemo(() => findSnoozed(map.looks), [map.looks])
  const smallestCell = useMemo(
    () => layout.groups.reduce((least, group) => Math.min(least, cellSide(group)), 36),
    [layout],
  )
  const control = useCamera(layout, largestScale(smallestCell))
  const { camera } = control
  const at = (x: number, y: number) => monitorAt(map, layout, camera, trouble.length, x, y)
  // Keeps the point, not the monitor: what is under it changes with every camera move.
  const [point, setPoint] = useState<Point | null>(null)
  const pointedAt = point === null ? null : at(point.x, point.y)
  const gestures = useGestures(frame, control, setPoint, ({ x, y }) => {
    const index = at(x, y)
    if (index !== null) navigate(`/monitors/${map.ids[index]}`)
  })
  usePainting(canvas, { map, layout, trouble, snoozed, camera, pointedAt }, size)
  return (
    <figure className={styles.map}>
      <div
        ref={frame}
        className={styles.frame}
        data-zoomed={camera.scale > 1}
        data-pointing={pointedAt !== null}
        role="application"
        aria-label="Fleet map. Arrows move it, plus and minus zoom, 0 shows all. The list of monitors has the same in words."
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys work while it has the focus.
        tabIndex={0}
        onKeyDown={(event) => moveByKey(event, control, width, height)}
        {...gestures}
      >
        <canvas ref={canvas} className={styles.canvas} />
        {point !== null && pointedAt !== null && (
          <MonitorTip
            id={map.ids[pointedAt]!}
            look={looks[map.looks[pointedAt]!]!}
            tag={groupOf(layout, pointedAt).tag}
            x={point.x}
            y={point.y}
            width={width}
          />
        )}
      </div>
      <div className={styles.foot}>
        <span>Healthy is faint, trouble is drawn larger. Each cell leads to its monitor.</span>
        <ZoomButtons control={control} />
      </div>
      <Caption map={map} />
    </figure>
  )
}

function Caption({ map }: { readonly map: LookMap }) {
  const summary = useMemo(() => summarize(map), [map])
  return (
    <figcaption className="visually-hidden">
      <ul>
        {summary.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </figcaption>
  )
}

function moveByKey(event: KeyboardEvent, control: CameraControl, width: number, height: number): void {
  const moves: Readonly<Record<string, () => void>> = {
    '+': () => control.glideZoom(1.8),
    '=': () => control.glideZoom(1.8),
    '-': () => control.glideZoom(1 / 1.8),
    '0': () => control.showAll(),
    ArrowLeft: () => control.glidePan(-width / 4, 0),
    ArrowRight: () => control.glidePan(width / 4, 0),
    ArrowUp: () => control.glidePan(0, -height / 4),
    ArrowDown: () => control.glidePan(0, height / 4),
  }
  const isArrow = event.key.startsWith('Arrow')
  if (event.ctrlKey || event.metaKey || event.altKey || (isArrow && control.camera.scale === 1)) return
  const move = moves[event.key]
  if (move === undefined) return
  event.preventDefault()
  move()
}

/** Zoom for people without a wheel or two fingers. */
function ZoomButtons({ control }: { readonly control: CameraControl }) {
  const isWhole = !control.canZoom(0.5)
  return (
    <div className={styles.zoom}>
      <IconButton label="Zoom in" disabled={!control.canZoom(2)} onClick={() => control.glideZoom(1.8)}>
        +
      </IconButton>
      <IconButton label="Zoom out" disabled={isWhole} onClick={() => control.glideZoom(1 / 1.8)}>
        −
      </IconButton>
      <IconButton label="Show the whole fleet" disabled={isWhole} onClick={() => control.showAll()}>
        ⤢
      </IconButton>
    </div>
  )
}
