// simulation/oracle/message-rules.ts: compares what providers are sent with the model: the monitor, the
// color, the status, the incident, since when, and what was not reported before.
import { type Notification, severityOf } from '@pulseward/server/internal/notify/driver.ts'
import {
  type Instant,
  type ModelAction,
  type ModelMonitor,
  type ModelStatus,
  statusOf,
} from '../model/monitor-state.ts'
import type { ReferenceModel } from '../model/reference-model.ts'
import { isForDigest } from './liveness-rules.ts'
import type { Identities } from './model-identities.ts'
import { messageDifferences } from './page-messages.ts'

/** Tolerance for the time of the first failure: a check ends a moment before the service gets its result. */
const sinceMs = 2_000

interface Started {
  readonly status: ModelStatus
  readonly firstFailureAt: Instant | null
  readonly acknowledgedBy: string | null
}

/** Returns differences as sentences. */
export class MessageRules {
  readonly #model: ReferenceModel
  readonly #ids: Identities
  /** The expected content when a message was started, by the key of its action. It is sent when the start is on disk. */
  readonly #started = new Map<number, Started>()
  /** The same for digests: an incident may be dismissed before their start is on disk. */
  readonly #startedDigests = new Map<number, ReturnType<ReferenceModel['untoldAt']>>()

  constructor(model: ReferenceModel, ids: Identities) {
    this.#model = model
    this.#ids = ids
  }

  started(action: ModelAction, monitor: ModelMonitor): void {
    if (action.cause === 'digest')
      this.#startedDigests.set(action.key, this.#model.untoldAt(action.endpoint!))
    this.#started.set(action.key, {
      acknowledgedBy: this.#acknowledgedBy(monitor, action),
      status: statusOf(monitor),
      firstFailureAt: monitor.episode?.firstFailureAt ?? null,
    })
  }

  compare(monitor: ModelMonitor, action: ModelAction, said: Notification): readonly string[] {
    if (action.page !== undefined) return messageDifferences(action.page, said)
    return said.digest === null ? this.#compareOne(monitor, action, said) : this.#compareDigest(action, said)
  }

  #compareOne(monitor: ModelMonitor, action: ModelAction, said: Notification): readonly string[] {
    const { episode } = monitor
    const started = this.#started.get(action.key)
    this.#started.delete(action.key)
    const differences: string[] = []
    const differ = (what: string, one: unknown, other: unknown) =>
      differences.push(`${what} ${one}, the model says ${other}`)
    const incidentId = action.incident === null ? null : this.#ids.incidentId(action.incident)
    if (said.color !== action.color) differ('color', said.color, action.color)
    if (said.cause !== action.cause) differ('cause', said.cause, action.cause)
    if (said.incidentId !== incidentId) differ('incident', said.incidentId, incidentId)
    const severity = said.color === 'red' ? (monitor.plan.severity ?? 'critical') : severityOf(said.color)
    if (said.severity !== severity) differ('severity', said.severity, severity)
    const { acknowledgedBy } = said
    if (
      (acknowledgedBy ?? null) !== this.#acknowledgedBy(monitor, action) &&
      acknowledgedBy !== started?.acknowledgedBy
    )
      differ('acknowledged by', acknowledgedBy, this.#acknowledgedBy(monitor, action))
    const statuses = [statusOf(monitor), started?.status]
    // After a restart it is not always known whether a quiet monitor was up.
    if (monitor.lastCheckMs === null) statuses.push('unknown')
    if (!statuses.includes(said.status as ModelStatus)) differ('status', said.status, statuses)
    const isOfEpisode = episode !== null && action.episode === episode.number && action.cause === 'episode'
    if (isOfEpisode && (said.color === 'red' || said.color === 'yellow')) {
      // The clock may have been set since it was started.
      const instants = [episode.firstFailureAt, started?.firstFailureAt ?? episode.firstFailureAt]
      const off = Math.min(...instants.map((instant) => Math.abs((said.sinceMs ?? 0) - instant)))
      if (off > sinceMs) differ('since', said.sinceMs, instants)
    }
    if (said.color !== 'green') return differences
    const untold = monitor.untold.filter((one) => one.endpoint === action.endpoint && one.to !== null)
    const certain = untold.filter(({ isCertain }) => isCertain)
    const incidents = said.untold?.incidents ?? 0
    if (incidents < certain.length || incidents > untold.length)
      differ('untold', incidents, `${certain.length} to ${untold.length}`)
    return differences
  }

  /** While the incident is open, its last acknowledgement; afterwards, the one when the message was decided. */
  #acknowledgedBy({ episode }: ModelMonitor, { incident, acknowledgedBy }: ModelAction): string | null {
    const isOpen = incident !== null && episode?.incident?.number === incident
    return isOpen ? (episode?.incident?.acknowledgedBy ?? null) : acknowledgedBy
  }

  #compareDigest({ key, endpoint, startedAt }: ModelAction, { digest }: Notification): readonly string[] {
    const now = this.#model.untoldAt(endpoint!)
    const isStill = (incident: number) => now.some(({ untold }) => untold.incident === incident)
    const before = this.#startedDigests.get(key) ?? []
    this.#startedDigests.delete(key)
    const known = [...now, ...before.filter(({ untold }) => !isStill(untold.incident))]
    // A digest leaves out what a green is about to report, and what became untold in the same moment.
    const certain = now.filter(
      ({ monitor, untold }) => isForDigest(monitor, untold) && untold.since! < startedAt!,
    )
    const monitors = new Set(known.map(({ monitor }) => monitor.plan.id))
    const strange = digest!.monitors.filter(({ monitorId }) => !monitors.has(monitorId))
    const differences = strange.map(({ monitorId }) => `${monitorId} was told of everything`)
    if (digest!.incidents < certain.length || digest!.incidents > known.length)
      differences.push(`${digest!.incidents} incidents, the model says ${certain.length} to ${known.length}`)
    return differences
  }
}
