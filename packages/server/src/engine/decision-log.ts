// engine/decision-log.ts: tells the log about incidents, about actions that failed and about destinations in trouble,
// a few by name and the rest as a number: in a storm the log must not hold up the controller. What was not delivered is
// a warning, and says to whom, at which try and why.
import type { ActionEvent, Decision } from '../deciding/actions/decision.ts'
import type { MonitorEvent } from '../deciding/health/step.ts'
import type { Log } from '../telemetry/log.ts'

const namedPerSecond = 20

const words: Readonly<Record<MonitorEvent['type'], string>> = {
  incident_opened: 'an incident was opened',
  incident_closed: 'an incident was closed',
  incident_suppressed: 'an incident was suppressed by what the monitor depends on',
}

const actionWords: Readonly<Partial<Record<ActionEvent['type'], string>>> = {
  destination_dead: 'a destination is gone; nothing is sent to it until its configuration changes',
  destination_ailing:
    'a destination took none of the last three notifications; one at a time tries it until it takes one',
  destination_recovered: 'a destination takes notifications again',
  digest_sent: 'a digest told of incidents that were not told before',
  digest_dropped: 'a digest was dropped; the incidents in it are told by nobody',
}

const goodNews: ReadonlySet<ActionEvent['type']> = new Set<ActionEvent['type']>([
  'destination_recovered',
  'digest_sent',
])

export class DecisionLog {
  readonly #log: Log
  #named = 0
  #unnamed = 0

  constructor(log: Log) {
    this.#log = log
  }

  note(monitorId: string, reason: string | null, events: readonly MonitorEvent[]): void {
    for (const event of events) {
      if (!this.#mayName()) continue
      const outcome = event.type === 'incident_closed' ? { outcome: event.outcome } : {}
      this.#log.info(
        { monitor: monitorId, ...(reason === null ? {} : { reason }), ...outcome },
        words[event.type],
      )
    }
  }

  noteActions({ events }: Decision): void {
    for (const event of events) {
      const text = wordsFor(event)
      if (text === null || !this.#mayName()) continue
      if (goodNews.has(event.type)) this.#log.info(fieldsOf(event), text)
      else this.#log.warn(fieldsOf(event), text)
    }
  }

  /** Every second. */
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
}

function wordsFor({ type, kind }: ActionEvent): string | null {
  const what = kind === 'intervention' ? 'a recovery action' : 'a notification'
  if (type === 'action_failed') return `${what} was rejected`
  if (type === 'action_unknown') return `nobody knows whether ${what} arrived; it is not repeated by itself`
  return actionWords[type] ?? null
}

function fieldsOf({ monitorId, endpoint, color, outcome, detail }: ActionEvent): object {
  const known = { monitor: monitorId, endpoint, color, outcome, ...detail }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null))
}
