// A disk that loses at a power cut what was not synced. A real process commits to a real store while every write is
// traced; then the folder is made as a disk could hold it after a cut at any point, and opened again.
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeUnless, Random, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { type DiskTrace, LossyDisk, traceDisk, whyNoDiskTrace } from '@pulseward/testing/power-cut'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dataDirectory } from '../data-directory.ts'
import { StoreError } from '../store.ts'
import { openDatabase } from './database.ts'
import { verifyStore } from './maintenance/verify.ts'
import { StoreEngine } from './store-engine.ts'

/** More of them with POWER_CUTS=2000 before npm test. */
const cuts = Number(process.env['POWER_CUTS'] ?? 100)
const patience = { tags: 'long', timeout: 600_000 + cuts * 200 }
const eventsPerBatch = 3

const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
const samplesModule = JSON.stringify(import.meta.resolve('@pulseward/testing/store'))

/** Commits, closes and opens again; says each position when it was acknowledged. */
const commits = `
  import { writeSync } from 'node:fs'
  import { join } from 'node:path'
  import { openDatabase } from ${moduleAt('database.ts')}
  import { batchRows } from ${moduleAt('record-tables.ts')}
  import { StoreEngine } from ${moduleAt('store-engine.ts')}
  import { action, batch, deletion, event, health, identity, operation, resource } from ${samplesModule}
  const [root, synchronous] = process.argv.slice(2)
  let round = 0
  for (const commits of [25, 1, 40]) {
    const engine = new StoreEngine(join(root, 'new/data'), { open(files) {
      const database = openDatabase(files)
      // Often, so that cuts fall into the moving of commits to the database too.
      database.exec('PRAGMA wal_autocheckpoint = 50')
      if (synchronous !== undefined) database.exec('PRAGMA synchronous = ' + synchronous)
      return database
    } })
    for (let commit = 0; commit < commits; commit++, round++) {
      const number = (round * 97) % 600
      const { position } = engine.commit(batchRows(batch({
        identities: [identity(number)],
        events: [event(number, { detail: { round } }), event(null), event(number)],
        actions: [action('action-' + round, number)],
        states: [{ numericId: number, health: health(round) }],
        resources: [
          resource('m-' + round, 2 * round + 1, { labels: { round: String(round % 7) } }),
          round % 3 === 0 ? deletion('m-' + (round - 3), 2 * round + 2) : resource('shared', 2 * round + 2),
        ],
        operations: [operation(round + 1)],
      }), Date.now()))
      writeSync(1, position + '\\n')
    }
    engine.close()
  }
`

/** Makes a backup beside the owner, goes on, and then puts the backup in the place of the store. */
const backsUpAndRestores = `
  import { writeSync } from 'node:fs'
  import { join } from 'node:path'
  import { backUp } from ${moduleAt('maintenance/backup.ts')}
  import { restore } from ${moduleAt('maintenance/restore.ts')}
  import { batchRows } from ${moduleAt('record-tables.ts')}
  import { StoreEngine } from ${moduleAt('store-engine.ts')}
  import { batch, event, identity } from ${samplesModule}
  const [root] = process.argv.slice(2)
  const [directory, file] = [join(root, 'data'), join(root, 'monday.db')]
  const engine = new StoreEngine(directory)
  const commit = (number) => engine.commit(batchRows(batch({
    identities: [identity(number)],
    events: [event(number), event(number), event(number)],
  }), Date.now()))
  commit(1)
  commit(2)
  writeSync(1, 'committed')
  await backUp(directory, file, Date.now())
  writeSync(1, 'backed up')
  commit(3)
  engine.close()
  writeSync(1, 'went on')
  await restore({ file, directory, force: true, now: Date.now() })
  writeSync(1, 'restored')
`

/** Makes the folder as a disk could hold it after so many operations, and answers with what was printed by then. */
function cutPower({ root, operations }: DiskTrace, cut: number, seed: number, to: string): readonly string[] {
  const disk = new LossyDisk(root)
  const printed: string[] = []
  for (const operation of operations.slice(0, cut)) {
    disk.take(operation)
    if (operation.kind === 'output') printed.push(operation.text.trim())
  }
  disk.writeAfterPowerCut(new Random(seed), to)
  return printed
}

/** A cut of the power for each of many seeds; a failure names the cut and the seed. */
async function cutAnywhere(
  trace: DiskTrace,
  runs: number,
  check: (folder: TemporaryFolder, printed: readonly string[]) => void | Promise<void>,
): Promise<void> {
  const place = fc.record({ cut: fc.nat({ max: trace.operations.length }), seed: fc.nat() })
  await fc.assert(
    fc.asyncProperty(place, async ({ cut, seed }) => {
      using folder = temporaryFolder()
      mkdirSync(folder.path('disk'))
      await check(folder, cutPower(trace, cut, seed, folder.path('disk')))
    }),
    { numRuns: runs, endOnFailure: true },
  )
}

/** Throws when the store cannot be opened or is damaged. */
function readStore(directory: string) {
  const engine = new StoreEngine(directory, {
    open(files) {
      const database = openDatabase(files)
      // No power is cut here.
      database.exec('PRAGMA synchronous = OFF')
      return database
    },
  })
  const { position, actions, lastChange, lastOperation } = engine.recover(0)
  const query = { monitorId: null, order: 'asc', upTo: position, after: null, limit: position + 1 } as const
  const events = engine.readEvents(query).rows.length
  const page = engine.listResources({
    kind: 0,
    upToChange: lastChange,
    after: '',
    limit: 500,
    selector: null,
  })
  const pastPage = engine.listResources({ kind: 0, upToChange: 5, after: '', limit: 500, selector: null })
  engine.close()
  expect(verifyStore(dataDirectory(directory).database).problems).toEqual([])
  return { position, events, actions: actions.length, lastChange, lastOperation, page, pastPage }
}

type FoundStore = ReturnType<typeof readStore>

function expectAcknowledged(folder: TemporaryFolder, printed: readonly string[]): void {
  const acknowledged = Number(printed.at(-1) ?? 0)
  const found = readStore(folder.path('disk/new/data'))
  const { position, events, actions } = found
  expect(position).toBeGreaterThanOrEqual(acknowledged)
  // The batch that was being committed may be there, and then it is there whole.
  expect([0, eventsPerBatch]).toContain(position - acknowledged)
  expect(events).toBe(position)
  expect(actions * eventsPerBatch).toBe(position)
  expectResources(found, position / eventsPerBatch)
}

/** A batch creates a resource, and then deletes one of three batches ago or changes the one that is shared. */
function expectResources({ lastChange, lastOperation, page, pastPage }: FoundStore, batches: number): void {
  expect({ lastChange, lastOperation }).toEqual({ lastChange: 2 * batches, lastOperation: batches })
  expect(changesOf(page)).toEqual(changesAfter(batches))
  // As the list was when five changes were made.
  if (batches >= 3) expect(changesOf(pastPage)).toEqual([1, 3, 4, 5])
}

function changesOf(page: FoundStore['page']): number[] {
  if (page === 'expired') throw new Error('The past is not old enough to be forgotten.')
  return page.changes.toSorted((one, other) => one - other)
}

function changesAfter(batches: number): number[] {
  const made = new Map<string, number>()
  for (let round = 0; round < batches; round++) {
    made.set(`m-${round}`, 2 * round + 1)
    if (round % 3 === 0) made.delete(`m-${round - 3}`)
    else made.set('shared', 2 * round + 2)
  }
  return [...made.values()].sort((one, other) => one - other)
}

function expectBackup(folder: TemporaryFolder, printed: readonly string[]): void {
  const file = folder.path('disk/monday.db')
  // A file of that name is always whole, also before the command has said that it is there.
  if (printed.includes('backed up') || existsSync(file))
    expect(verifyStore(file)).toMatchObject({ problems: [], position: 6, events: 6 })
  if (!printed.includes('committed')) return
  const found = positionIn(folder.path('disk/data'))
  if (printed.includes('restored')) expect(found).toBe(6)
  else if (printed.includes('went on')) expect([9, 6, 'refused']).toContain(found)
  else expect([6, 9]).toContain(found)
  // The store that was replaced is still somewhere.
  if (printed.includes('went on') && found !== 9)
    expect(positionIn(asideIn(folder.path('disk/data')))).toBe(9)
}

function asideIn(directory: string): string {
  return join(directory, readdirSync(directory).find((name) => name.startsWith('replaced-'))!)
}

function positionIn(directory: string): number | 'refused' {
  try {
    return readStore(directory).position
  } catch (error) {
    if (error instanceof StoreError) return 'refused'
    throw error
  }
}

describeUnless(whyNoDiskTrace(), 'a power cut on a disk that loses what was not synced', () => {
  it('leaves every acknowledged batch in a store that opens', patience, async () => {
    using trace = await traceDisk({ program: commits })
    await cutAnywhere(trace, cuts, expectAcknowledged)
  })

  it(
    'leaves a backup that was announced, and never an empty store in the middle of a restore',
    patience,
    async () => {
      using trace = await traceDisk({ program: backsUpAndRestores })
      await cutAnywhere(trace, cuts, expectBackup)
    },
  )

  it.each(['OFF', 'NORMAL'])(
    'would take acknowledged batches with it with synchronous = %s',
    async (level) => {
      using trace = await traceDisk({ program: commits, arguments: [level] })
      await expect(cutAnywhere(trace, cuts, expectAcknowledged)).rejects.toThrow(/Property failed after/)
    },
  )
})
