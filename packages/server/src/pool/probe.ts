// pool/probe.ts: runs the checks that a batch names, reading each monitor's options from the packed fleet when
// it is due: a million configurations are never objects. Runs in a probe thread, and in tests without one.
import type { CheckDriver } from '../checks/driver.ts'
import { runCheck } from '../checks/runner.ts'
import { mapSecrets } from '../config/fleet-file/credentials.ts'
import type { Clock } from '../platform/clock.ts'
import { isLoopbackHost } from '../platform/network/loopback.ts'
import type { Network } from '../platform/network/network.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import type { ProbeFleet, ResultBatch } from './probe-protocol.ts'
import { ResultBuffer } from './result-buffer.ts'

/** Results wait this long for others to travel with. */
const sendWithinMs = 5

export interface ProbeOptions {
  readonly drivers: Readonly<Record<string, CheckDriver>>
  readonly network: Network
  readonly clock: Clock
  readonly send: (batch: ResultBatch) => void
}

const unknownScope = 0
const loopbackScope = 1
const remoteScope = 2
const noSecrets: readonly string[] = []

export class Probe {
  readonly #options: ProbeOptions
  readonly #results = new ResultBuffer()
  #fleet: ProbeFleet | null = null
  #configs: PackedReader | null = null
  #credentials: ReadonlyMap<string, string> = new Map()
  #sending = false
  /** Whether a slot's target is on this machine; unknown until its first check with this fleet. */
  #scopes = new Uint8Array(0)

  constructor(options: ProbeOptions) {
    this.#options = options
  }

  takeFleet(fleet: ProbeFleet, credentials: ReadonlyMap<string, string>): void {
    this.#fleet = fleet
    this.#configs = new PackedReader(fleet.configs)
    this.#credentials = credentials
    this.#scopes = new Uint8Array(fleet.policies.of.length)
  }

  runChecks(slots: Uint32Array, generations: Uint32Array): void {
    for (let index = 0; index < slots.length; index++) this.#run(slots[index]!, generations[index]!)
  }

  #run(slot: number, generation: number): void {
    const { values, of } = this.#fleet!.policies
    const { type, timeoutMs, retries } = values[of[slot]!]!
    const { drivers, network, clock } = this.#options
    const driver = drivers[type]!
    const text = this.#configs!.get(slot)
    let config: Record<string, unknown> = JSON.parse(text)
    let secrets = noSecrets
    if (text.includes('"credential"')) [config, secrets] = this.#withCredentials(driver, config)
    const loopback = this.#isLoopback(slot, driver, config)
    const startedMs = clock.monotonicMs()
    runCheck({ driver, config, timeoutMs, retries, secrets }, network, clock, (outcome) => {
      this.#results.add(slot, generation, outcome, startedMs, clock.monotonicMs(), loopback)
      this.#planSending()
    })
  }

  #isLoopback(slot: number, driver: CheckDriver, config: Record<string, unknown>): boolean {
    if (this.#scopes[slot] === unknownScope)
      this.#scopes[slot] = isLoopbackHost(driver.target(config)) ? loopbackScope : remoteScope
    return this.#scopes[slot] === loopbackScope
  }

  #withCredentials(driver: CheckDriver, config: object): [Record<string, unknown>, readonly string[]] {
    const secrets: string[] = []
    const filled = mapSecrets(driver.config, config, (name) => {
      const value = this.#credentials.get(name) ?? ''
      secrets.push(value)
      return value
    })
    return [filled as Record<string, unknown>, secrets]
  }

  #planSending(): void {
    if (this.#results.isFull) this.#send()
    else if (!this.#sending) {
      this.#sending = true
      setTimeout(() => {
        this.#sending = false
        if (!this.#results.isEmpty) this.#send()
      }, sendWithinMs)
    }
  }

  #send(): void {
    this.#options.send(this.#results.take())
  }
}
