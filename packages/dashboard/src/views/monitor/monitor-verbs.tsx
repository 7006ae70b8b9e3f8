// views/monitor/monitor-verbs.tsx: the verbs that this monitor allows now, for users who may use them, and
// who has acknowledged its incident.
import { offeredVerbs } from '../../acting/standing.ts'
import { useVerbKeys } from '../../acting/use-verb-keys.ts'
import { VerbButtons } from '../../acting/verb-buttons.tsx'
import { LookingIntoIt } from '../../components/looking-into-it.tsx'
import { useMay } from '../../data/may.ts'
import { bodyOf } from '../../data/reading.ts'
import { useV2Incident, useV2Monitor } from '../../data/v2-reading.ts'
import styles from './monitor.module.css'

export function MonitorVerbs({ monitorId }: { readonly monitorId: string }) {
  const mayAct = useMay('SnoozeMonitor')
  const monitor = bodyOf(useV2Monitor(mayAct ? monitorId : null))
  const incidentId = monitor?.status?.incidentID ?? null
  const incident = bodyOf(useV2Incident(incidentId))
  // Until the incident is read, its verbs are unknown.
  const isKnown = monitor !== null && (incidentId === null || incident !== null)
  const offered = isKnown ? offeredVerbs(monitor, incidentId === null ? null : incident) : []
  useVerbKeys({ offered, what: 'this monitor', incident: 'its incident', find: () => ({ monitorId }) })
  return (
    <div className={styles.verbs}>
      {incidentId !== null && incident?.acknowledgedBy !== undefined && (
        <p className={styles.note}>
          <bdi>{incident.acknowledgedBy}</bdi> <LookingIntoIt since={incident.acknowledgedAt} />.
        </p>
      )}
      <VerbButtons of={{ monitorId }} offered={offered} />
    </div>
  )
}
