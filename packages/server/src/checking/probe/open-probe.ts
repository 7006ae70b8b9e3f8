// checking/probe/open-probe.ts: a probe with everything that it owns: its drivers and its network access.
import type { CheckDriver } from '../../checks/driver.ts'
import { checks } from '../../checks/registry.ts'
import { systemClock } from '../../platform/clock.ts'
import { checkPolicy } from '../../platform/network/address-policy.ts'
import { openNetwork } from '../../platform/network/create-network.ts'
import { Probe } from './probe.ts'
import type { ProbeSetup, ResultBatch } from './probe-protocol.ts'

export interface OpenProbe extends Disposable {
  readonly probe: Probe
}

/** canStop: disposing it ends what is in flight. A thread that ends does not need that. */
export function openProbe(setup: ProbeSetup, send: (batch: ResultBatch) => void, canStop = false): OpenProbe {
  const network = openNetwork(checkPolicy(setup), setup, systemClock)
  const drivers = checks as Readonly<Record<string, CheckDriver>>
  const probe = new Probe({ drivers, network, clock: systemClock, send, canStop })
  return {
    probe,
    [Symbol.dispose]() {
      probe.stop()
      network[Symbol.dispose]()
    },
  }
}
