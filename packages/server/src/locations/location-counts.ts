// locations/location-counts.ts: what happened at other locations since the process started, for metrics.
import { outcomeStatuses } from '../checking/probe/probe-protocol.ts'
import { LabelCounter } from '../telemetry/label-counter.ts'
import type { Vote } from './vote.ts'

/** Why a probe was turned away, or its connection ended by the service. */
export const probeRefusals = ['token', 'location', 'version', 'protocol', 'full', 'silent'] as const
export type ProbeRefusal = (typeof probeRefusals)[number]

export class LocationCounts {
  readonly #checks = new LabelCounter()
  readonly #successMs = new Map<string, number>()
  readonly #refusals: Record<ProbeRefusal, number> = {
    token: 0,
    location: 0,
    version: 0,
    protocol: 0,
    full: 0,
    silent: 0,
  }

  noteVote({ location, status, latencyMs }: Vote): void {
    this.#checks.note(location, status)
    if (status === 'success') this.#successMs.set(location, (this.#successMs.get(location) ?? 0) + latencyMs)
  }

  /** How long the successful checks of a location took, together. */
  successMs(location: string): number {
    return this.#successMs.get(location) ?? 0
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
