// views/overview/tile-groups.ts: the tiles in groups by first tag. The rows come with what is wrong first; so do groups.
import { statuses } from '@pulseward/contract'
import type { MonitorRow } from '../../data/monitors.ts'

export interface TileGroup {
  /** Null for monitors without a tag. */
  readonly tag: string | null
  readonly monitors: readonly MonitorRow[]
  /** How many of them are neither up nor switched off. */
  readonly troubled: number
}

const quiet: ReadonlySet<MonitorRow['status']> = new Set(
  statuses.filter((status) => status === 'up' || status === 'disabled' || status === 'unknown'),
)

export function isTroubled({ status }: Pick<MonitorRow, 'status'>): boolean {
  return !quiet.has(status)
}

/** Groups with trouble first, in the order of their worst monitor, then the others by name; those without a tag last. */
export function tileGroups(rows: readonly MonitorRow[]): readonly TileGroup[] {
  const byTag = Map.groupBy(rows, ({ tags }) => tags[0] ?? null)
  const groups = Array.from(byTag, ([tag, monitors]) => ({
    tag,
    monitors,
    troubled: monitors.filter(isTroubled).length,
  }))
  const troubled = groups.filter((group) => group.troubled > 0)
  const others = groups.filter((group) => group.troubled === 0).sort(byName)
  return [...troubled, ...others]
}

function byName({ tag: one }: TileGroup, { tag: other }: TileGroup): number {
  if (one === null || other === null) return one === null ? 1 : -1
  return one.localeCompare(other, 'en')
}
