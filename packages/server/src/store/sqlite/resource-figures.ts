// store/sqlite/resource-figures.ts: the few figures about resources that the rows themselves do not show. They change
// seldom and are written only then. Like the row of the log, changes become the present when they are committed.
import type { DatabaseSync } from 'node:sqlite'
import { newEpoch, raisedEpoch } from '../epoch.ts'
import { checksum, requireSum } from './checksum.ts'
import { storeError } from './sqlite-errors.ts'

interface Figures {
  readonly epoch: number
  /** Versions that were replaced or deleted up to this change are no longer kept. */
  readonly pastForgottenUpTo: number
  /** The past is kept whole until then (retention-clock.ts). */
  readonly pastKeptUntil: number | null
}

export class ResourceFigures {
  readonly #database: DatabaseSync
  #committed: Figures
  #next: Figures

  constructor(database: DatabaseSync) {
    this.#database = database
    this.#committed = read(database)
    this.#next = this.#committed
  }

  get committed(): Figures {
    return this.#committed
  }

  change(parts: Partial<Figures>): void {
    this.#next = { ...this.#next, ...parts }
    write(this.#database, this.#next)
  }

  settle(): void {
    this.#committed = this.#next
  }

  discard(): void {
    this.#next = this.#committed
  }
}

export function makeResourceFigures(database: DatabaseSync): void {
  write(database, { epoch: newEpoch(), pastForgottenUpTo: 0, pastKeptUntil: null })
}

/** Versions from before a restore never fit what is written after it. */
export function raiseEpoch(database: DatabaseSync): void {
  const figures = read(database)
  write(database, { ...figures, epoch: raisedEpoch(figures.epoch) })
}

function read(database: DatabaseSync): Figures {
  const row = database.prepare('SELECT sum, body FROM resource_figures').get()
  if (row === undefined) throw storeError('corrupt', '(resource_figures: it is empty)')
  const { sum, body } = row as { sum: number; body: string }
  requireSum('resource_figures', 1, body, sum)
  return JSON.parse(body)
}

function write(database: DatabaseSync, figures: Figures): void {
  const body = JSON.stringify(figures)
  database
    .prepare('REPLACE INTO resource_figures (only, sum, body) VALUES (1, ?, ?)')
    .run(checksum(1, body), body)
}
