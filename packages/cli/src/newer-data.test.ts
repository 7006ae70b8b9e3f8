// A data directory that a newer version has written: every command that opens it says so in one sentence and changes nothing
// of it. A service that is refused leaves no new file either; SQLite leaves its own beside a store that was only read, and a
// backup that failed is noted.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

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
    const words = ['--edition', edition, '--config', fleet, '--data', data, '--log-level', 'error']
    await using service = await RunningCommand.serve(words)
    service.signal('SIGTERM')
    expect((await service.ended).code).toBe(0)
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

  async function expectRefusal(code: number, words: readonly string[]): Promise<void> {
    const end = await runCommand([...words, '--data', folder.path('data')])
    expect(end).toMatchObject({ code, stdout: '' })
    expect(end.stderr).toMatch(
      /^pulseward: .*The store was written by a newer version of Pulseward; use that version\. \(its format is 99, this version reads up to \d+\)\n$/,
    )
  }

  it('is refused by serve, with nothing changed and nothing added', async () => {
    const before = digests()
    await expectRefusal(2, ['serve', '--edition', edition, '--config', fleet, '--listen', '127.0.0.1:0'])
    expect(digests()).toEqual(before)
  })

  it('is refused by verify and backup, with nothing changed and no backup written', async () => {
    const before = digests()
    await expectRefusal(1, ['verify'])
    await expectRefusal(1, ['backup', folder.path('copy')])
    expect(digests()).toEqual(expect.arrayContaining(before))
    expect(existsSync(folder.path('copy'))).toBe(false)
  })
})
