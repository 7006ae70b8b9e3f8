// telemetry/exposition.ts: metrics as text, in the two formats that metrics servers read: Prometheus 0.0.4 and
// OpenMetrics 1.0. Families keep their order; one without samples is left out, because an absent metric is not a zero.
import type { HistogramReading } from './histogram.ts'

export type Labels = Readonly<Record<string, string>>

interface FamilyHead {
  /** Without the suffix _total, which is added to counters where the format requires it. */
  readonly name: string
  readonly help: string
}

export type Family = FamilyHead &
  (
    | {
        readonly type: 'gauge' | 'counter'
        readonly samples: readonly { readonly labels?: Labels; readonly value: number | null }[]
      }
    | {
        readonly type: 'histogram'
        readonly samples: readonly { readonly labels?: Labels; readonly value: HistogramReading }[]
      }
  )

export type ExpositionFormat = 'prometheus' | 'openmetrics'

export const mediaTypes: Readonly<Record<ExpositionFormat, string>> = {
  prometheus: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
}

export function exposition(families: readonly Family[], format: ExpositionFormat): string {
  const lines: string[] = []
  for (const family of families) writeFamily(lines, family, format)
  if (format === 'openmetrics') lines.push('# EOF')
  return `${lines.join('\n')}\n`
}

function writeFamily(lines: string[], family: Family, format: ExpositionFormat): void {
  const samples = family.type === 'histogram' ? histogramLines(family, format) : valueLines(family)
  if (samples.length === 0) return
  const isSuffixed = family.type === 'counter' && format === 'prometheus'
  const name = isSuffixed ? `${family.name}_total` : family.name
  lines.push(`# HELP ${name} ${escapeHelp(family.help)}`, `# TYPE ${name} ${family.type}`, ...samples)
}

function valueLines(family: Extract<Family, { type: 'gauge' | 'counter' }>): string[] {
  const name = family.type === 'counter' ? `${family.name}_total` : family.name
  return family.samples.flatMap(({ labels = {}, value }) =>
    value === null ? [] : [`${name}${labelText(labels)} ${numberText(value)}`],
  )
}

function histogramLines(
  { name, samples }: Extract<Family, { type: 'histogram' }>,
  format: ExpositionFormat,
): string[] {
  return samples.flatMap(({ labels = {}, value }) => [
    ...value.buckets.map(
      ({ atMostSeconds, count }) =>
        `${name}_bucket${labelText({ ...labels, le: boundText(atMostSeconds, format) })} ${count}`,
    ),
    `${name}_sum${labelText(labels)} ${numberText(value.sumSeconds)}`,
    `${name}_count${labelText(labels)} ${value.count}`,
  ])
}

function labelText(labels: Labels): string {
  let pairs = ''
  for (const name in labels) pairs += `${pairs === '' ? '' : ','}${name}="${escapeLabel(labels[name]!)}"`
  return pairs === '' ? '' : `{${pairs}}`
}

/** OpenMetrics requires bounds as floating point numbers (1.0), so that the label is the same everywhere. */
function boundText(value: number, format: ExpositionFormat): string {
  const text = numberText(value)
  return format === 'openmetrics' && Number.isInteger(value) ? `${text}.0` : text
}

function numberText(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return String(value)
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

/** Hardly any value needs escaping, and metrics of single monitors produce tens of thousands of values. */
const escapedInLabels = /[\\\n"]/

function escapeLabel(text: string): string {
  return escapedInLabels.test(text) ? escapeHelp(text).replaceAll('"', '\\"') : text
}
