// store/sqlite/moving/beside-files.ts: the parts of a store that are files of its data directory, beside the database: the
// list of principals, and operations that are not applied yet.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { replaceFile } from '../../../platform/replace-file.ts'
import { UsageError } from '../../../platform/usage-error.ts'
import { type DataDirectory, makeDirectory } from '../../data-directory.ts'
import { type PartName, principalsDocument, type RowOf } from '../../moving/portable-rows.ts'
import { placeNotedIn } from '../../principals-note.ts'
import { headOf, headText, itemText, planOf, planText, itemOf as portableItem } from '../../staged-rows.ts'
import { StoreError } from '../../store.ts'
import { StagingFile } from '../staging/staging-file.ts'
import { operationFiles, pathOf, removeOperation } from '../staging/staging-folder.ts'
import { type ItemRow, itemColumns, itemOf } from '../staging/staging-tables.ts'

const partsBeside = ['documents', 'staged', 'stagedItems', 'stagedPlans'] as const
export type PartBeside = (typeof partsBeside)[number]

export function isBeside(name: PartName): name is PartBeside {
  return (partsBeside as readonly PartName[]).includes(name)
}

type Files = Pick<DataDirectory, 'principals' | 'staging'>

export function countBeside(files: Files, name: PartBeside): number {
  let count = 0
  for (const _ of rowsBeside(files, name)) count++
  return count
}

export function rowsBeside(files: Files, name: PartBeside): Iterable<RowOf<PartBeside>> {
  return readers[name](files)
}

const readers: { readonly [Name in PartBeside]: (files: Files) => Iterable<RowOf<Name>> } = {
  *documents({ principals }) {
    const text = principalsIn(principals)
    if (text !== null) yield { name: principalsDocument, body: text }
  },
  *staged({ staging }) {
    for (const { number, database } of opened(staging)) {
      const head = database
        .prepare(
          'SELECT store, item_count AS itemCount, content_digest AS contentDigest, touched_at AS touchedAt FROM head',
        )
        .get() as unknown as Parameters<typeof headText>[0]
      yield { operation: number, body: headText(head) }
    }
  },
  *stagedItems({ staging }) {
    for (const { number: operation, database } of opened(staging)) {
      const items = database.prepare(`SELECT ${itemColumns} FROM item ORDER BY ordinal`)
      items.setReturnArrays(true)
      for (const row of items.iterate()) {
        const item = itemOf(row as unknown as ItemRow)
        yield { operation, ordinal: item.ordinal, body: itemText(item), sealed: item.sealed }
      }
    }
  },
  *stagedPlans({ staging }) {
    for (const { number: operation, database } of opened(staging)) {
      const plans = database.prepare('SELECT ordinal, rank, seen, outcome FROM plan ORDER BY ordinal')
      for (const row of plans.iterate()) {
        const plan = row as unknown as ReturnType<typeof planOf>
        yield { operation, ordinal: plan.ordinal, body: planText(plan) }
      }
    }
  },
}

function principalsIn(path: string): string | null {
  if (!existsSync(path)) return null
  const text = readFileSync(path, 'utf8')
  return placeNotedIn(text) === null ? text : null
}

/** In the order of their numbers; each is closed before the next one. */
function* opened(staging: string): Iterable<{ readonly number: number; readonly database: DatabaseSync }> {
  for (const number of operationFiles(staging)) {
    using database = openStaged(pathOf(staging, number))
    yield { number, database }
  }
}

function openStaged(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    database
      .prepare(
        'SELECT EXISTS (SELECT 1 FROM head) + EXISTS (SELECT 1 FROM item) + EXISTS (SELECT 1 FROM plan)',
      )
      .get()
    return database
  } catch (error) {
    database.close()
    throw new StoreError(
      'corrupt',
      `${path} cannot be read; remove it to move the store without it: its operation ends as failed then.`,
      { cause: error },
    )
  }
}

/** Writes them to a data directory without a store; `discard` removes what was written. */
export class BesideFiles {
  readonly #files: Files
  readonly #operations = new Map<number, StagingFile>()
  readonly #planned = new Set<number>()
  #hasPrincipals = false
  #isFinished = false

  constructor(files: Files) {
    this.#files = files
  }

  write<Name extends PartBeside>(name: Name, rows: readonly RowOf<Name>[]): void {
    const write = this.#writers[name] as (rows: readonly RowOf<Name>[]) => void
    write(rows)
  }

  finish(): void {
    if (this.#isFinished) return
    this.#isFinished = true
    for (const file of this.#operations.values()) file[Symbol.dispose]()
  }

  discard(): void {
    this.finish()
    for (const number of this.#operations.keys()) removeOperation(this.#files.staging, number)
    if (this.#hasPrincipals) rmSync(this.#files.principals, { force: true })
  }

  readonly #writers: { readonly [Name in PartBeside]: (rows: readonly RowOf<Name>[]) => void } = {
    documents: (rows) => {
      const { principals } = this.#files
      for (const { body } of rows) {
        const there = principalsIn(principals)
        if (there !== null && there !== body)
          throw new UsageError(
            `There are other principals in ${principals}; move that file away if they are not needed.`,
          )
        if (there !== null) continue
        replaceFile(principals, body)
        this.#hasPrincipals = true
      }
    },
    staged: (rows) => {
      const { staging } = this.#files
      makeDirectory(staging)
      for (const { operation, body } of rows) {
        removeOperation(staging, operation)
        this.#operations.set(
          operation,
          StagingFile.create(pathOf(staging, operation), headOf(operation, body)),
        )
      }
    },
    stagedItems: (rows) => {
      for (const [operation, file, some] of this.#byOperation(rows))
        file.add(
          some.map(({ ordinal, body, sealed }) => portableItem(ordinal, body, sealed)),
          file.head.touchedAt,
          () => {
            throw new StoreError('corrupt', `An item of the operation ${operation} is staged twice.`)
          },
          () => {},
        )
    },
    stagedPlans: (rows) => {
      for (const [operation, file, some] of this.#byOperation(rows)) {
        if (!this.#planned.has(operation)) file.indexResources()
        this.#planned.add(operation)
        file.plan(some.map(({ ordinal, body }) => planOf(ordinal, body)))
      }
    },
  }

  /** Rows without their operation are left out, which the comparison notices. */
  #byOperation<Row extends { readonly operation: number }>(
    rows: readonly Row[],
  ): readonly (readonly [operation: number, file: StagingFile, rows: Row[]])[] {
    return [...Map.groupBy(rows, (row) => row.operation)].flatMap(([operation, some]) => {
      const file = this.#operations.get(operation)
      return file === undefined ? [] : [[operation, file, some] as const]
    })
  }
}
