// views/alerts/use-incident-keys.ts: the keys of the list of incidents: j and k move the focus from link to link, so that
// Enter opens the focused incident. Verb keys apply to the incident that has the focus, which follows it when it moves.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useVerbKeys } from '../../acting/use-verb-keys.ts'
import type { Verb } from '../../acting/verbs.ts'
import type { Incident } from '../../data/incidents.ts'
import { type Key, useKeys } from '../../shell/keys.ts'

const offered: readonly Verb[] = ['acknowledge', 'dismiss', 'reopen', 'snooze', 'unsnooze']

export function useIncidentKeys(incidents: readonly Incident[]): void {
  useFocusThatFollows(incidents)
  useKeys(
    useMemo<readonly Key[]>(
      () => [
        { keys: 'j', does: 'Next incident; Enter opens its monitor', run: () => move(1) },
        { keys: 'k', does: 'Previous incident', run: () => move(-1) },
      ],
      [],
    ),
  )
  useVerbKeys({
    offered,
    what: 'the monitor of the focused incident',
    incident: 'the focused incident',
    find() {
      const id = focusedRow()?.dataset['incident']
      const incident = incidents.find(({ incident_id }) => incident_id === id)
      if (incident?.monitor_id === undefined) return null
      return { monitorId: incident.monitor_id, incidentId: incident.incident_id }
    },
  })
}

/** An incident that moves to another group gets another row, and the row that had the focus is gone. */
function useFocusThatFollows(incidents: readonly Incident[]): void {
  const focused = useRef<string | undefined>(undefined)
  useEffect(() => {
    const note = ({ target }: Event) => {
      focused.current = target instanceof Element ? rowAround(target)?.dataset['incident'] : undefined
    }
    document.addEventListener('focusin', note)
    document.addEventListener('pointerdown', note)
    return () => {
      document.removeEventListener('focusin', note)
      document.removeEventListener('pointerdown', note)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows move when other incidents came.
  useLayoutEffect(() => {
    if (document.activeElement !== document.body) return
    const row = rowsShown().find(({ dataset }) => dataset['incident'] === focused.current)
    row?.querySelector('a')?.focus({ preventScroll: true })
  }, [incidents])
}

function rowAround(element: Element): HTMLElement | null {
  return element.closest<HTMLElement>('li[data-incident]')
}

function rowsShown(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('li[data-incident]')]
}

function focusedRow(): HTMLElement | null {
  return document.activeElement === null ? null : rowAround(document.activeElement)
}

function move(step: 1 | -1): void {
  const rows = rowsShown()
  const focused = focusedRow()
  const from = focused === null ? -1 : rows.indexOf(focused)
  const row = rows[Math.min(rows.length - 1, Math.max(0, from + step))]
  row?.querySelector('a')?.focus()
}
