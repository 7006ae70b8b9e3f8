// controller/driver-actions.ts: carries actions out through the drivers, with the credentials of the fleet in force.
// It acts once for each call and decides nothing.
import type { Credentials } from '../config/fleet-file/credentials.ts'
import type { FleetDefinition, RecoveryDefinition } from '../config/fleet-file/definition.ts'
import { type Notification, rejected as notDelivered, type Verdict } from '../notify/driver.ts'
import { type NotifyOutlets, runNotifier } from '../notify/runner.ts'
import type { Intervention, RecoveryDriver, RecoveryVerdict } from '../recovery/driver.ts'
import { recoveries } from '../recovery/registry.ts'
import { type RecoveryMeans, runRecovery } from '../recovery/runner.ts'
import type { ActionRunner } from './action-flow.ts'
import { notifierOf } from './destinations.ts'
import { resolvedConfig } from './resolved-config.ts'

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

  async notify(name: string, notification: Notification): Promise<Verdict> {
    const endpoint = this.#endpoints.get(name)
    if (endpoint === undefined) return notDelivered('the destination is not in the fleet any more')
    const driver = notifierOf(endpoint)
    const resolved = resolvedConfig(driver.config, endpoint.config, this.#credentials)
    const timeoutMs = this.notifyTimeoutMs
    return runNotifier({ driver, ...resolved, notification, timeoutMs }, this.#options.outlets)
  }

  recover(recovery: RecoveryDefinition, intervention: Intervention): Promise<RecoveryVerdict> {
    const driver = driverOf(recovery)
    const resolved = resolvedConfig(driver.config, recovery.config, this.#credentials)
    const { timeoutMs } = recovery
    return runRecovery({ driver, ...resolved, intervention, timeoutMs }, this.#options.means)
  }

  targetOf(recovery: RecoveryDefinition): string {
    const driver = driverOf(recovery)
    const { config } = resolvedConfig(driver.config, recovery.config, this.#credentials)
    return `${recovery.type} ${driver.targetKey(config)}`
  }
}

function driverOf({ type }: RecoveryDefinition): RecoveryDriver {
  return recoveries[type as keyof typeof recoveries] as RecoveryDriver
}
