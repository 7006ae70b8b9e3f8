// views/monitors: the list of monitors, what is wrong first, filtered, with direct access to any page. Its state is in the
// URL; the current rows stay while the next ones are loading.
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
  const { page, size, sort } = state
  const list = useMonitors({ ...filterOf(state), page, size, sort })
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
  const body = bodyOf(list)
  return (
    <PanelGroup>
      <div className={styles.head}>
        <PageTitle>Monitors</PageTitle>
        <p className={styles.count} role="status">
          {/* While the previous rows are still shown, their count is without the new filter. */}
          {body !== null && <CountSentence list={body} isFiltered={isFiltered(state) && !isWaiting} />}
        </p>
        <Filters input={input} state={state} change={change} overview={overview} tags={tagsOf(body)} />
        <Tools list={body} />
      </div>
      <ReadingView reading={list} what="The list of monitors">
        {(body) => (
          <>
            <div className={`${styles.rows} ${isLate ? styles.late : ''}`} aria-busy={isWaiting}>
              {body.monitors.length > 0 ? (
                <Rows
                  key={body.page}
                  rows={body.monitors}
                  caption="Monitors"
                  order={sort}
                  chooseOrder={(next) => change({ sort: next })}
                />
              ) : (
                <Empty>{emptySentence(body, isFiltered(state))}</Empty>
              )}
            </div>
            <SelectionBar list={body} state={state} />
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

function tagsOf(list: MonitorList | null): readonly string[] {
  return [...new Set(list?.monitors.flatMap(({ tags }) => tags))].sort()
}

function CountSentence(props: { readonly list: MonitorList; readonly isFiltered: boolean }) {
  const rows = rowsOfPage(props.list)
  const all = plural(props.list.total, 'monitor')
  if (rows === null) return props.isFiltered ? `${all} match` : all
  return (
    <>
      <span className={styles.long}>{`${formatCount(rows.first)}–${formatCount(rows.last)} of `}</span>
      {props.isFiltered ? `${all} that match` : all}
    </>
  )
}

function emptySentence(list: MonitorList, filtered: boolean): string {
  if (list.total > 0)
    return `There is no page ${formatCount(list.page)}: the last is ${formatCount(pageCount(list))}.`
  return filtered ? 'No monitor matches all of this.' : 'No monitor is configured.'
}
