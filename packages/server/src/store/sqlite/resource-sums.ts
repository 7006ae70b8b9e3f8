// store/sqlite/resource-sums.ts: the checksums of resources, of their past and of the log of changes. Each
// covers the key and all columns of a row, so that a value under the wrong key is detected too.
import { crc32 } from 'node:zlib'
import type { ResourceRow } from '../resource-rows.ts'
import { storeError } from '../store-errors.ts'
import { checksum } from './checksum.ts'

export interface SummedRow extends ResourceRow {
  readonly sum: number
}

/** The columns of a version, present or past. */
export const versionColumns = 'kind, id, label_set AS labelSet, change, sum, body, sealed'

/** The end of a version: which change replaced or deleted it, and when that was committed. */
export interface VersionEnd {
  readonly endedBy: number
  readonly endedAt: number
}

export interface ChangeRow {
  readonly change: number
  readonly kind: number
  readonly id: string
  /** 1 or 0. */
  readonly deleted: number
}

export function resourceSum({ kind, id, labelSet, change, body, sealed }: ResourceRow): number {
  const sum = crc32(body, crc32(`${kind} ${labelSet} ${change} ${id}`))
  return sealed === null ? sum : crc32(sealed, sum)
}

export function endSum(
  { endedBy, endedAt }: VersionEnd,
  { kind, id, change }: Omit<ChangeRow, 'deleted'>,
): number {
  return checksum(endedBy, `${endedAt} ${kind} ${change} ${id}`)
}

export function changeSum({ change, kind, id, deleted }: ChangeRow): number {
  return checksum(change, `${kind} ${deleted} ${id}`)
}

export function requireResourceSum(row: SummedRow): void {
  if (resourceSum(row) !== row.sum) throw storeError('corrupt', `(resource ${row.id}: its checksum is wrong)`)
}
