// store/sqlite/staging/staging-folder.ts: the folder of staging files, one per operation. Files are opened
// synchronously; the interface is asynchronous for stores that would have to fetch them.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { StagedOperation, Staging, StagingHead } from '../../staging.ts'
import { withStoreErrors } from '../sqlite-errors.ts'
import { StagingFile } from './staging-file.ts'

export class StagingFolder implements Staging {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async create(head: StagingHead): Promise<StagedOperation> {
    return withStoreErrors(() => {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
      this.#remove(head.number)
      return StagingFile.create(this.#path(head.number), head)
    })
  }

  async open(number: number, store: string): Promise<StagedOperation | null> {
    const path = this.#path(number)
    return existsSync(path) ? StagingFile.open(path, store) : null
  }

  async share(): Promise<void> {}

  async remove(number: number): Promise<void> {
    withStoreErrors(() => this.#remove(number))
  }

  async numbers(): Promise<readonly number[]> {
    return withStoreErrors(() => operationFiles(this.#folder))
  }

  #remove(number: number): void {
    removeOperation(this.#folder, number)
  }

  #path(number: number): string {
    return pathOf(this.#folder, number)
  }
}

/** The numbers of the operations in a folder of staging files, which may be missing; in order. */
export function operationFiles(folder: string): readonly number[] {
  if (!existsSync(folder)) return []
  const numbers = readdirSync(folder).flatMap((name) => {
    const number = /^operation-(\d+)\.db$/.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
  return numbers.sort((one, other) => one - other)
}

export function pathOf(folder: string, number: number): string {
  return join(folder, `operation-${number}.db`)
}

export function removeOperation(folder: string, number: number): void {
  const path = pathOf(folder, number)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}
