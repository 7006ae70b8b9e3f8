// projection/query/listed-values.ts: which tag lists and label sets a filter means. Monitors share them, so a fleet has
// far fewer of them than monitors, and the query thread, which has only their numbers, needs none of their text.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'

/** By number: 1 for lists with this tag, in any letter case; for the empty string, those without a tag. */
export function listsWith(tag: string, definition: FleetDefinition | null): Uint8Array {
  return marked(definition?.tags.values, (tags) => hasTag(tags, tag))
}

export function hasTag(tags: readonly string[], tag: string): boolean {
  const wanted = tag.toLowerCase()
  return wanted === '' ? tags.length === 0 : tags.some((one) => one.toLowerCase() === wanted)
}

/** By number: 1 for sets with this label, written as `key=value`, or with any value for this key. */
export function labelSetsWith(label: string, definition: FleetDefinition | null): Uint8Array {
  const at = label.indexOf('=')
  const key = at === -1 ? label : label.slice(0, at)
  return marked(
    definition?.labels.values,
    (labels) => Object.hasOwn(labels, key) && (at === -1 || labels[key] === label.slice(at + 1)),
  )
}

function marked<Value>(values: readonly Value[] = [], isMeant: (value: Value) => boolean): Uint8Array {
  return Uint8Array.from(values, (value) => (isMeant(value) ? 1 : 0))
}
