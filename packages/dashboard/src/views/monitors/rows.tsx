// views/monitors/rows.tsx: the rows of one page, of which only the visible ones are in the document. A native
// table whose first and last row stand for what is not rendered; screen readers get the true numbers.
import { type MouseEvent, useRef } from 'react'
import { useLocation } from 'wouter'
import { useMay } from '../../data/may.ts'
import type { MonitorRow } from '../../data/monitors.ts'
import { useNowMs } from '../../data/service-clock.ts'
import { useDensity } from './density.ts'
import { MonitorTableRow } from './monitor-row.tsx'
import styles from './rows.module.css'
import { isChosen, useSelection } from './selection.ts'
import { useRowKeys } from './use-row-keys.ts'
import { useRowsInSight } from './use-rows-in-sight.ts'

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

export function Rows({ rows, caption }: { readonly rows: readonly MonitorRow[]; readonly caption: string }) {
  const density = useDensity()
  const maySelect = useMay('CreateOperation')
  const chosen = useSelection()
  const body = useRef<HTMLTableSectionElement>(null)
  const { virtualizer, items, above, below } = useRowsInSight(rows.length, density, body)
  useRowKeys(rows, body, (index) => virtualizer.scrollToIndex(index))
  const nowMs = useRestingNowMs(virtualizer.isScrolling)
  const followLink = useFollowLink()
  return (
    <div className={`${styles.box} ${styles[density]} ${maySelect ? styles.selecting : ''}`}>
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <caption className="visually-hidden">{caption}</caption>
        <Headings />
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

function Headings() {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map(({ name, className, note }) => (
          <th key={name} scope="col" className={className} title={note}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
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
      <td colSpan={columns.length} style={{ height: pixels }} />
    </tr>
  )
}
