// A data directory that a newer version has written: every command that opens it says so in one sentence and changes nothing
// of it. A service that is refused leaves no new file either; SQLite leaves its own beside a store that was only read, and a
// backup that failed is noted.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { runCommand, serveInProcess } from '@pulseward/testing/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess, type TestedEnd } from './client/command.fixture.ts'

/** Where SQLite keeps the number that we use for the format of the store. */
const formatOffset = 60
const newerFormat = 99

describe.each(['candidate', 'next'])('data of a newer version, in the edition %s', (edition) => {
  let folder: TemporaryFolder
  let fleet: string
  beforeAll(async () => {
    const check = { type: 'tcp', interval: '1s', config: { host: '127.0.0.1', port: 1 } }
    const content = { version: 1, monitors: [{ id: 'closed', name: 'Closed', check }] }
    folder = temporaryFolder({ 'fleet.json': JSON.stringify(content) })
    fleet = folder.path('fleet.json')
    const data = folder.path('data')
    const service = await serveInProcess(['--edition', edition, '--config', fleet, '--data', data])
    await service[Symbol.asyncDispose]()
    const database = join(data, 'pulseward.db')
    const bytes = readFileSync(database)
    bytes.writeUInt32BE(newerFormat, formatOffset)
    writeFileSync(database, bytes)
  })
  afterAll(() => folder[Symbol.dispose]())

  function digests(): [file: string, digest: string][] {
    const entries = readdirSync(folder.root, { recursive: true, withFileTypes: true })
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file, createHash('sha256').update(readFileSync(file)).digest('hex')])
  }

  function expectRefusal(code: number, end: Pick<TestedEnd, 'stdout' | 'stderr'>): void {
    expect(end).toMatchObject({ code, stdout: '' })
    expect(end.stderr).toMatch(
      /^pulseward: .*The store was written by a newer version of Pulseward; use that version\. \(its format is 99, this version reads up to \d+\)\n$/,
    )
  }

  it('is refused by serve, with nothing changed and nothing added', async () => {
    const before = digests()
    const words = ['serve', '--edition', edition, '--config', fleet, '--listen', '127.0.0.1:0']
    expectRefusal(2, await runCommand([...words, '--data', folder.path('data')]))
    expect(digests()).toEqual(before)
  })

  it('is refused by verify and backup, with nothing changed and no backup written', async () => {
    const before = digests()
    expectRefusal(1, await runInProcess(['verify', '--data', folder.path('data')]))
    expectRefusal(1, await runInProcess(['backup', folder.path('copy'), '--data', folder.path('data')]))
    expect(digests()).toEqual(expect.arrayContaining(before))
    expect(existsSync(folder.path('copy'))).toBe(false)
  })
})
