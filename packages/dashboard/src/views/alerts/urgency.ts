// views/alerts/urgency.ts: which open incidents need attention most. Within a group the oldest comes first.
import type { Incident } from '../../data/incidents.ts'

export const urgencies = ['held', 'open', 'recovering', 'attended'] as const
export type Urgency = (typeof urgencies)[number]

export const urgencyWords: Readonly<Record<Urgency, { readonly title: string; readonly meaning: string }>> = {
  held: { title: 'Held for review', meaning: 'An answer was lost: check what happened.' },
  open: { title: 'Open', meaning: 'Nothing has helped so far.' },
  recovering: {
    title: 'Being recovered',
    meaning: 'A recovery is in flight, or healthy checks are being counted.',
  },
  attended: {
    title: 'Acknowledged or dismissed',
    meaning: 'Somebody is looking into it or has dismissed it.',
  },
}

type Ranked = Pick<
  Incident,
  'status' | 'unknown_actions' | 'acknowledged_by' | 'dismissed' | 'last_action' | 'opened_at'
>

export function urgencyOf({
  status,
  unknown_actions,
  acknowledged_by,
  dismissed,
  last_action,
}: Ranked): Urgency {
  if (dismissed || acknowledged_by !== null) return 'attended'
  if (unknown_actions > 0 || last_action?.state === 'unknown') return 'held'
  const isRunning = last_action?.state === 'queued' || last_action?.state === 'started'
  if (status === 'verifying' || (isRunning && last_action.kind === 'intervention')) return 'recovering'
  return 'open'
}

/** Only groups with incidents, the most urgent first. */
export function byUrgency<Row extends Ranked>(
  incidents: readonly Row[],
): readonly { readonly urgency: Urgency; readonly incidents: readonly Row[] }[] {
  const groups = Map.groupBy(incidents, urgencyOf)
  return urgencies.flatMap((urgency) => {
    const rows = groups.get(urgency)
    if (rows === undefined) return []
    return [
      { urgency, incidents: rows.toSorted((a, b) => Date.parse(a.opened_at) - Date.parse(b.opened_at)) },
    ]
  })
}
