// views/alerts/use-incident-keys.ts: the keys of the list of incidents: j and k move the focus from link to link, so that Enter
// opens what is focused; the keys of verbs mean the incident that has the focus.
import { useMemo } from 'react'
import { useVerbKeys } from '../../acting/use-verb-keys.ts'
import type { Verb } from '../../acting/verbs.ts'
import type { Incident } from '../../data/incidents.ts'
import { type Key, useKeys } from '../../shell/keys.ts'

const offered: readonly Verb[] = ['acknowledge', 'dismiss', 'reopen', 'snooze', 'unsnooze']

export function useIncidentKeys(incidents: readonly Incident[]): void {
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

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('li[data-incident]') ?? null
}

function move(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('li[data-incident]')]
  const focused = focusedRow()
  const from = focused === null ? -1 : rows.indexOf(focused)
  const row = rows[Math.min(rows.length - 1, Math.max(0, from + step))]
  row?.querySelector('a')?.focus()
}
