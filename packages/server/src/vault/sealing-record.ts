// vault/sealing-record.ts: what a running service says about its keys, in a file of the data directory: which key it
// seals with, and which keys wrap what is stored. Old keys are removed from the key file only when this says that
// nothing needs them. Keys are named by their ids; no key is in it. A record that is missing or damaged says nothing.
import { readFileSync } from 'node:fs'
import { replaceFileAsync } from '../platform/replace-file.ts'

export interface SealingRecord {
  readonly currentKeyId: string
  readonly keysInUse: readonly string[]
}

/** Written whole or not at all. */
export async function writeSealingRecord(path: string, record: SealingRecord): Promise<void> {
  await replaceFileAsync(path, `${JSON.stringify(record)}\n`)
}

export function readSealingRecord(path: string): SealingRecord | null {
  try {
    const { currentKeyId, keysInUse } = JSON.parse(readFileSync(path, 'utf8'))
    const isWhole =
      typeof currentKeyId === 'string' &&
      Array.isArray(keysInUse) &&
      keysInUse.every((id) => typeof id === 'string')
    return isWhole ? { currentKeyId, keysInUse } : null
  } catch {
    return null
  }
}
