// projection/metric-families.ts: builds families of metrics; every name begins with the product's.
import type { Family, Labels } from '../telemetry/exposition.ts'

export type Samples = readonly { readonly labels?: Labels; readonly value: number | null }[]

export function gauge(name: string, help: string, samples: Samples): Family {
  return { name: `pulseward_${name}`, help, type: 'gauge', samples }
}

export function counter(name: string, help: string, samples: Samples): Family {
  return { name: `pulseward_${name}`, help, type: 'counter', samples }
}

export function plain(name: string, type: 'gauge' | 'counter', help: string, value: number | null): Family {
  return { name, help, type, samples: [{ value }] }
}

export function each(
  keys: readonly string[],
  label: string,
  counts: Readonly<Record<string, number>>,
): Samples {
  return keys.map((key) => ({ labels: { [label]: key }, value: counts[key] ?? 0 }))
}

export function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000
}
