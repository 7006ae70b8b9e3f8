// acting/driver-actions.ts: carries out actions through the drivers, with the credentials of the current fleet. It acts
// once per call and decides nothing. Also describes the fleet's endpoints to the ledger as destinations.

import { createHash } from 'node:crypto'
import { externalType } from '../config/external-driver.ts'
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
import type { Destination } from '../deciding/actions/destination.ts'
import type { Notification, Rate } from '../notify/driver.ts'
import { notifierOf } from '../notify/registry.ts'
import { type NotifyOutlets, runNotifier } from '../notify/runner.ts'
import { type ActionOutcome, rejected } from '../platform/action-outcome.ts'
import type { Intervention } from '../recovery/driver.ts'
import { recoveryDriverOf } from '../recovery/registry.ts'
import { type RecoveryMeans, runRecovery } from '../recovery/runner.ts'
import type { ActionRunner } from './action-flow.ts'

/** Workers say themselves how much they take; so many may wait for them at one destination. */
const ofWorkers: { readonly rate: Rate; readonly keepsAlerts?: boolean } = {
  rate: { maxInFlight: 64, perSecond: null },
}
const turnedOff = rejected('this service is run without external jobs')

/** For providers that document no rate. */
const unlimitedPerSecond = 1_000

export interface DriverActionsOptions {
  readonly outlets: NotifyOutlets
  readonly means: RecoveryMeans
}

export class DriverActions implements ActionRunner {
  readonly notifyTimeoutMs = 15_000
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

  async notify(name: string, notification: Notification): Promise<ActionOutcome> {
    const endpoint = this.#endpoints.get(name)
    if (endpoint === undefined) return rejected('the destination is not in the fleet any more')
    if (endpoint.type === externalType) return turnedOff
    const driver = notifierOf(endpoint)
    const inPlace = putCredentialsInPlace(driver.config, endpoint.config, this.#credentials)
    if (inPlace instanceof MissingCredential) return rejected(inPlace.reason)
    const timeoutMs = this.notifyTimeoutMs
    return runNotifier({ driver, ...inPlace, notification, timeoutMs }, this.#options.outlets)
  }

  async recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<ActionOutcome> {
    if (recovery.type === externalType) return turnedOff
    const driver = recoveryDriverOf(recovery)
    const inPlace = putCredentialsInPlace(driver.config, recovery.config, this.#credentials)
    if (inPlace instanceof MissingCredential) return rejected(inPlace.reason)
    const { timeoutMs } = recovery
    return runRecovery({ driver, ...inPlace, intervention, timeoutMs }, this.#options.means)
  }

  targetOf(recovery: RecoveryDefinition): string {
    // Which part of it names the target, only its worker knows.
    if (recovery.type === externalType) return `${externalType} ${JSON.stringify(recovery.config)}`
    const driver = recoveryDriverOf(recovery)
    const inPlace = putCredentialsInPlace(driver.config, recovery.config, this.#credentials)
    // A recovery without its credential acts on nothing, but it still needs a key under which it is refused.
    const key =
      inPlace instanceof MissingCredential
        ? JSON.stringify(recovery.config)
        : driver.targetKey(inPlace.config)
    return `${recovery.type} ${key}`
  }
}

/** The endpoints of a fleet as the ledger knows them. */
export function destinationsOf({ endpoints }: FleetDefinition, credentials: Credentials): Destination[] {
  return Array.from(endpoints, ([name, endpoint]) => {
    const { rate, keepsAlerts = false } = endpoint.type === externalType ? ofWorkers : notifierOf(endpoint)
    return {
      name,
      fingerprint: fingerprintOf(endpoint, credentials),
      maxInFlight: rate.maxInFlight,
      ratePerSecond: rate.perSecond ?? unlimitedPerSecond,
      keepsAlerts,
    }
  })
}

// Over the whole configuration with its secrets, so that a dead destination comes back when any of it changes.
function fingerprintOf(endpoint: EndpointDefinition, credentials: Credentials): string {
  const config = endpoint.type === externalType ? endpoint.config : withCredentials(endpoint, credentials)
  return createHash('sha256')
    .update(JSON.stringify([endpoint.type, config]))
    .digest('hex')
    .slice(0, 16)
}

function withCredentials(endpoint: EndpointDefinition, credentials: Credentials): object {
  const inPlace = putCredentialsInPlace(notifierOf(endpoint).config, endpoint.config, credentials)
  return inPlace instanceof MissingCredential ? endpoint.config : inPlace.config
}
