// views/incident/monitor-of-incident.ts: what is known now of the monitor of an incident; it may have been removed.
import { useMonitor } from '../../data/monitor.ts'
import { bodyOf } from '../../data/reading.ts'
import { useServiceState } from '../../data/state.ts'

export interface MonitorOfIncident {
  readonly number: number | null
  readonly name: string | null
}

/** Events have only the stable identity; null while it is not known. */
export function useMonitorOfIncident(monitorId: string | null): MonitorOfIncident {
  const state = bodyOf(useServiceState(monitorId ?? undefined))
  const number = monitorId === null ? null : (state?.monitor_number ?? null)
  const name = bodyOf(useMonitor(number))?.name ?? null
  return { number, name }
}
