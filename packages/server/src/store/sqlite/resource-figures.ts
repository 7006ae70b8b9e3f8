// store/sqlite/resource-figures.ts: the few figures about resources that cannot be derived from the rows. They change
// rarely and are written only then. As in the log row, changes take effect when they are committed.
import type { DatabaseSync } from 'node:sqlite'
import { newEpoch, raisedEpoch, type StoreRestore } from '../epoch.ts'
import { storeError } from '../store-errors.ts'
import { checksum, requireSum } from './checksum.ts'

interface Figures {
  readonly epoch: number
  /** Absent before the first restore. */
  readonly restores?: readonly StoreRestore[]
  /** Versions replaced or deleted up to this change are no longer kept. */
  readonly pastForgottenUpTo: number
  /** Nothing of the past is removed until then (retention-clock.ts). */
  readonly pastKeptUntil: number | null
}

export class ResourceFigures {
  readonly #database: DatabaseSync
  #committed: Figures
  #next: Figures

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#committed = readFigures(database)
    this.#next = this.#committed
  }

  get committed(): Figures {
    return this.#committed
  }

  change(parts: Partial<Figures>): void {
    this.#next = { ...this.#next, ...parts }
    writeFigures(this.#database, this.#next)
  }

  settle(): void {
    this.#committed = this.#next
  }

  discard(): void {
    this.#next = this.#committed
  }
}

export function makeResourceFigures(database: DatabaseSync): void {
  writeFigures(database, { epoch: newEpoch(), pastForgottenUpTo: 0, pastKeptUntil: null })
}

/** Versions from before a restore never match what is written after it; operation names differ by epoch too. */
export function raiseEpoch(database: DatabaseSync): void {
  const figures = readFigures(database)
  const epoch = raisedEpoch(figures.epoch)
  const restored = { epoch, lastOperation: lastOperationIn(database) }
  writeFigures(database, { ...figures, epoch, restores: [...(figures.restores ?? []), restored] })
}

function lastOperationIn(database: DatabaseSync): number {
  const last = database.prepare(
    'SELECT max(coalesce((SELECT max(id) FROM operation), 0), coalesce((SELECT max(id) FROM bulk), 0)) AS id',
  )
  return (last.get() as { id: number }).id
}

export function readFigures(database: DatabaseSync): Figures {
  const row = database.prepare('SELECT sum, body FROM resource_figures').get()
  if (row === undefined) throw storeError('corrupt', '(resource_figures: it is empty)')
  const { sum, body } = row as { sum: number; body: string }
  requireSum('resource_figures', 1, body, sum)
  return JSON.parse(body)
}

export function writeFigures(database: DatabaseSync, figures: Figures): void {
  const body = JSON.stringify(figures)
  database
    .prepare('REPLACE INTO resource_figures (only, sum, body) VALUES (1, ?, ?)')
    .run(checksum(1, body), body)
}
