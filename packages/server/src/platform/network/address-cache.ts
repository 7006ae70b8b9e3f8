// platform/network/address-cache.ts: the addresses of names, for as long as the DNS allows. Holds the final answer for a
// name and family, positive or negative, so that a hit is one map lookup. Bounded: the oldest answer is evicted first.

import { forgetOldest } from '../forget-oldest.ts'
import type { Family } from './network.ts'

export interface ResolutionProblem {
  readonly code: string
  readonly message: string
  readonly evidence: 'target' | 'local'
}

/** The addresses in the order to try, or the problem; never both. */
export interface Resolution {
  readonly addresses: readonly string[]
  readonly problem: ResolutionProblem | null
  readonly expiresAtMs: number
}

export class AddressCache {
  readonly #byFamily: Record<Family, Map<string, Resolution>> = {
    any: new Map(),
    ipv4: new Map(),
    ipv6: new Map(),
  }
  readonly #maxEntries: number

  /** maxEntries applies to each family. */
  constructor(maxEntries: number) {
    this.#maxEntries = maxEntries
  }

  get(host: string, family: Family, nowMs: number): Resolution | undefined {
    const known = this.#byFamily[family].get(host)
    return known !== undefined && known.expiresAtMs > nowMs ? known : undefined
  }

  set(host: string, family: Family, resolution: Resolution): void {
    const entries = this.#byFamily[family]
    // Reinserted at the end: the map is ordered by age.
    entries.delete(host)
    if (entries.size >= this.#maxEntries) forgetOldest(entries)
    entries.set(host, resolution)
  }

  clear(): void {
    for (const entries of Object.values(this.#byFamily)) entries.clear()
  }

  get size(): number {
    return this.#byFamily.any.size + this.#byFamily.ipv4.size + this.#byFamily.ipv6.size
  }
}
