// views/monitor/monitor-escalation.tsx: where the policy of a monitor's open incident stands.
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useV2Monitor } from '../../data/v2-reading.ts'
import { IncidentEscalation } from '../../escalation/incident-escalation.tsx'

export function MonitorEscalation({ monitorId }: { readonly monitorId: string }) {
  const monitor = bodyOf(useV2Monitor(useMay('GetMonitor') ? monitorId : null))
  return <IncidentEscalation incidentId={monitor?.status?.incidentID ?? null} />
}
