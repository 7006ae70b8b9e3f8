// views/monitors/use-row-keys.ts: the keys of the rows. j and k move the focus from link to link, so that
// Enter opens the focused monitor; others select it or open a dialog for it. The focus follows a monitor that moves.
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useVerbKeys } from '../../acting/use-verb-keys.ts'
import type { Verb } from '../../acting/verbs.ts'
import { useMay } from '../../data/may.ts'
import type { MonitorRow } from '../../data/monitors.ts'
import { type Key, useKeys } from '../../shell/keys.ts'
import { isChosen, select, useSelection } from './selection.ts'

/** The dialog says whether a verb is possible for the row. */
const verbsOfRows: readonly Verb[] = [
  ...(['acknowledge', 'dismiss', 'reopen', 'snooze', 'unsnooze', 'recover', 'enable', 'disable'] as const),
]

export function useRowKeys(
  rows: readonly MonitorRow[],
  body: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): void {
  useFocusThatFollows(rows, body)
  useMovingKeys(rows.length, body, scrollTo)
  useVerbKeys({
    offered: verbsOfRows,
    what: 'the focused monitor',
    incident: 'the incident of the focused monitor',
    find() {
      const monitorId = focusedOf(rows)?.monitor_id
      return monitorId === undefined ? null : { monitorId }
    },
  })
  useSelectingKey(rows)
}

/** Rows keep their elements when the list has another order; a key must not reach the monitor that comes instead. */
function useFocusThatFollows(rows: readonly MonitorRow[], body: RefObject<HTMLElement | null>): void {
  const shown = useRef(rows)
  const focused = useRef<MonitorRow['id'] | undefined>(undefined)
  useEffect(() => {
    const note = () => {
      focused.current = focusedOf(shown.current)?.id
    }
    document.addEventListener('focusin', note)
    return () => document.removeEventListener('focusin', note)
  }, [])
  useLayoutEffect(() => {
    shown.current = rows
    const element = document.activeElement
    const row = focusedOf(rows)
    if (row === undefined || row.id === focused.current || !(element instanceof HTMLElement)) return
    const to = rows.findIndex(({ id }) => id === focused.current)
    element.blur()
    if (to >= 0) focusRow(body, to, element instanceof HTMLInputElement ? 'input' : 'a')
  }, [rows, body])
}

function useMovingKeys(
  count: number,
  body: RefObject<HTMLElement | null>,
  scrollTo: (index: number) => void,
): void {
  const place = useRef(-1)
  const current = useRef({ count, scrollTo })
  current.current = { count, scrollTo }
  useKeys(
    useMemo<readonly Key[]>(() => {
      const move = (step: 1 | -1) => {
        const from = focusedIndex() ?? place.current
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

function useSelectingKey(rows: readonly MonitorRow[]): void {
  const maySelect = useMay('CreateOperation')
  const chosen = useSelection()
  useKeys(
    useMemo<readonly Key[]>(() => {
      // If all matches of a filter are selected, single rows cannot be excluded.
      if (!maySelect || chosen.kind === 'found') return []
      const run = () => {
        const row = focusedOf(rows)
        if (row !== undefined) select([row], !isChosen(chosen, row))
      }
      return [{ keys: 'm', does: 'Select or deselect the focused monitor', run }]
    }, [maySelect, rows, chosen]),
  )
}

function focusedOf(rows: readonly MonitorRow[]): MonitorRow | undefined {
  const index = focusedIndex()
  return index === null ? undefined : rows[index]
}

function focusedIndex(): number | null {
  const row = document.activeElement?.closest<HTMLElement>('tr[data-index]')
  return row == null ? null : Number(row.dataset['index'])
}

/** A row that was scrolled to appears in the document some frames later. */
function focusRow(
  body: RefObject<HTMLElement | null>,
  index: number,
  part: 'a' | 'input' = 'a',
  framesLeft = 10,
): void {
  const element = body.current?.querySelector<HTMLElement>(`tr[data-index="${index}"] ${part}`)
  if (element != null) element.focus({ preventScroll: true })
  else if (framesLeft > 0) requestAnimationFrame(() => focusRow(body, index, part, framesLeft - 1))
}
