// projection/metric-families.ts: builds metric families from the registry and current samples. The compiler
// ensures that a sample has exactly the labels that the registry names.
import type { Family } from '../telemetry/exposition.ts'
import type { HistogramReading } from '../telemetry/histogram.ts'
import { type MetricName, metricRegistry } from './metric-registry.ts'

type Registry = typeof metricRegistry
type HistogramName = {
  [Name in MetricName]: Registry[Name]['type'] extends 'histogram' ? Name : never
}[MetricName]
type ValueName = Exclude<MetricName, HistogramName>
/** Families without labels: a single series each. */
type SingleName = {
  [Name in ValueName]: Registry[Name]['labels'] extends readonly [] ? Name : never
}[ValueName]

type Sample<Name extends MetricName, Value> = {
  readonly value: Value
} & (Registry[Name]['labels'] extends readonly []
  ? { readonly labels?: never }
  : { readonly labels: Readonly<Record<Registry[Name]['labels'][number], string>> })

export function family<Name extends ValueName>(
  name: Name,
  samples: readonly Sample<Name, number | null>[],
): Family {
  const { help, type } = metricRegistry[name]
  return { name: familyName(name), help, type, samples }
}

export function single(name: SingleName, value: number | null): Family {
  const { help, type } = metricRegistry[name]
  return { name: familyName(name), help, type, samples: [{ value }] }
}

export function histogram<Name extends HistogramName>(
  name: Name,
  samples: readonly Sample<Name, HistogramReading>[],
): Family {
  const { help, type } = metricRegistry[name]
  return { name, help, type, samples }
}

/** The exposition format adds the suffix of a counter. */
function familyName(name: ValueName): string {
  return metricRegistry[name].type === 'counter' ? name.replace(/_total$/, '') : name
}

export function each<Label extends string>(
  keys: readonly string[],
  label: Label,
  counts: Readonly<Record<string, number>>,
): { readonly labels: Readonly<Record<Label, string>>; readonly value: number }[] {
  return keys.map((key) => ({
    labels: { [label]: key } as Record<Label, string>,
    value: counts[key] ?? 0,
  }))
}

export function seconds(ms: number | null): number | null {
  return ms === null ? null : ms / 1_000
}
