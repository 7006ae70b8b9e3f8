// fleet/snapshot/fleet-snapshot.ts: a file that holds what fleet files say, validated and arranged, so that a start over files
// that did not change neither parses nor validates them. It is used only for the very same content, paths, order, program,
// runtime and drivers. It says nothing about what lies outside of the files (outside-files.ts), and holds no value of a
// credential, only where values come from.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { CredentialSource } from '../../config/fleet-file/credentials.ts'
import { type FileDigest, hasContent } from '../../config/fleet-file/file-digest.ts'
import type { DriverShapes } from '../../config/fleet-file/schema.ts'
import { newColumn } from '../../platform/column.ts'
import { PackedReader, type PackedStrings } from '../../platform/packed-strings.ts'
import { indexRows } from '../../platform/row-index.ts'
import { version } from '../../platform/version.ts'
import { type Arrangement, firstOf } from '../arrangement.ts'
import { firstTagsOf } from '../first-tags.ts'
import type { FleetHead } from '../fleet-change.ts'
import {
  type MonitorParts,
  type MonitorsSource,
  readMonitors,
  readTexts,
  type TextParts,
  writeMonitors,
  writeTexts,
} from './packed-monitors.ts'
import { bytesOf, type Part, readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts'

/** Smaller fleets are read from their files as fast. */
export const monitorsAtLeast = 10_000

/** What a loaded fleet is of, and what of it does not stand in its definition. */
export interface FleetFacts {
  readonly key: string
  readonly files: readonly FileDigest[]
  readonly credentialSources: Readonly<Record<string, CredentialSource>>
  readonly openRows: Uint32Array
  /** Credentials whose values must be one line. */
  readonly oneLine: readonly string[]
}

export interface FleetSource {
  readonly facts: FleetFacts
  readonly monitors: MonitorsSource
  readonly searchNames: PackedStrings
  readonly head: FleetHead
  /** They lie in the first rows, in the order of the files. */
  readonly count: number
  /** Asked when everything was read: whether the monitors were changed meanwhile. */
  readonly isChanged: () => boolean
}

export interface FleetSnapshot {
  readonly arrangement: Arrangement
  readonly facts: FleetFacts
}

interface Head extends MonitorParts {
  readonly key: string
  readonly files: readonly FileDigest[]
  readonly credentialSources: FleetFacts['credentialSources']
  readonly endpoints: [string, { type: string; config: object }][]
  readonly groups: [string, readonly string[]][]
  readonly routes: FleetHead['routes']
  readonly searchNames: TextParts
  readonly table: { readonly rows: Part; readonly hashBytes: Part; readonly used: number }
  readonly openRows: Part
  readonly oneLine: readonly string[]
}

const { node, icu, tz } = process.versions
const thisProgram = { version, node, icu, tz }

/** Another program, runtime or drivers may read the same files in another way, or not at all. */
export function fleetKey(
  paths: readonly string[],
  allowEmpty: boolean,
  drivers: DriverShapes,
  program: Readonly<Record<string, string | undefined>> = thisProgram,
): string {
  const made = JSON.stringify([program, drivers, paths, allowEmpty])
  return createHash('sha256').update(made).digest('base64url')
}

/** What is said when writing fails. */
export function unwritten(error: unknown): string {
  return `the snapshot of the fleet files was not written, so the next start takes longer: ${String(error)}`
}

/** False when the monitors were changed meanwhile. */
export function writeFleetSnapshot(path: string, source: FleetSource): boolean {
  const { facts, monitors, searchNames, head, count, isChanged } = source
  const { key, files, credentialSources, openRows, oneLine } = facts
  return writeSnapshotFile(path, (file): Head | null => {
    const rows = new Uint32Array(count).map((_, row) => row)
    const parts = writeMonitors(file, monitors, rows)
    const names = writeTexts(file, searchNames, rows)
    const ids = new PackedReader(monitors.texts.ids)
    const table = indexRows(ids, count).table
    if (parts === null || isChanged()) return null
    return {
      ...parts,
      key,
      files,
      credentialSources,
      endpoints: [...head.endpoints],
      groups: [...head.groups],
      routes: head.routes,
      searchNames: names,
      table: {
        rows: file.write(bytesOf(table.rows)),
        hashBytes: file.write(table.hashBytes),
        used: table.used,
      },
      openRows: file.write(bytesOf(openRows)),
      oneLine,
    }
  })
}

/** Null when there is none of these files as they are now; one of something else is removed. */
export function readFleetSnapshot(path: string, key: string, files: readonly string[]): FleetSnapshot | null {
  const found = readSnapshotFile(path, (file, head: Head): FleetSnapshot | null => {
    const isSameList =
      head.files.length === files.length && head.files.every(({ path }, index) => path === files[index])
    if (head.key !== key || !isSameList || !head.files.every(hasContent)) return null
    const monitors = readMonitors(file, head)
    const { count } = monitors
    const definition = {
      ...monitors,
      endpoints: new Map(head.endpoints),
      groups: new Map(head.groups),
      routes: head.routes,
    }
    const searchNames = readTexts(file, head.searchNames, count)
    const rows = newColumn(Int32Array, head.table.rows.bytes / Int32Array.BYTES_PER_ELEMENT)
    file.read(head.table.rows, rows.buffer)
    const hashBytes = newColumn(Uint8Array, head.table.hashBytes.bytes)
    file.read(head.table.hashBytes, hashBytes.buffer)
    const openRows = new Uint32Array(file.read(head.openRows, new ArrayBuffer(head.openRows.bytes)))
    return {
      arrangement: firstOf({
        definition,
        present: newColumn(Uint8Array, count).fill(1),
        searchNames,
        firstTags: firstTagsOf(definition.tags.values),
        rowTable: { rows, hashBytes, used: head.table.used },
      }),
      facts: {
        key,
        files: head.files,
        credentialSources: head.credentialSources,
        openRows,
        oneLine: head.oneLine,
      },
    }
  })
  if (found === null) removeUnusable(path)
  return found
}

/** One that cannot be removed would not be used the next time either. */
function removeUnusable(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
