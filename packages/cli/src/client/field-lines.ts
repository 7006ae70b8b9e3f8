// client/field-lines.ts: a JSON value as one line per field, each with its path: `spec.check.interval`. Small lists of
// words stay on one line.
import type { Cell } from './table/block.ts'

export type FieldLine = readonly [path: string, value: Cell]

export function fieldLines(value: unknown, path = ''): FieldLine[] {
  // A document is shown as it is: numbers are not rounded.
  if (typeof value === 'number') return [[path, String(value)]]
  if (typeof value !== 'object' || value === null) return [[path, value as Cell]]
  if (Array.isArray(value)) {
    if (value.every((entry) => typeof entry !== 'object' || entry === null)) return [[path, value.join(', ')]]
    return value.flatMap((entry, index) => fieldLines(entry, `${path}[${index}]`))
  }
  return Object.entries(value).flatMap(([key, entry]) =>
    fieldLines(entry, path === '' ? key : `${path}.${key}`),
  )
}
