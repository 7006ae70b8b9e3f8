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
import { verifyStore } from '../verify.ts'
import { openDatabase } from './database.ts'
import { StoreEngine } from './store-engine.ts'

/** More of them with POWER_CUTS=2000 before npm test. */
const cuts = Number(process.env['POWER_CUTS'] ?? 100)
const patience = { timeout: 60_000 + cuts * 200 }
const eventsPerBatch = 3

const moduleAt = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
const samplesModule = JSON.stringify(import.meta.resolve('@pulseward/testing/store'))

/** Commits, closes and opens again; says each position when it was acknowledged. */
const commits = `
  import { writeSync } from 'node:fs'
  import { join } from 'node:path'
  import { openDatabase } from ${moduleAt('database.ts')}
  import { batchRows } from ${moduleAt('rows.ts')}
  import { StoreEngine } from ${moduleAt('store-engine.ts')}
  import { action, batch, event, health, identity } from ${samplesModule}
  const [root, synchronous] = process.argv.slice(2)
  let round = 0
  for (const commits of [25, 1, 40]) {
    const engine = new StoreEngine(join(root, 'new/data'), (files) => {
      const database = openDatabase(files)
      // Often, so that cuts fall into the moving of commits to the database too.
      database.exec('PRAGMA wal_autocheckpoint = 50')
      if (synchronous !== undefined) database.exec('PRAGMA synchronous = ' + synchronous)
      return database
    })
    for (let commit = 0; commit < commits; commit++, round++) {
      const number = (round * 97) % 600
      const { position } = engine.commit(batchRows(batch({
        identities: [identity(number)],
        events: [event(number, { detail: { round } }), event(null), event(number)],
        actions: [action('action-' + round, number)],
        states: [{ numericId: number, health: health(round) }],
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
  import { backUp } from ${moduleAt('../backup.ts')}
  import { restore } from ${moduleAt('../restore.ts')}
  import { batchRows } from ${moduleAt('rows.ts')}
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
function readStore(directory: string): { position: number; events: number; actions: number } {
  const engine = new StoreEngine(directory, (files) => {
    const database = openDatabase(files)
    // No power is cut here.
    database.exec('PRAGMA synchronous = OFF')
    return database
  })
  const { position, actions } = engine.recover(0)
  const query = { monitorId: null, order: 'asc', upTo: position, after: null, limit: position + 1 } as const
  const events = engine.readEvents(query).rows.length
  engine.close()
  expect(verifyStore(dataDirectory(directory).database).problems).toEqual([])
  return { position, events, actions: actions.length }
}

function expectAcknowledged(folder: TemporaryFolder, printed: readonly string[]): void {
  const acknowledged = Number(printed.at(-1) ?? 0)
  const { position, events, actions } = readStore(folder.path('disk/new/data'))
  expect(position).toBeGreaterThanOrEqual(acknowledged)
  // The batch that was being committed may be there, and then it is there whole.
  expect([0, eventsPerBatch]).toContain(position - acknowledged)
  expect(events).toBe(position)
  expect(actions * eventsPerBatch).toBe(position)
}

function expectBackup(folder: TemporaryFolder, printed: readonly string[]): void {
  const file = folder.path('disk/monday.db')
  // A file of that name is always whole, also before the command has said that it is there.
  if (printed.includes('backed up') || existsSync(file))
    expect(verifyStore(file)).toEqual({ problems: [], position: 6, events: 6 })
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
