// projection/next-monitor-views.ts: monitors and incidents as v1 of the edition next shows them: with the end of a snooze,
// the time of an acknowledgement, who is told, the id of an open incident, and the last checks of a failing monitor.

import type {
  CheckSeen,
  Incident,
  NextIncident,
  NextMonitorDetail,
  NextMonitorRow,
} from '@pulseward/contract'
import type { LastCheck } from '../checking/last-checks.ts'
import type { Audience } from '../deciding/actions/audience.ts'
import { snoozedUntilMs } from '../deciding/health/health.ts'
import { timestamp } from '../platform/wire.ts'
import { MonitorViews, type MonitorViewsOptions, type RowSource } from './monitor-views.ts'

export class NextMonitorViews extends MonitorViews {
  readonly #engine: MonitorViewsOptions['engine']

  constructor(options: MonitorViewsOptions) {
    super(options)
    this.#engine = options.engine
  }

  override monitor(row: number, source: RowSource): NextMonitorRow {
    return { ...super.monitor(row, source), snoozed_until: this.#snoozedUntil(row) }
  }

  override detail(row: number, source: RowSource): NextMonitorDetail {
    return {
      ...super.detail(row, source),
      audience: audienceView(this.#engine.audienceOf(row), this.#engine.escalationPolicyOf(row)),
      incident_id: this.#engine.healthOf(row).episode?.incident?.id ?? null,
      last_checks: this.#engine.lastChecksOf(row)?.map(lastCheckView) ?? null,
    }
  }

  override incident(
    row: number,
    source: RowSource,
    suppressed: ReadonlyMap<string, number>,
  ): Incident & Pick<NextIncident, 'snoozed_until' | 'acknowledged_at'> {
    const incident = super.incident(row, source, suppressed)
    const acknowledged = this.#engine.healthOf(row).episode?.incident?.handling?.acknowledged ?? null
    return {
      ...incident,
      snoozed_until: this.#snoozedUntil(row),
      acknowledged_at: timestamp(acknowledged?.at ?? null),
    }
  }

  #snoozedUntil(row: number): string | null {
    return timestamp(snoozedUntilMs(this.#engine.healthOf(row)))
  }
}

function lastCheckView({ at, outcome, latencyMs, reason }: LastCheck): CheckSeen {
  return { at: timestamp(at), outcome, latency_ms: latencyMs, reason }
}

function audienceView(audience: Audience, policy: string | null): NextMonitorDetail['audience'] {
  const members = Object.entries(audience).map(([color, told]) => [
    color,
    told.map(({ destination, namedBy }) => ({ destination, named_by: [...namedBy] })),
  ])
  return { ...Object.fromEntries(members), ...(policy === null ? {} : { policy }) }
}
