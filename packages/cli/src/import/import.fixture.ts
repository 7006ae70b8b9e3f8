// import/import.fixture.ts: runs an import on files that a test writes, and validates what it prints.
import { readFileSync, statSync } from 'node:fs'
import { type FileContents, temporaryFolder } from '@pulseward/testing'
import { load } from 'js-yaml'
import { expect } from 'vitest'
import { runInProcess, withoutNotes } from '../client/command.fixture.ts'

export interface ImportedFleet {
  readonly credentials?: Record<string, { env?: string; file?: string }>
  readonly endpoints?: Record<string, { type: string; config: object }>
  readonly groups?: Record<string, string[]>
  readonly status_pages?: Record<string, object>
  readonly monitors: ImportedMonitor[]
}

interface ImportedMonitor {
  readonly id?: string
  readonly name: string
  readonly check: { readonly type: string; readonly config: object }
  readonly [part: string]: unknown
}

export interface Imported {
  readonly fleet: ImportedFleet
  readonly stdout: string
  readonly stderr: string
  /** The content of the file that --secrets named. */
  readonly secrets: string
}

/** An import that must succeed. Every test checks that its output passes validate --allow-unset. */
export async function imported(kind: string, files: FileContents): Promise<Imported> {
  using folder = temporaryFolder(files)
  return await importedFrom(
    kind,
    Object.keys(files).map((name) => folder.path(name)),
  )
}

export async function importedFrom(kind: string, paths: readonly string[]): Promise<Imported> {
  using work = temporaryFolder({ 'fleet.yaml': '' })
  const secretsFile = work.path('secrets.env')
  const { code, stdout, stderr } = await runInProcess(['import', kind, ...paths, '--secrets', secretsFile])
  expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
  expect(statSync(secretsFile).mode & 0o777).toBe(0o600)
  work.write('fleet.yaml', stdout)
  const fleet = load(stdout) as ImportedFleet
  const more = fleet.monitors.length === 0 ? ['--allow-empty'] : []
  const validated = await runInProcess(['validate', '--allow-unset', ...more, work.path('fleet.yaml')])
  expect([validated.code, withoutNotes(validated.stderr)]).toEqual([0, ''])
  return { fleet, stdout, stderr, secrets: readFileSync(secretsFile, 'utf8') }
}

/** An import that must fail: its exit code and message, without having written anything. */
export async function refused(kind: string, files: FileContents): Promise<[code: number, stderr: string]> {
  using folder = temporaryFolder(files)
  const paths = Object.keys(files).map((name) => folder.path(name))
  const { code, stdout, stderr } = await runInProcess(['import', kind, ...paths])
  expect(stdout).toBe('')
  return [code, stderr.replaceAll(`${folder.root}/`, '')]
}
