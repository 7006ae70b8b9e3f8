// checks/check-fixture.ts: runs one check of a driver as the runner would: with a deadline, a monotonic clock and a
// network of its own. `using fixture = checkFixture({ servers: [dns.address] })` closes everything it opened.
import type { CheckRun, Outcome } from '@pulseward/server/internal/checks/driver.ts'
import {
  type AddressPolicy,
  checkPolicy,
} from '@pulseward/server/internal/platform/network/address-policy.ts'
import {
  createNetwork,
  type NetworkOptions,
  type OwnedNetwork,
} from '@pulseward/server/internal/platform/network/create-network.ts'
import { Resolver, type ResolverOptions } from '@pulseward/server/internal/platform/network/resolver.ts'
import { resolverConfig } from '@pulseward/server/internal/platform/network/resolver-config.ts'
import { Lateness } from '../lateness.ts'
import { Deadline } from './deadline.ts'

export interface FixtureOptions extends Partial<Omit<NetworkOptions, 'resolver'>> {
  /** DNS servers; by default an address without a listener, so that a stray question fails. */
  readonly servers?: readonly string[]
  readonly hosts?: string
  readonly policy?: AddressPolicy
  readonly resolver?: ResolverOptions
}

export interface CheckFixture extends Disposable {
  readonly network: OwnedNetwork
  readonly resolver: Resolver
  /** The outcome, and how long after its deadline the driver gave it (0 when before). */
  run<Config>(
    driver: { check(config: Config, run: CheckRun): Promise<Outcome> },
    config: Config,
    timeoutMs?: number,
  ): Promise<{ outcome: Outcome; lateMs: number }>
}

export function checkFixture(options: FixtureOptions = {}): CheckFixture {
  const { servers, hosts, policy, resolver: resolverOptions, ...network } = options
  const config = resolverConfig({ resolvConf: '', hosts: hosts ?? '' }, servers ?? ['127.0.0.1:1'])
  const resolver = new Resolver(config, resolverOptions)
  const opened = createNetwork({
    resolver,
    policy: policy ?? checkPolicy({ allowLinkLocal: false }),
    ...network,
  })
  return {
    network: opened,
    resolver,
    run: (driver, config, timeoutMs = 5_000) => runOnce(driver, config, opened, timeoutMs),
    [Symbol.dispose]: () => opened[Symbol.dispose](),
  }
}

async function runOnce<Config>(
  driver: { check(config: Config, run: CheckRun): Promise<Outcome> },
  config: Config,
  network: OwnedNetwork,
  timeoutMs: number,
): Promise<{ outcome: Outcome; lateMs: number }> {
  const began = performance.now()
  const deadline = new Deadline()
  using lateness = new Lateness(timeoutMs, () => deadline.pass())
  const run: CheckRun = Object.assign(deadline, {
    network,
    timeoutMs,
    elapsedMs: () => performance.now() - began,
    mark: () => {},
    observe: undefined,
  })
  const outcome = await driver.check(config, run)
  return { outcome, lateMs: lateness.ms }
}
