// status-pages/page-monitors.ts: which rows of the fleet a page is made from. Selectors are evaluated once on each distinct
// list of labels and tags, and rows are walked only after the fleet has changed and somebody looks at the page.
import { matchesLabels, matchesTags } from '../config/fleet-file/route-match.ts'
import type { StatusComponent, StatusPageDefinition } from '../config/fleet-file/status-page.ts'
import type { Fleet } from '../fleet/fleet.ts'

export type SelectableFleet = Pick<Fleet, 'rowOf' | 'has' | 'rowsInUse' | 'definition'>

/** The rows of each component, by its id. */
export type PageRows = ReadonlyMap<string, Uint32Array>

export function rowsOf({ groups }: StatusPageDefinition, fleet: SelectableFleet): PageRows {
  const components = groups.flatMap(({ components }) => components)
  const found = new Map(components.map(({ id, monitors }) => [id, new Set(namedRows(monitors, fleet))]))
  const selecting = components.flatMap(({ id, match }) =>
    match === null ? [] : [{ rows: found.get(id)!, isMeant: selectorOf(match, fleet) }],
  )
  if (selecting.length > 0)
    for (const row of fleet.rowsInUse())
      for (const { rows, isMeant } of selecting) if (isMeant(row)) rows.add(row)
  return new Map([...found].map(([id, rows]) => [id, Uint32Array.from(rows).sort()]))
}

function namedRows(monitors: StatusComponent['monitors'], fleet: SelectableFleet): number[] {
  return monitors.map((id) => fleet.rowOf(id)).filter((row) => row >= 0 && fleet.has(row))
}

function selectorOf(
  match: NonNullable<StatusComponent['match']>,
  { definition: { labels, tags } }: SelectableFleet,
): (row: number) => boolean {
  const byLabels = labels.values.map((values) => matchesLabels(match, values))
  const byTags = tags.values.map((values) => matchesTags(match, values))
  return (row) => byLabels[labels.of[row]!]! && byTags[tags.of[row]!]!
}
