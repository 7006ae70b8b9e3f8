// store/sqlite/checksum.ts: SQLite does not detect a flipped bit inside a value; a checksum next to each
// value does. It covers the key too, so that a value under the wrong key is detected.
import { crc32 } from 'node:zlib'
import { storeError } from '../store-errors.ts'

export function checksum(key: number, value: string | Uint8Array): number {
  // The key is the initial value of the CRC: cheaper than building one text of both.
  return crc32(value, Math.trunc(key) >>> 0)
}

export function requireSum(place: string, key: number, value: string | Uint8Array, sum: number): void {
  if (checksum(key, value) !== sum) throw storeError('corrupt', `(${place} ${key}: its checksum is wrong)`)
}
