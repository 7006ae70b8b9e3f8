// vault/sealing-record.ts: what a running service says about its keys, in a file of the data directory: which
// key it seals with, and which keys wrap stored values. Old keys are removed from the key file only when this
// record says that nothing needs them. It has key ids, never keys. A missing or damaged record says nothing.
import { readFileSync } from 'node:fs'
import { replaceFileAsync } from '../platform/replace-file.ts'

export interface SealingRecord {
  readonly currentKeyId: string
  readonly keysInUse: readonly string[]
}

/** Written atomically. */
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
