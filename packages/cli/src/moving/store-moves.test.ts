// pulseward store copy, verify and reclaim as a person at a terminal uses them, between data directories. The same with
// PostgreSQL is in store-moves.servers.test.ts.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { SqliteStore } from '@pulseward/server/internal/store/sqlite/sqlite-store.ts'
import { seal } from '@pulseward/server/internal/vault/envelope.ts'
import { KeyRing } from '@pulseward/server/internal/vault/key-ring.ts'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { onSmallDisk, RunningCommand, whyNoSmallDisk } from '@pulseward/testing/process'
import { batch, event, identity, resource } from '@pulseward/testing/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal } from '../client/command.fixture.ts'

let folder: TemporaryFolder
beforeEach(async () => {
  folder = temporaryFolder()
  await using store = await open('old')
  await store.commit(batch({ identities: [identity(1)], events: [event(1), event(1)] }))
})
afterEach(() => folder[Symbol.dispose]())

const open = (name: string) => SqliteStore.open({ directory: folder.path(name), now: Date.now })
const run = async (words: string, on: TestedTerminal = {}) => {
  const { code, stdout, stderr } = await runInProcess(['store', ...words.split(' ')], {
    cwd: folder.root,
    ...on,
  })
  const plain = (text: string) => text.replaceAll(folder.root, '/home')
  return { code, stdout: plain(stdout), stderr: plain(stderr) }
}
const copy = (on?: TestedTerminal) => run('copy --from sqlite:old --to sqlite:new', on)

describe('pulseward store copy', () => {
  it('moves the store, and says how the service goes on', async () => {
    writeFileSync(folder.path('old/principals.json'), '{}')
    writeFileSync(folder.path('old/operator.token'), 'a token')
    expect(await copy()).toEqual({
      code: 0,
      stdout: `sqlite:/home/new has everything of sqlite:/home/old, compared row by row: 4 rows, among them 1 monitor, 2 events, 0 actions, 0 managed resources.
The service goes on there: start it with --store sqlite and --data new.
Before that, bring what the service keeps beside its store into new, as far as it is there: operator.token.
sqlite:/home/old is marked as moved, and no service starts with it any more.
`,
      stderr: '',
    })
    const { code, stderr } = await runInProcess(['serve', '--data', folder.path('old'), '--allow-empty'])
    expect(code).toBe(2)
    expect(stderr).toContain(`The store was moved to sqlite:${folder.path('new')} at `)
  })

  it('shows its progress on a terminal, and erases it', async () => {
    const { stderr } = await copy({ columns: 100 })
    expect(stderr).toContain('copying')
    expect(stderr).toContain('comparing')
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
  })

  it('is stopped by Ctrl-C, and changes nothing', async () => {
    const interruption = AbortSignal.abort()
    expect(await copy({ interruption })).toEqual({
      code: 3,
      stdout: '',
      stderr: 'pulseward: The copy was stopped, and nothing was moved; the same command begins it anew.\n',
    })
    expect((await copy()).code).toBe(0)
  })

  it('refuses a store in use with a sentence', async () => {
    await using _used = await open('old')
    expect(await copy()).toMatchObject({ code: 3, stderr: expect.stringContaining('Stop it first') })
  })

  it('refuses to move a store again to another place, and may move it to the same', async () => {
    await copy()
    expect(await run('copy --from old --to elsewhere')).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(
        /^pulseward: The store was moved to sqlite:\/home\/new at .*pulseward store reclaim/,
      ),
    })
    expect(await copy()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is a store in new already'),
    })
  })

  it('moves nothing if the key file at the new place has other keys, and names one that is missing', async () => {
    const ring = KeyRing.generate()
    {
      await using store = await open('old')
      const sealed = seal(ring, 'mail', '1.1', 'secret')
      await store.commit(batch({ resources: [resource('mail', 1, { kind: 'Credential', sealed })] }))
    }
    const keyFile = (name: string, keys: KeyRing) =>
      writeFileSync(folder.path(name), keys.fileText(), { mode: 0o600 })
    keyFile('old.key', ring)
    keyFile('new.key', KeyRing.generate())
    expect(await copy()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/The key file \/home\/new\.key is not the one .* Nothing was copied\./),
    })
    rmSync(folder.path('new.key'))
    expect(await copy()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^Bring the key file of credentials too\. The key file \/home\/new\.key is missing/m,
      ),
    })
  })

  it('ends with a sentence on a full disk, and leaves the store where it was', { tags: 'long' }, async ({
    skip,
  }) => {
    const disk = folder.path('disk')
    mkdirSync(disk)
    const problem = whyNoSmallDisk(disk)
    if (problem !== null) return skip(problem)
    {
      await using store = await open('old')
      const detail = { words: 'x'.repeat(100_000) }
      for (let each = 0; each < 20; each++) await store.commit(batch({ events: [event(1, { detail })] }))
    }
    const words = ['store', 'copy', '--from', folder.path('old'), '--to', folder.path('disk/new')]
    await using full = new RunningCommand(words, { through: onSmallDisk(disk, 1_048_576) })
    expect(await full.ended).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^pulseward: The disk of the data directory is full; free some space/),
    })
    await using store = await open('old')
    expect(await store.commit(batch({ events: [event(1)] }))).toMatchObject({ position: 23 })
  })

  it.each([
    ['', /Say what to do: pulseward store init, copy, verify or reclaim/],
    ['copy --from old', /Name both stores: pulseward store copy --from/],
    ['copy --from old --to sqlite:./old', /Both places are the same store/],
    ['copy --from none --to new', /There is no store in none/],
    ['copy --from sqlite --to new', /A store is named by its data directory/],
    ['copy --from mysql://a/b --to new', /A store is named by its data directory/],
    ['copy --from old/pulseward.db --to new', /is a file; name the data directory/],
    ['copy --from old --to new --print', /--print does not apply to store copy/],
    ['verify --from old', /Name both stores: pulseward store verify --from/],
    ['reclaim', /Name one store: pulseward store reclaim/],
    ['reclaim old', /The store in old was not moved; start the service with it/],
  ])('refuses %j', async (words, sentence) => {
    expect(await run(words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(sentence) })
  })

  it('warns of a password on the command line, and never shows it', async () => {
    const { code, stdout, stderr } = await run(
      'copy --from old --to postgres://ward:hidden@127.0.0.1:1/fleet',
    )
    expect(code).toBe(3)
    expect(stderr).toMatch(/The password of the store is on the command line/)
    expect(stderr).toMatch(/PostgreSQL cannot be reached/)
    expect(`${stdout}${stderr}`).not.toContain('hidden')
  })
})

describe('pulseward store verify', () => {
  it('says that two stores are identical, or what the differences are', { tags: 'long' }, async () => {
    await copy()
    expect(await run('verify --from old --to new')).toEqual({
      code: 0,
      stdout: 'sqlite:/home/old and sqlite:/home/new are identical: 3 rows.\n',
      stderr: '',
    })
    {
      await using store = await open('new')
      await store.commit(batch({ events: [event(1)] }))
    }
    const { code, stdout } = await run('verify --from old --to new')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^The head has another position\.$/m)
    expect(stdout).toMatch(/^The event 3 is only in the second store\.$/m)
  })
})

describe('pulseward store reclaim', () => {
  it('lets a service start with a store that was moved away', async () => {
    await copy()
    expect(await run('reclaim sqlite:old')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('as with a restored backup'),
    })
    await using store = await open('old')
    expect((await store.recover(0)).restoredFrom).not.toBeNull()
  })
})
