// checks/contract/meet.ts: runs one check of one peer in the real runner, and records what the driver
// returned, what the runner made of it, and how long after the deadline it ended.
import type { CheckDriver, Observation, Outcome } from '@pulseward/server/internal/checks/driver.ts'
import { runCheck } from '@pulseward/server/internal/checks/runner.ts'
import { mapReferences } from '@pulseward/server/internal/config/fleet-file/credential-places.ts'
import { systemClock } from '@pulseward/server/internal/platform/clock.ts'
import { Lateness } from '../../lateness.ts'
import { type CheckScenarios, type Encounter, timeoutMsOf } from '../scenarios.ts'
import { watchTimers } from './left-behind.ts'

/** How the driver itself ended; pending if the runner had to answer for it. */
export type DriverEnd =
  | { readonly kind: 'pending' }
  | { readonly kind: 'threw'; readonly error: unknown }
  | { readonly kind: 'rejected'; readonly error: unknown }
  | { readonly kind: 'gave'; readonly outcome: unknown }

export interface Meeting {
  readonly end: DriverEnd
  readonly outcome: Outcome
  /** What the driver saw; empty unless it was asked for. */
  readonly observations: readonly Observation[]
  /** 0 when there was an outcome before the deadline. */
  readonly lateMs: number
}

/** The configuration as a driver gets it. */
export function configInPlace(
  driver: CheckDriver,
  scenarios: CheckScenarios,
  encounter: Encounter,
): Record<string, unknown> {
  const filled = mapReferences(
    driver.config,
    encounter.config,
    ({ name }) => scenarios.credentials.get(name) ?? '',
  )
  return filled as Record<string, unknown>
}

export function meet(
  driver: CheckDriver,
  scenarios: CheckScenarios,
  encounter: Encounter,
  isObserved = false,
): Promise<Meeting> {
  const observations: Observation[] = []
  const watched = new WatchedDriver(driver)
  const timeoutMs = timeoutMsOf(encounter)
  const job = {
    driver: watched,
    config: configInPlace(driver, scenarios, encounter),
    timeoutMs,
    retries: 0,
    // None: a driver must protect its secrets itself; the runner's redaction is only the last resort.
    secrets: [],
    ...(isObserved ? { onObservation: (one: Observation) => void observations.push(one) } : {}),
  }
  const lateness = new Lateness(timeoutMs)
  return new Promise((resolve) => {
    const ended = (outcome: Outcome): void => {
      resolve({ end: watched.end, outcome, observations, lateMs: lateness.ms })
      lateness[Symbol.dispose]()
    }
    watchTimers(() => runCheck(job, scenarios.network, systemClock, ended))
  })
}

class WatchedDriver implements CheckDriver {
  readonly summary: string
  readonly config: CheckDriver['config']
  end: DriverEnd = { kind: 'pending' }
  readonly #driver: CheckDriver

  constructor(driver: CheckDriver) {
    this.summary = driver.summary
    this.config = driver.config
    this.#driver = driver
  }

  target(config: Record<string, unknown>): string {
    return this.#driver.target(config)
  }

  check(...given: Parameters<CheckDriver['check']>): Promise<Outcome> {
    let answer: Promise<Outcome>
    try {
      answer = this.#driver.check(...given)
    } catch (error) {
      this.end = { kind: 'threw', error }
      throw error
    }
    // Attached before the runner attaches its own handler to the same promise.
    Promise.resolve(answer).then(
      (outcome) => {
        this.end = { kind: 'gave', outcome }
      },
      (error: unknown) => {
        this.end = { kind: 'rejected', error }
      },
    )
    return answer
  }
}
