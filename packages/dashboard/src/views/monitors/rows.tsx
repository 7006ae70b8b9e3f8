// views/monitors/rows.tsx: the rows of one page, of which only those in sight are in the document. A native table whose
// first and last row stand for what is not drawn; screen readers hear the true numbers. j and k move the focus from
// link to link, so that Enter opens what is focused.
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { Chosen } from '../../acting/ask.ts'
import { useVerbKeys } from '../../acting/use-verb-keys.ts'
import type { Verb } from '../../acting/verbs.ts'
import { useMay } from '../../data/may.ts'
import type { MonitorRow } from '../../data/monitors.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { type Key, useKeys } from '../../shell/keys.ts'
import { useDensity } from './density.ts'
import { MonitorTableRow } from './monitor-row.tsx'
import styles from './rows.module.css'
import { select, useSelection } from './selection.ts'

/** As in rows.module.css: where rows are as high as estimated, none has to be placed twice. */
const estimatedPixels = { comfortable: 54, compact: 32 } as const

const columns = [
  { name: 'Status', className: styles.status },
  { name: 'Monitor', className: styles.name },
  { name: 'Type', className: styles.type },
  { name: 'Notification', className: styles.code },
  { name: 'Latency', className: styles.latency },
  { name: 'Healthy samples', className: styles.share, note: 'Healthy checks among all checks. Not an SLA.' },
  { name: 'Last check', className: styles.checked },
  { name: 'Next', className: styles.next },
]

/** Whether one of them can be asked of a row is said by its dialog. */
const verbsOfRows: readonly Verb[] = [
  ...(['acknowledge', 'dismiss', 'reopen', 'snooze', 'unsnooze', 'recover', 'enable', 'disable'] as const),
]

export function Rows({ rows, caption }: { readonly rows: readonly MonitorRow[]; readonly caption: string }) {
  const density = useDensity()
  const maySelect = useMay('CreateOperation')
  const chosen = useSelection()
  const body = useRef<HTMLTableSectionElement>(null)
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => setTop((body.current?.getBoundingClientRect().top ?? 0) + scrollY)
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [])
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => estimatedPixels[density],
    overscan: 4,
    scrollMargin: top,
    // The bar at the top covers what is scrolled under it.
    scrollPaddingStart: 120,
    scrollPaddingEnd: 40,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another density makes every measured height wrong.
  useEffect(() => virtualizer.measure(), [density, virtualizer])
  useRowKeys(rows.length, body, (index) => virtualizer.scrollToIndex(index))
  useVerbKeys({
    offered: verbsOfRows,
    what: 'the focused monitor',
    incident: 'the incident of the focused monitor',
    find() {
      const index = focusedRow()?.dataset['index']
      const monitorId = index === undefined ? undefined : rows[Number(index)]?.monitor_id
      return monitorId === undefined ? null : { monitorId }
    },
  })
  useKeys(
    useMemo<readonly Key[]>(() => {
      // Of all that a filter finds, single rows cannot be left out.
      if (!maySelect || chosen.kind === 'found') return []
      const run = () => {
        const row = rows[Number(focusedRow()?.dataset['index'] ?? -1)]
        if (row !== undefined) select([row], !isChosen(chosen, row))
      }
      return [{ keys: 'm', does: 'Select the focused monitor, or take it out again', run }]
    }, [maySelect, rows, chosen]),
  )
  const nowMs = useRestingNowMs(virtualizer.isScrolling)
  const followLink = useFollowLink()
  const items = virtualizer.getVirtualItems()
  const above = (items[0]?.start ?? top) - top
  const below = virtualizer.getTotalSize() - ((items.at(-1)?.end ?? top) - top)
  return (
    <div className={`${styles.box} ${styles[density]} ${maySelect ? styles.selecting : ''}`}>
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map(({ name, className, note }) => (
              <th key={name} scope="col" className={className} title={note}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link is clicked by Enter as well. */}
        <tbody
          ref={body}
          className={virtualizer.isScrolling ? styles.moving : undefined}
          onClick={followLink}
        >
          <Gap pixels={above} />
          {/* By their place: other rows are then other words in the elements that are there. */}
          {items.map(({ index }) => (
            <MonitorTableRow
              key={index}
              row={rows[index]!}
              index={index}
              nowMs={nowMs}
              measure={virtualizer.measureElement}
              isSelected={maySelect ? isChosen(chosen, rows[index]!) : null}
              isFixed={chosen.kind === 'found'}
            />
          ))}
          <Gap pixels={below} />
        </tbody>
      </table>
    </div>
  )
}

function isChosen(chosen: Chosen, { monitor_id }: MonitorRow): boolean {
  return chosen.kind === 'found' || (monitor_id !== undefined && chosen.names.has(monitor_id))
}

/** Stands still while rows fly by: their seconds cannot be read then, and each would have to be drawn anew. */
function useRestingNowMs(isScrolling: boolean): number {
  const nowMs = useNowMs()
  const shownMs = useRef(nowMs)
  if (!isScrolling) shownMs.current = nowMs
  return shownMs.current
}

/** Within the page, unless it was asked for in another tab or window. */
function useFollowLink(): (event: MouseEvent) => void {
  const [, navigate] = useLocation()
  return (event) => {
    const link = (event.target as Element).closest('a')
    if (link === null || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(link.pathname)
  }
}

function Gap({ pixels }: { readonly pixels: number }) {
  if (pixels <= 0) return null
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row of a plain table takes no focus.
    <tr aria-hidden="true" className={styles.gap}>
      <td colSpan={columns.length} style={{ height: pixels }} />
    </tr>
  )
}

function useRowKeys(
  count: number,
  body: { readonly current: HTMLElement | null },
  scrollTo: (index: number) => void,
): void {
  const place = useRef(-1)
  const current = useRef({ count, scrollTo })
  current.current = { count, scrollTo }
  useKeys(
    useMemo<readonly Key[]>(() => {
      const move = (step: 1 | -1) => {
        const focused = focusedRow()
        const from = focused === null ? place.current : Number(focused.dataset['index'])
        const to = Math.min(current.current.count - 1, Math.max(0, from + step))
        place.current = to
        current.current.scrollTo(to)
        focusRow(body, to)
      }
      return [
        { keys: 'j', does: 'Next monitor; Enter opens it', run: () => move(1) },
        { keys: 'k', does: 'Previous monitor', run: () => move(-1) },
      ]
    }, [body]),
  )
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('tr[data-index]') ?? null
}

/** A row that was scrolled to is in the document some frames later. */
function focusRow(body: { readonly current: HTMLElement | null }, index: number, framesLeft = 10): void {
  const link = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] a`)
  if (link != null) link.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusRow(body, index, framesLeft - 1))
}
