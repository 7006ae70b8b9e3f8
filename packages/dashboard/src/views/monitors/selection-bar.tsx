// views/monitors/selection-bar.tsx: how many monitors are selected, ways to select more, and what can be done with them in
// one operation. Only for users who may, and only while something is selected.
import { useEffect } from 'react'
import { askMany, type Chosen } from '../../acting/ask.ts'
import { useAllowedVerbs } from '../../acting/verb-buttons.tsx'
import { verbs } from '../../acting/verbs.ts'
import { Button } from '../../components/button.tsx'
import { useMay } from '../../data/may.ts'
import type { MonitorList } from '../../data/monitors.ts'
import { formatCount, plural } from '../../format/count.ts'
import { type FilterState, filterOf } from './filter-state.ts'
import styles from './monitors.module.css'
import { select, selectFound, selectNothing, useSelection } from './selection.ts'

const manyVerbs = [
  ...(['acknowledge', 'dismiss', 'reopen', 'snooze', 'unsnooze', 'recover', 'enable', 'disable'] as const),
]

export function SelectionBar({ list, state }: { readonly list: MonitorList; readonly state: FilterState }) {
  const mayAct = useMay('CreateOperation')
  const chosen = useSelection()
  const allowed = useAllowedVerbs(manyVerbs)
  const filter = JSON.stringify(filterOf(state))
  // "All matches" was meant for the filter that was shown.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another filter finds others.
  useEffect(() => {
    if (chosen.kind === 'found') selectNothing()
  }, [filter])
  useEffect(() => selectNothing, [])
  const count = countOf(chosen)
  if (!mayAct || count === 0) return null
  return (
    <fieldset className={styles.selection}>
      <legend className="visually-hidden">Selected monitors</legend>
      <span role="status" className={styles.count}>
        {chosen.kind === 'found'
          ? `All ${plural(count, 'monitor')} selected`
          : `${formatCount(count)} selected`}
      </span>
      <Button weight="quiet" onClick={() => select(list.monitors, true)}>
        Select this page
      </Button>
      <Button weight="quiet" onClick={() => selectFound(filterOf(state), list.total)}>
        Select all {formatCount(list.total)}
      </Button>
      <Button weight="quiet" onClick={selectNothing}>
        Select none
      </Button>
      {manyVerbs
        .filter((verb) => allowed.includes(verb))
        .map((verb) => (
          <Button key={verb} aria-haspopup="dialog" onClick={() => askMany({ verb, chosen })}>
            {verbs[verb].words}
          </Button>
        ))}
    </fieldset>
  )
}

function countOf(chosen: Chosen): number {
  return chosen.kind === 'found' ? chosen.total : chosen.names.size
}
