// fenced-simulation/fenced-defects.ts: ways in which the fence can be wrong, each of which must be noticed.
import {
  type Acknowledgement,
  provesOwnership,
} from '@pulseward/server/internal/store/postgres/commit-line.ts'
import { type Fence, fence } from './simulated-database.ts'

export interface FencedDefect {
  readonly summary: string
  readonly fence?: Fence
  readonly proves?: (acknowledgement: Acknowledgement) => boolean
  /** Whether effects are let go without a look at how long ago the ownership was proved. */
  readonly letsGo?: boolean
}

const isThere = (acknowledgement: Acknowledgement) =>
  acknowledgement.outcome === 'there' || provesOwnership(acknowledgement)

export const fencedDefects = {
  'no-fence': {
    summary: 'A commit does not look whether another run has taken the store over.',
    fence: (row, { batch }) => row.batch === batch - 1,
  },
  'fence-of-itself': {
    summary: 'A commit compares the fence of the row with the fence of the row.',
    fence: (row, { batch }) => row.batch === batch - 1 && Object.is(row.fencedBy, row.fencedBy),
  },
  'renewed-by-name': {
    summary: 'A commit goes to the run that has the store, also if another run sends it.',
    fence: (row, { head }) => row.run !== head || row.fencedBy === null,
  },
  'confirmed-by-a-read': {
    summary: 'Effects begin when it can be read that their batch is there, however long ago that was true.',
    proves: isThere,
    letsGo: true,
  },
  'there-is-enough': {
    summary: 'Effects of a batch that was there already begin before a further one.',
    proves: isThere,
  },
} satisfies Readonly<Record<string, FencedDefect>>

export type FencedDefectName = keyof typeof fencedDefects

export function fenceOf(defect: FencedDefect | null): Fence {
  return defect?.fence ?? fence
}
