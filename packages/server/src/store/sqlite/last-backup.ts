// store/sqlite/last-backup.ts: when the last backup was made and whether it was verified. A small file next
// to the store, because the backup runs in another process and only the owner writes to the store.
import { readFileSync } from 'node:fs'
import { replaceFile } from '../../platform/replace-file.ts'
import type { LastBackup } from '../store.ts'

export function writeLastBackup(path: string, { at, verified }: LastBackup): void {
  replaceFile(path, JSON.stringify({ at, verified }))
}

/** Null if there was none, or if the file cannot be relied on. */
export function readLastBackup(path: string): LastBackup | null {
  try {
    const { at, verified } = JSON.parse(readFileSync(path, 'utf8'))
    return typeof at === 'number' && typeof verified === 'boolean' ? { at, verified } : null
  } catch {
    return null
  }
}
