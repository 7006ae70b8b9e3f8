// acting/driver-actions.ts: carries out actions through the drivers, with the credentials of the current fleet. It acts
// once per call and decides nothing. Also describes the fleet's endpoints to the ledger as destinations.

import {
  type Credentials,
  MissingCredential,
  putCredentialsInPlace,
} from '../config/fleet-file/credentials.ts'
import type {
  EndpointDefinition,
  FleetDefinition,
  RecoveryDefinition,
} from '../config/fleet-file/definition.ts'
import type { Notification } from '../notify/driver.ts'
import { notifierOf, notifiers } from '../notify/registry.ts'
import { type NotifyOutlets, runNotifier } from '../notify/runner.ts'
import { type ActionOutcome, rejected } from '../platform/action-outcome.ts'
import type { Intervention } from '../recovery/driver.ts'
import { recoveries, recoveryDriverOf } from '../recovery/registry.ts'
import { type RecoveryMeans, runRecovery } from '../recovery/runner.ts'
import {
  type ActionSource,
  type DestinationTraits,
  notifyTimeoutMs,
  type StartedAction,
} from './action-source.ts'
import { destinationTraits } from './destination-traits.ts'

/** The types of all built-in drivers. */
export const driverTypes = [...new Set([...Object.keys(recoveries), ...Object.keys(notifiers)])]

export interface DriverActionsOptions {
  readonly outlets: NotifyOutlets
  readonly means: RecoveryMeans
}

export class DriverActions implements ActionSource {
  readonly types = driverTypes
  readonly runsHere = true
  readonly #options: DriverActionsOptions
  #endpoints: FleetDefinition['endpoints'] = new Map()
  #credentials: Credentials = new Map()

  constructor(options: DriverActionsOptions) {
    this.#options = options
  }

  setFleet({ endpoints }: FleetDefinition, credentials: Credentials): void {
    this.#endpoints = endpoints
    this.#credentials = credentials
  }

  carryOut(started: StartedAction): Promise<ActionOutcome> {
    return started.kind === 'recovery'
      ? this.recover(started.driver, started.about)
      : this.notify(started.endpoint, started.about)
  }

  async notify(name: string, notification: Notification): Promise<ActionOutcome> {
    const endpoint = this.#endpoints.get(name)
    if (endpoint === undefined) return rejected('the destination is not in the fleet any more')
    const driver = notifierOf(endpoint)
    const inPlace = putCredentialsInPlace(driver.config, endpoint.config, this.#credentials)
    if (inPlace instanceof MissingCredential) return rejected(inPlace.reason)
    const timeoutMs = notifyTimeoutMs
    return runNotifier({ driver, ...inPlace, notification, timeoutMs }, this.#options.outlets)
  }

  async recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<ActionOutcome> {
    const driver = recoveryDriverOf(recovery)
    const inPlace = putCredentialsInPlace(driver.config, recovery.config, this.#credentials)
    if (inPlace instanceof MissingCredential) return rejected(inPlace.reason)
    const { timeoutMs } = recovery
    return runRecovery({ driver, ...inPlace, intervention, timeoutMs }, this.#options.means)
  }

  targetOf(recovery: RecoveryDefinition): string {
    const driver = recoveryDriverOf(recovery)
    const inPlace = putCredentialsInPlace(driver.config, recovery.config, this.#credentials)
    // A recovery without its credential cannot act, but it still needs a key under which it is refused.
    const key =
      inPlace instanceof MissingCredential
        ? JSON.stringify(recovery.config)
        : driver.targetKey(inPlace.config)
    return `${recovery.type} ${key}`
  }

  describe(endpoint: EndpointDefinition, credentials: Credentials): DestinationTraits {
    return driverTraits(endpoint, credentials)
  }
}

/** For an endpoint with a built-in driver. */
export function driverTraits(endpoint: EndpointDefinition, credentials: Credentials): DestinationTraits {
  const driver = notifierOf(endpoint)
  const inPlace = putCredentialsInPlace(driver.config, endpoint.config, credentials)
  const config = inPlace instanceof MissingCredential ? endpoint.config : inPlace.config
  return destinationTraits({ type: endpoint.type, config }, driver)
}
