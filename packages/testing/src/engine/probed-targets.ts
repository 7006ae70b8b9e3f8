// engine/probed-targets.ts: lets a test service check real servers on loopback, with the drivers and the TLS sessions of a real
// probe. A check takes none of the test's time: the service waits for what it has started before the next tick.
import type { CheckSource } from '@pulseward/server/internal/checking/check-source.ts'
import { OutgoingChecks } from '@pulseward/server/internal/checking/probe/outgoing-checks.ts'
import { Probe } from '@pulseward/server/internal/checking/probe/probe.ts'
import { moreOf, type SentFleet, sentFleet } from '@pulseward/server/internal/checking/probe/sent-fleet.ts'
import { checks } from '@pulseward/server/internal/checks/registry.ts'
import { systemClock } from '@pulseward/server/internal/platform/clock.ts'
import { checkPolicy } from '@pulseward/server/internal/platform/network/address-policy.ts'
import { openNetwork } from '@pulseward/server/internal/platform/network/create-network.ts'
import type { CheckingSource, SourceSurroundings } from './test-service.ts'

export class ProbedTargets implements Disposable {
  readonly #network = openNetwork(checkPolicy({ allowLinkLocal: false }), { resolvers: [] }, systemClock)

  /** Of each process: it begins without sessions. */
  readonly open = ({ clock, engine }: SourceSurroundings): CheckingSource => {
    const outgoing = new OutgoingChecks()
    let sent: SentFleet | null = null
    let inFlight = 0
    let ended = Promise.withResolvers<void>()
    const probe = new Probe({
      drivers: checks,
      network: this.#network,
      clock,
      send(batch) {
        inFlight -= batch.rows.length
        engine().takeResults(source, batch)
        if (inFlight === 0) ended.resolve()
      },
    })
    const source: CheckSource = {
      types: Object.keys(checks),
      runsHere: true,
      startsAtOnce: true,
      setFleet(fleet, credentials) {
        probe.takeFleet(fleet, credentials)
        sent = sentFleet(fleet)
      },
      amendFleet(fleet, { rows, credentials }) {
        probe.amendFleet(moreOf(fleet, sent), rows, credentials)
        sent = sentFleet(fleet)
      },
      offer: (row, generation) => outgoing.add(row, generation),
      flush() {
        const batch = outgoing.take()
        if (batch === null) return
        if (inFlight === 0) ended = Promise.withResolvers()
        inFlight += batch.rows.length
        probe.runChecks(batch.rows, batch.generations)
      },
      cancel: () => false,
    }
    return { checks: source, settled: () => (inFlight === 0 ? null : ended.promise) }
  };

  [Symbol.dispose](): void {
    this.#network[Symbol.dispose]()
  }
}
