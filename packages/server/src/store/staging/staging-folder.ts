// store/staging/staging-folder.ts: the folder of staging files, one for each operation.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Removes what was staged for an operation. */
export function removeStaging(folder: string, number: number): void {
  const path = stagingPath(folder, number)
  for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
}

/** The operations for which something is staged. */
export function stagedNumbers(folder: string): number[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => {
    const number = /^operation-(\d+)\.db$/.exec(name)?.[1]
    return number === undefined ? [] : [Number(number)]
  })
}

export function stagingPath(folder: string, number: number): string {
  return join(folder, `operation-${number}.db`)
}
