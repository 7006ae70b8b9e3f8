// fleet/snapshot/fleet-snapshot.ts: a file with the content of fleet files, validated and arranged, so that a
// start over unchanged files neither parses nor validates them. It is used only for exactly the same content,
// paths, order, program, runtime and drivers. It does not cover what is outside the files (outside-files.ts),
// and holds no credential values, only where they come from.
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import type { CredentialSource } from '../../config/fleet-file/credentials.ts'
import { type FileDigest, hasContent } from '../../config/fleet-file/file-digest.ts'
import type {
  EscalationPolicy,
  PersonDefinition,
  ScheduleDefinition,
} from '../../config/fleet-file/on-call.ts'
import type { DriverShapes } from '../../config/fleet-file/schema.ts'
import type { BadgeDefinition, StatusPageDefinition } from '../../config/fleet-file/status-page.ts'
import type { PageFile } from '../../config/fleet-file/status-page-files.ts'
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

/** Smaller fleets are read from their files just as fast. */
export const monitorsAtLeast = 10_000

/** The source of a loaded fleet, and what its definition does not contain. */
export interface FleetFacts {
  readonly key: string
  readonly files: readonly FileDigest[]
  readonly credentialSources: Readonly<Record<string, CredentialSource>>
  readonly openRows: Uint32Array
  /** Credentials whose values must be a single line. */
  readonly oneLine: readonly string[]
  /** What status pages were made from, beside the files. */
  readonly pageFiles: readonly PageFile[]
}

export interface FleetSource {
  readonly facts: FleetFacts
  readonly monitors: MonitorsSource
  readonly searchNames: PackedStrings
  readonly head: FleetHead
  /** They are in the first rows, in file order. */
  readonly count: number
  /** Called when everything was read: whether the monitors changed meanwhile. */
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
  readonly statusPages: [string, StatusPageDefinition][]
  readonly badges: [string, BadgeDefinition][]
  readonly people: [string, PersonDefinition][]
  readonly schedules: [string, ScheduleDefinition][]
  readonly escalationPolicies: [string, EscalationPolicy][]
  readonly searchNames: TextParts
  readonly table: { readonly rows: Part; readonly hashBytes: Part; readonly used: number }
  readonly openRows: Part
  readonly oneLine: readonly string[]
  readonly pageFiles: readonly PageFile[]
}

const { node, icu, tz } = process.versions
const thisProgram = { version, node, icu, tz }

/** Another program, runtime or set of drivers may read the same files differently, or refuse them. */
export function fleetKey(
  paths: readonly string[],
  allowEmpty: boolean,
  drivers: DriverShapes,
  program: Readonly<Record<string, string | undefined>> = thisProgram,
): string {
  const made = JSON.stringify([program, drivers, paths, allowEmpty])
  return createHash('sha256').update(made).digest('base64url')
}

/** The log message for a failed write. */
export function unwritten(error: unknown): string {
  return `the snapshot of the fleet files was not written, so the next start takes longer: ${String(error)}`
}

/** False if the monitors changed meanwhile. */
export function writeFleetSnapshot(path: string, source: FleetSource): boolean {
  const { facts, monitors, searchNames, head, count, isChanged } = source
  const { key, files, credentialSources, openRows, oneLine, pageFiles } = facts
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
      statusPages: [...head.statusPages],
      badges: [...head.badges],
      people: [...head.people],
      schedules: [...head.schedules],
      escalationPolicies: [...head.escalationPolicies],
      searchNames: names,
      table: {
        rows: file.write(bytesOf(table.rows)),
        hashBytes: file.write(table.hashBytes),
        used: table.used,
      },
      openRows: file.write(bytesOf(openRows)),
      oneLine,
      pageFiles,
    }
  })
}

/** Null if there is no snapshot of exactly these files; any other is removed. */
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
      statusPages: new Map(head.statusPages),
      badges: new Map(head.badges),
      people: new Map(head.people),
      schedules: new Map(head.schedules),
      escalationPolicies: new Map(head.escalationPolicies),
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
        pageFiles: head.pageFiles,
      },
    }
  })
  if (found === null) removeUnusable(path)
  return found
}

/** A snapshot that cannot be removed would not be used the next time either. */
function removeUnusable(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
