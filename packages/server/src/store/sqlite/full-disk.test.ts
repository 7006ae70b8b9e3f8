// A disk that is full, made with SQLite's own limit of pages: it fails as a write to a full disk does, and needs no
// right to mount one.
import type { DatabaseSync } from 'node:sqlite'
import { temporaryFolder } from '@pulseward/testing'
import { batch, event, identity, monitorIdOf, operation, resource } from '@pulseward/testing/store'
import { expect, it } from 'vitest'
import { GroupCommitter } from '../group-commit.ts'
import type { CommitBatch } from '../store.ts'
import { openDatabase } from './database.ts'
import { batchRows } from './record-tables.ts'
import { StoreEngine } from './store-engine.ts'

const large = (number: number) =>
  batch({
    identities: [identity(number)],
    events: [event(number, { detail: { words: 'x'.repeat(200_000) } })],
    resources: [resource('shop', number + 1, { labels: { number: String(number) } })],
    operations: [operation(number + 1)],
  })

function engineIn(directory: string) {
  let database!: DatabaseSync
  const engine = new StoreEngine(directory, {
    open(files) {
      database = openDatabase(files)
      return database
    },
  })
  const limitPages = (pages: number) => database.exec(`PRAGMA max_page_count = ${pages}`)
  const commit = async (given: CommitBatch) => ({
    ...engine.commit(batchRows(given, 1)),
    latencyMs: 0,
  })
  return { engine, limitPages, commit }
}

it('says that the disk is full, keeps nothing of the batch, and takes the same batch when there is space', async () => {
  using folder = temporaryFolder()
  const { engine, limitPages, commit } = engineIn(folder.path('data'))
  await commit(large(1))
  limitPages(1)
  for (const _attempt of [1, 2])
    await expect(commit(large(2))).rejects.toMatchObject({ problem: 'full', recovers: true })
  expect(engine.findMonitor(monitorIdOf(2))).toBe(null)
  expect(engine.recover(0)).toMatchObject({ position: 1, highestNumericId: 1, lastChange: 2 })
  expect(engine.readResources([{ kind: 0, id: 'shop' }]).changes).toEqual([2])
  expect(engine.readOperation(3)).toBeNull()
  expect(engine.usage()).toMatchObject({ resources: 1, pastResources: 0 })
  limitPages(10_000)
  expect(await commit(large(2))).toMatchObject({ position: 2 })
  expect(engine.findMonitor(monitorIdOf(2))).toBe(2)
  expect(engine.readResources([{ kind: 0, id: 'shop' }])).toMatchObject({
    changes: [3],
    labelSets: [2],
    labels: new Map([[2, '{"number":"2"}']]),
  })
  expect(engine.readOperation(3)).toMatchObject({ id: 3 })
  engine.close()
})

it('loses nothing of what waits for space, and keeps its order', async () => {
  using folder = temporaryFolder()
  const { engine, limitPages, commit } = engineIn(folder.path('data'))
  let recovered!: () => void
  const again = new Promise<void>((resolve) => {
    recovered = resolve
  })
  const problems: string[] = []
  using committer = new GroupCommitter({
    store: { commit },
    onTrouble: ({ problem }) => {
      problems.push(problem)
      limitPages(10_000)
    },
    onRecovered: recovered,
  })
  await committer.commit(large(0))
  limitPages(1)
  const waiting = [1, 2, 3, 4].map((number) => committer.commit(large(number)))
  await again
  expect((await Promise.all(waiting)).map(({ position }) => position)).toEqual([2, 3, 4, 5])
  expect(problems).toEqual(['full'])
  const { rows } = engine.readEvents({ monitorId: null, order: 'asc', upTo: 9, after: null, limit: 9 })
  expect(rows.map(({ body }) => JSON.parse(body).numericId)).toEqual([0, 1, 2, 3, 4])
  engine.close()
})
