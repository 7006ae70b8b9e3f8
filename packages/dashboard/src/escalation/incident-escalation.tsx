// escalation/incident-escalation.tsx: where the policy of an open incident stands, for users who may read it. Nothing if it has
// none.
import { Panel } from '../components/panel.tsx'
import { useMay } from '../data/may.ts'
import { bodyOf } from '../data/reading.ts'
import { useV2Incident } from '../data/v2-reading.ts'
import { EscalationStatus } from './escalation-status.tsx'

/** Null reads nothing. */
export function IncidentEscalation({ incidentId }: { readonly incidentId: string | null }) {
  const mayRead = useMay('GetIncident')
  const page = bodyOf(useV2Incident(mayRead ? incidentId : null))?.escalation
  if (page === undefined) return null
  return (
    <Panel title="Escalation">
      <EscalationStatus page={page} />
    </Panel>
  )
}
