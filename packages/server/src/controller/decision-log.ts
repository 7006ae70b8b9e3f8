// controller/decision-log.ts: tells the log about incidents, a few by name and the rest as a number: in a storm the
// log must not hold up the controller.
import type { MonitorEvent } from '../health/step.ts'
import type { Log } from '../telemetry/log.ts'

const namedPerSecond = 20

const words: Readonly<Record<MonitorEvent['type'], string>> = {
  incident_opened: 'an incident was opened',
  incident_closed: 'an incident was closed',
  incident_suppressed: 'an incident was suppressed by what the monitor depends on',
}

export class DecisionLog {
  readonly #log: Log
  #named = 0
  #unnamed = 0

  constructor(log: Log) {
    this.#log = log
  }

  note(monitorId: string, reason: string | null, events: readonly MonitorEvent[]): void {
    for (const event of events) {
      if (this.#named >= namedPerSecond) this.#unnamed++
      else {
        this.#named++
        const outcome = event.type === 'incident_closed' ? { outcome: event.outcome } : {}
        this.#log.info(
          { monitor: monitorId, ...(reason === null ? {} : { reason }), ...outcome },
          words[event.type],
        )
      }
    }
  }

  /** Every second. */
  summarise(): void {
    if (this.#unnamed > 0)
      this.#log.info({ events: this.#unnamed }, 'and more events of incidents in the same second')
    this.#named = 0
    this.#unnamed = 0
  }
}
