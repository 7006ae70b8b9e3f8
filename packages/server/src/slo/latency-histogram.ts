// slo/latency-histogram.ts: bins for latencies, sixteen per doubling, so that a bin's upper bound is less than 6.3 %
// above anything in it, from 0.06 ms to 17 minutes. Shorter latencies go into the first bin, longer ones into the last.
// The bin index is read from the bits of the floating-point value: no logarithm, no search.

const SHORTEST_MS = 2 ** -4
const LONGEST_MS = 2 ** 20
const BINS_PER_DOUBLING = 16
const DOUBLINGS = Math.log2(LONGEST_MS / SHORTEST_MS)
export const BINS = 1 + DOUBLINGS * BINS_PER_DOUBLING

// The upper 16 bits of a double are its sign, its exponent and the first four bits of its mantissa.
const bits = new DataView(new ArrayBuffer(8))
const FIRST_KEY = keyOf(SHORTEST_MS)

function keyOf(ms: number): number {
  bits.setFloat64(0, ms)
  return bits.getUint16(0)
}

/** A negative time or NaN counts as 0. */
export function binOf(ms: number): number {
  if (!(ms >= SHORTEST_MS)) return 0
  if (ms >= LONGEST_MS) return BINS - 1
  return keyOf(ms) - FIRST_KEY + 1
}

/** Above everything in the bin, except that the last bin has no bound and gives 2^20 ms. */
export function upperBoundMs(bin: number): number {
  bits.setFloat64(0, 0)
  bits.setUint16(0, FIRST_KEY + bin)
  return bits.getFloat64(0)
}

/** How many of the samples lie at or below the percentile, by nearest rank. */
export function rankOf(percent: number, samples: number): number {
  return Math.ceil((percent * samples) / 100)
}

/** The upper bound of the bin that holds the percentile; null if there are no samples. */
export function percentileMs(counts: Float64Array, percent: number, samples: number): number | null {
  if (samples === 0) return null
  const rank = rankOf(percent, samples)
  let seen = 0
  const bin = counts.findIndex((count) => {
    seen += count
    return seen >= rank
  })
  return upperBoundMs(bin)
}
