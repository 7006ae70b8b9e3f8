// locations/location-counts.ts: what happened at other locations since the process started, for metrics.
import { outcomeStatuses, outcomeStatusMask } from '../checking/probe/probe-protocol.ts'
import { LabelCounter } from '../telemetry/label-counter.ts'

/** Why a probe was turned away, or its connection ended by the service. */
export const probeRefusals = ['token', 'location', 'version', 'protocol', 'full', 'silent'] as const
export type ProbeRefusal = (typeof probeRefusals)[number]

export class LocationCounts {
  readonly #checks = new LabelCounter()
  readonly #refusals: Record<ProbeRefusal, number> = {
    token: 0,
    location: 0,
    version: 0,
    protocol: 0,
    full: 0,
    silent: 0,
  }

  /** outcome: as in a batch of results. */
  noteCheck(location: string, outcome: number): void {
    this.#checks.note(location, outcomeStatuses[outcome & outcomeStatusMask]!)
  }

  noteRefusal(why: ProbeRefusal): void {
    this.#refusals[why]++
  }

  /** Each outcome at these locations, and at those where checks ended. */
  checks(locations: readonly string[]): readonly { location: string; outcome: string; count: number }[] {
    return this.#checks
      .read(locations, outcomeStatuses)
      .map(({ first: location, second: outcome, count }) => ({ location, outcome, count }))
  }

  refusals(why: ProbeRefusal): number {
    return this.#refusals[why]
  }
}
