// backup, verify and restore as a person at a terminal uses them, beside a store in use.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { SqliteStore } from '@pulseward/server/internal/store/sqlite/sqlite-store.ts'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { batch, event, identity, operation, resource } from '@pulseward/testing/store'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

let folder: TemporaryFolder
let store: SqliteStore
beforeAll(async () => {
  folder = temporaryFolder()
  store = await SqliteStore.open({ directory: folder.path('data'), now: Date.now })
  await store.commit(batch({ identities: [identity(1)], events: [event(1), event(1)] }))
})
afterAll(async () => {
  await store[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = async (...words: string[]) => {
  const { code, stdout, stderr } = await runInProcess(words, { cwd: folder.root })
  return [code, stdout, stderr]
}

describe('the store at the command line', () => {
  it('is backed up, verified and restored elsewhere while the service uses it', async () => {
    expect(await run('verify', '--data', 'data')).toEqual([
      0,
      'data/pulseward.db is right: 2 events, the last at position 2.\n',
      '',
    ])
    expect(await run('backup', '--data', 'data', 'monday.db')).toEqual([
      0,
      'monday.db holds everything up to position 2 (2 events) and is verified.\n',
      '',
    ])
    expect(await run('verify', 'monday.db')).toEqual([
      0,
      'monday.db is right: 2 events, the last at position 2.\n',
      '',
    ])
    expect(await run('restore', 'monday.db', '--data=elsewhere')).toEqual([
      0,
      'elsewhere holds monday.db: 2 events, the last at position 2.\n' +
        'Notifications and recoveries that were waiting when it was made are not sent again; a monitor that still fails is reported.\n',
      '',
    ])
    expect(await run('restore', 'monday.db', '--data=elsewhere')).toEqual([
      2,
      '',
      'pulseward: There is a store in elsewhere already; pass --force to put it aside.\n',
    ])
    expect(await run('restore', 'monday.db', '--data=elsewhere', '--force')).toEqual([
      0,
      expect.stringMatching(/^The store that was there is now in elsewhere\/replaced-/),
      '',
    ])
  })

  it('is not replaced while it is in use', async () => {
    writeFileSync(folder.path('other.db'), readFileSync(folder.path('monday.db')))
    expect(await run('restore', 'other.db', '--data', 'data', '--force')).toEqual([
      3,
      '',
      'pulseward: Another process owns the data directory. Stop it first, or choose another directory with --data.\n',
    ])
    expect(await store.commit(batch({ events: [event(1)] }))).toMatchObject({ position: 3 })
  })

  it('ends with 1 for a backup that is not right', async () => {
    writeFileSync(folder.path('words.db'), 'no database at all, but long enough to look like one'.repeat(100))
    const words = /^pulseward: words\.db.*: The store is damaged; restore a backup .*\n$/
    expect(await run('verify', 'words.db')).toEqual([1, '', expect.stringMatching(words)])
    expect(await run('restore', 'words.db', '--data', 'nowhere')).toEqual([
      1,
      '',
      expect.stringMatching(words),
    ])
    expect(readdirSync(folder.root)).not.toContain('nowhere')
  })

  it.for<[words: string[], sentence: string]>([
    [['backup', '--data', 'data'], 'Name one file to write: pulseward backup --data DIR FILE'],
    [['backup', '--data', 'none', 'tuesday.db'], 'There is no store in none.'],
    [
      ['verify', '--data', 'data', 'a.db'],
      'Name one thing to check: pulseward verify --data DIR, or pulseward verify FILE',
    ],
    [['verify', 'missing.db'], 'missing.db does not exist.'],
    [['restore'], 'Name one backup: pulseward restore FILE --data DIR'],
    [['restore', 'missing.db', '--data', 'data'], 'missing.db does not exist.'],
  ])('ends with 2 for %j', async ([words, sentence]) => {
    expect(await run(...words)).toEqual([2, '', `pulseward: ${sentence}\n`])
  })

  it('counts managed resources and operations where there are any', async () => {
    await using other = await SqliteStore.open({ directory: folder.path('managed'), now: Date.now })
    await other.commit(batch({ resources: [resource('a', 1), resource('b', 2)], operations: [operation(1)] }))
    expect(await run('verify', '--data', 'managed')).toEqual([
      0,
      'managed/pulseward.db is right: 0 events, the last at position 0. It also holds 2 managed resources and 1 operation.\n',
      '',
    ])
  })
})
