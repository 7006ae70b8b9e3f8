// projection/query/listed-values.ts: which tag lists, label sets and rules a filter means. Monitors share them, so a fleet
// has far fewer of them than monitors, and the query thread, which has only their numbers, needs none of their text.
import type { FleetDefinition } from '../../config/fleet-file/definition.ts'
import type { Destinations } from '../../config/fleet-file/destinations.ts'
import { matchesLabels, matchesTags } from '../../config/fleet-file/route-match.ts'
import type { Marked } from './query.ts'

export interface ListedWords {
  readonly tag?: string
  readonly label?: string
  readonly told?: string
  readonly group?: string
}

export function listedBy(
  { tag, label, told, group }: ListedWords,
  definition: FleetDefinition | null,
): readonly (readonly Marked[])[] {
  if (definition === null) return []
  const { tags, labels, groups } = definition
  const isTold = ({ endpoints, groups: named }: Destinations) =>
    endpoints.includes(told!) || named.some((name) => groups.get(name)?.includes(told!))
  return [
    ...(tag === undefined ? [] : [[{ tagLists: marked(tags.values, (list) => hasTag(list, tag)) }]]),
    ...(label === undefined ? [] : [[{ labelSets: marked(labels.values, labelled(label)) }]]),
    ...(told === undefined ? [] : [namedIn(definition, isTold)]),
    ...(group === undefined ? [] : [namedIn(definition, ({ groups: named }) => named.includes(group))]),
  ]
}

/** In any letter case; the empty string stands for no tag. */
export function hasTag(tags: readonly string[], tag: string): boolean {
  const wanted = tag.toLowerCase()
  return wanted === '' ? tags.length === 0 : tags.some((one) => one.toLowerCase() === wanted)
}

/** By a label, written as `key=value`, or by any value for this key. */
function labelled(label: string): (labels: Readonly<Record<string, string>>) => boolean {
  const at = label.indexOf('=')
  const key = at === -1 ? label : label.slice(0, at)
  return (labels) => Object.hasOwn(labels, key) && (at === -1 || labels[key] === label.slice(at + 1))
}

/** The monitors whose own rules are meant in some color, and those that match a route that is meant. */
function namedIn(
  { notifications, labels, tags, routes }: FleetDefinition,
  isMeant: (to: Destinations) => boolean,
): readonly Marked[] {
  const own = marked(notifications.values, ({ colors }) => Object.values(colors).some(isMeant))
  const meant = routes.filter(({ colors, destinations }) => colors.length > 0 && isMeant(destinations))
  return [
    { notifications: own },
    ...meant.map(({ match }) => ({
      labelSets: marked(labels.values, (set) => matchesLabels(match, set)),
      tagLists: marked(tags.values, (list) => matchesTags(match, list)),
    })),
  ]
}

function marked<Value>(values: readonly Value[], isMeant: (value: Value) => boolean): Uint8Array {
  return Uint8Array.from(values, (value) => (isMeant(value) ? 1 : 0))
}
