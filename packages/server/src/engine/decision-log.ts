// engine/decision-log.ts: logs incidents, failed actions and destinations in trouble: a few per second by
// name, the rest as a count, because in a storm the log must not slow down the engine. An undelivered
// notification is a warning that names the destination, the attempt and the reason.
import type { DecidedEvent, Decision, PlacedEvent } from '../deciding/decision.ts'
import type { HealthTable } from '../deciding/health-table.ts'
import type { Log } from '../telemetry/log.ts'

const namedPerSecond = 20

type EventType = DecidedEvent['type']

const sentences: Readonly<Partial<Record<EventType, string>>> = {
  incident_opened: 'an incident was opened',
  incident_closed: 'an incident was closed',
  incident_suppressed: 'an incident was suppressed by what the monitor depends on',
  destination_dead: 'a destination is gone; nothing is sent to it until its configuration changes',
  destination_ailing:
    'a destination accepted none of the last three notifications; it is tried with one at a time until it accepts one',
  destination_recovered: 'a destination accepts notifications again',
  digest_sent: 'a digest reported incidents that had not been reported before',
  control_acknowledged: 'an incident was acknowledged',
  control_dismissed: 'an incident was dismissed; nothing more is sent about it',
  control_reopened: 'an incident is no longer dismissed',
  control_noted: 'a note was added to an incident',
  control_snoozed: 'a monitor was snoozed',
  control_unsnoozed: 'the snooze of a monitor was ended',
  snooze_expired: 'the snooze of a monitor has ended',
  control_recover_requested: 'a recovery action was asked for',
  action_reviewed: 'an action with an unknown outcome was reviewed',
  digest_dropped: 'a digest was dropped; the incidents in it stay untold',
  escalation: 'an escalation policy went on',
}

const notWarnings: ReadonlySet<EventType> = new Set<EventType>([
  'incident_opened',
  'incident_closed',
  'incident_suppressed',
  'destination_recovered',
  'digest_sent',
  'escalation',
  'control_acknowledged',
  'control_dismissed',
  'control_reopened',
  'control_noted',
  'control_snoozed',
  'control_unsnoozed',
  'snooze_expired',
  'control_recover_requested',
  'action_reviewed',
])

export class DecisionLog {
  readonly #log: Log
  readonly #health: HealthTable
  #named = 0
  #unnamed = 0

  constructor(log: Log, health: HealthTable) {
    this.#log = log
    this.#health = health
  }

  follow({ events }: Decision): void {
    for (const { row, event } of events) {
      const sentence = sentenceFor(event)
      if (sentence === null || !this.#mayName()) continue
      const fields = this.#fieldsOf({ row, event })
      if (notWarnings.has(event.type)) this.#log.info(fields, sentence)
      else this.#log.warn(fields, sentence)
    }
  }

  /** Called every second. */
  summarise(): void {
    if (this.#unnamed > 0)
      this.#log.info({ events: this.#unnamed }, 'and more events of incidents and actions in the same second')
    this.#named = 0
    this.#unnamed = 0
  }

  #mayName(): boolean {
    if (this.#named++ < namedPerSecond) return true
    this.#unnamed++
    return false
  }

  #fieldsOf({ row, event }: PlacedEvent): object {
    const { type, monitorId, endpoint, color, outcome, actor, detail } = event
    const isOfHealth = type.startsWith('incident_')
    const known = isOfHealth
      ? { monitor: monitorId, reason: this.#health.noteOf(row)?.lastError ?? null, outcome }
      : { monitor: monitorId, endpoint, color, outcome, actor, ...detail }
    return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
  }
}

function sentenceFor({ type, kind }: DecidedEvent): string | null {
  const what = kind === 'intervention' ? 'a recovery action' : 'a notification'
  if (type === 'action_failed') return `${what} was rejected`
  if (type === 'action_unknown') return `it is not known whether ${what} arrived; it is not repeated`
  return sentences[type] ?? null
}
