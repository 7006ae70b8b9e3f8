// views/monitors/rows.tsx: the rows of one page, of which only the visible ones are in the document. A native
// table whose first and last row stand for what is not rendered; screen readers get the true numbers.
import { type MouseEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { useKeepsHistory } from '../../data/config.ts'
import { useMay } from '../../data/may.ts'
import type { MonitorOrder, MonitorRow } from '../../data/monitors.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { useStrips } from '../../strips/use-strips.ts'
import { columns, directionOf, nextOrder } from './columns.ts'
import { useDensity } from './density.ts'
import { MonitorTableRow } from './monitor-row.tsx'
import styles from './rows.module.css'
import { isChosen, select, useSelection } from './selection.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'

export interface RowsProps {
  readonly rows: readonly MonitorRow[]
  readonly caption: string
  readonly order: MonitorOrder
  readonly chooseOrder: (order: MonitorOrder) => void
}

export function Rows({ rows, caption, order, chooseOrder }: RowsProps) {
  const density = useDensity()
  const maySelect = useMay('CreateOperation')
  const chosen = useSelection()
  const body = useRef<HTMLTableSectionElement>(null)
  const box = useRef<HTMLDivElement>(null)
  const { virtualizer, items, above, below } = useRowsInSight(rows.length, density, body)
  useRowKeys(rows, body, (index) => virtualizer.scrollToIndex(index))
  const nowMs = useRestingNowMs(virtualizer.isScrolling)
  const followLink = useFollowLink()
  const inSight = items.map(({ index }) => rows[index]!.id)
  useStrips(box, inSight, virtualizer.isScrolling)
  const hasHours = useKeepsHistory() !== false
  return (
    <div
      ref={box}
      className={`${styles.box} ${styles[density]} ${maySelect ? styles.selecting : ''} ${hasHours ? '' : styles.timeless}`}
    >
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <Headings rows={rows} order={order} chooseOrder={chooseOrder} />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link is clicked by Enter as well. */}
        <tbody
          ref={body}
          className={virtualizer.isScrolling ? styles.moving : undefined}
          onClick={followLink}
        >
          <Gap pixels={above} />
          {/* Keyed by index: other rows then only change the text of existing elements. */}
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

function Headings({ rows, order, chooseOrder }: Omit<RowsProps, 'caption'>) {
  const [status, name, ...others] = columns.map((column) => (
    <th
      key={column.key}
      scope="col"
      className={styles[column.key]}
      aria-sort={directionOf(column, order)}
      title={column.note}
    >
      {column.key === 'status' && <SelectPage rows={rows} />}
      <button type="button" className={styles.sort} onClick={() => chooseOrder(nextOrder(column, order))}>
        {column.name}
      </button>
    </th>
  ))
  return (
    <thead>
      <tr aria-rowindex={1}>
        {status}
        {name}
        <th scope="col" className={styles.history}>
          Last hours
        </th>
        {others}
      </tr>
    </thead>
  )
}

function SelectPage({ rows }: Pick<RowsProps, 'rows'>) {
  const maySelect = useMay('CreateOperation')
  const chosen = useSelection()
  if (!maySelect) return null
  return (
    <input
      type="checkbox"
      className={styles.select}
      aria-label="Select the rows of this page"
      checked={rows.every((row) => isChosen(chosen, row))}
      disabled={chosen.kind === 'found'}
      onChange={({ target }) => select(rows, target.checked)}
    />
  )
}

/** Stops during scrolling: the seconds cannot be read then, and each row would have to be rendered again. */
function useRestingNowMs(isScrolling: boolean): number {
  const nowMs = useNowMs()
  const shownMs = useRef(nowMs)
  if (!isScrolling) shownMs.current = nowMs
  return shownMs.current
}

/** Navigates within the page, unless another tab or window was requested. */
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
      <td colSpan={columns.length + 1} style={{ height: pixels }} />
    </tr>
  )
}
