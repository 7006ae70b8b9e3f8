// trial/find-monitor.ts: finds the monitor that the user means: by its id, or by its name if that is unique.
import { type LoadedFleet, nearestName, PackedReader, UsageError } from '@pulseward/server'

/** The row of the monitor; a usage error with the nearest name if there is none. */
export function findMonitor({ definition }: LoadedFleet, wanted: string): number {
  const ids = new PackedReader(definition.ids)
  const names = new PackedReader(definition.names)
  const named: number[] = []
  for (let row = 0; row < definition.count; row++) {
    if (ids.get(row) === wanted) return row
    if (names.get(row) === wanted) named.push(row)
  }
  if (named.length === 1) return named[0]!
  if (named.length > 1) {
    const same = named.map((row) => ids.get(row)).join(', ')
    throw new UsageError(`${named.length} monitors have the name "${wanted}"; use an id: ${same}.`)
  }
  const nearest = nearestName(wanted, idsAndNames(ids, names, definition.count))
  throw new UsageError(
    `There is no monitor "${wanted}".${nearest === null ? '' : ` Did you mean "${nearest}"?`}`,
  )
}

function* idsAndNames(ids: PackedReader, names: PackedReader, count: number): Generator<string> {
  for (let row = 0; row < count; row++) {
    const id = ids.get(row)
    // Nobody types an id that was made from the name.
    if (!id.startsWith('name:')) yield id
    yield names.get(row)
  }
}
