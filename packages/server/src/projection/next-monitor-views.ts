// projection/next-monitor-views.ts: monitors and incidents as v1 of the edition next shows them: with the end of a snooze and
// the time of an acknowledgement.
import type { Incident, NextIncident, NextMonitorRow } from '@pulseward/contract'
import { MonitorViews, type RowSource } from './monitor-views.ts'

export class NextMonitorViews extends MonitorViews {
  override monitor(row: number, source: RowSource): NextMonitorRow {
    return { ...super.monitor(row, source), snoozed_until: null }
  }

  override incident(
    row: number,
    source: RowSource,
    suppressed: ReadonlyMap<string, number>,
  ): Incident & Pick<NextIncident, 'snoozed_until' | 'acknowledged_at'> {
    const incident = super.incident(row, source, suppressed)
    return { ...incident, snoozed_until: null, acknowledged_at: null }
  }
}
