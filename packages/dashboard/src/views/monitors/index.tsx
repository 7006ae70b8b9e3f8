// views/monitors: the list of monitors, filtered, with direct access to any page. Its state is in the URL;
// the current rows stay while the next ones are loading.
import { useMemo, useRef } from 'react'
import { Empty } from '../../components/empty.tsx'
import { PageTitle } from '../../components/page-title.tsx'
import { PanelGroup } from '../../components/panel-group.tsx'
import { ReadingView } from '../../components/reading-view.tsx'
import { type MonitorList, useMonitors } from '../../data/monitors.ts'
import { useOverview } from '../../data/overview.ts'
import { bodyOf } from '../../data/reading.ts'
import { useResting } from '../../data/use-resting.ts'
import { formatCount, plural } from '../../format/count.ts'
import { type Key, useKeys } from '../../shell/keys.ts'
import { filterOf, isFiltered } from './filter-state.ts'
import { Filters } from './filters.tsx'
import styles from './monitors.module.css'
import { pageCount, rowsOfPage } from './page-count.ts'
import { Pager } from './pager.tsx'
import { Rows } from './rows.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { Tools } from './tools.tsx'
import { useFilterState } from './use-filter-state.ts'

const lateMs = 250

export default function Monitors() {
  const [state, change] = useFilterState()
  const list = useMonitors(filterOf(state))
  const overview = bodyOf(useOverview())
  const input = useRef<HTMLInputElement>(null)
  useKeys(
    useMemo<readonly Key[]>(
      () => [{ keys: '/', does: 'Search by name', run: () => input.current?.focus() }],
      [],
    ),
  )
  const isWaiting = list.available && list.isPrevious
  // A short wait is not announced: it would only flicker.
  const isLate = useResting(isWaiting, lateMs) && isWaiting
  return (
    <PanelGroup>
      <PageTitle>Monitors</PageTitle>
      <Filters input={input} state={state} change={change} overview={overview} />
      <ReadingView reading={list} what="The list of monitors">
        {(body) => (
          <>
            <div className={styles.bar}>
              <p className={styles.count} role="status">
                {/* While the previous rows are still shown, their count is without the new filter. */}
                {countSentence(body, isFiltered(state) && !isWaiting)}
              </p>
              <Tools list={body} />
            </div>
            <SelectionBar list={body} state={state} />
            <div className={`${styles.rows} ${isLate ? styles.late : ''}`} aria-busy={isWaiting}>
              {body.monitors.length > 0 ? (
                <Rows key={body.page} rows={body.monitors} caption="Monitors" />
              ) : (
                <Empty>{emptySentence(body, isFiltered(state))}</Empty>
              )}
            </div>
            <Pager
              page={state.page}
              size={body.size}
              total={body.total}
              goTo={(page) => change({ page })}
              chooseSize={(size) => change({ size })}
            />
          </>
        )}
      </ReadingView>
    </PanelGroup>
  )
}

function countSentence(list: MonitorList, filtered: boolean): string {
  const rows = rowsOfPage(list)
  const all = plural(list.total, 'monitor')
  if (rows === null) return filtered ? `${all} match` : all
  const range = `${formatCount(rows.first)}–${formatCount(rows.last)} of ${all}`
  return filtered ? `${range} that match` : range
}

function emptySentence(list: MonitorList, filtered: boolean): string {
  if (list.total > 0)
    return `There is no page ${formatCount(list.page)}: the last is ${formatCount(pageCount(list))}.`
  return filtered ? 'No monitor matches all of this.' : 'No monitor is configured.'
}
