// Staged items in a real PostgreSQL: another machine goes on with what was shared, and a process whose store was taken
// over changes nothing any more.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import {
  describeServer,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { StagingFolder } from '../sqlite/staging/staging-folder.ts'
import type { StagedItem, StagedOperation } from '../staging.ts'
import { PostgresStore } from './postgres-store.ts'

const now = () => 1_700_000_000_000
const head = { number: 7, store: 'this one', itemCount: 9_000, contentDigest: null, touchedAt: 1 }
const many = 4_500

function item(place: number): Omit<StagedItem, 'ordinal'> {
  return {
    ...{
      itemId: `item-${place}`,
      kind: 0,
      id: `monitor-${place}`,
      digest: null,
      source: 'a\u0000"\\',
      expected: '1.2',
    },
    ...{ name: null, labels: '{}', spec: `{"place":${place}}`, hasReferences: place % 2 },
    sealed: place % 3 === 0 ? Uint8Array.of(0, place % 256, 255) : null,
  }
}

const add = (staged: StagedOperation, from: number, to: number) =>
  staged.add(
    Array.from({ length: to - from }, (_, index) => item(from + index)),
    5,
    () => {},
    () => {},
  )

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let place: PostgresPlace
  let folder: TemporaryFolder
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => {
    place = postgresPlace(server)
    folder = temporaryFolder()
  })
  afterEach(() => {
    place[Symbol.dispose]()
    folder[Symbol.dispose]()
  })

  /** Each machine has a folder of its own. */
  const openOn = (machine: string) =>
    PostgresStore.open({
      ...{ address: place.address, passwordFile: null, now, beats: false },
      staging: folder.path(machine),
    })

  it('goes on elsewhere with the items and the plan that were shared', async () => {
    const first = await openOn('first')
    {
      using beside = first.openBeside()
      using staged = await beside.staging.create(head)
      add(staged, 0, many)
      await beside.staging.share(staged, false)
      add(staged, many, many + 10)
      staged.indexResources()
      staged.plan(
        Array.from({ length: many + 10 }, (_, ordinal) => ({
          ...{ rank: ordinal % 3, ordinal, seen: ordinal % 5 === 0 ? null : ordinal, outcome: 'created' },
        })),
      )
      await beside.staging.share(staged, true)
      add(staged, many + 10, many + 20)
      staged.touch(9)
    }
    await first[Symbol.asyncDispose]()

    await using second = await openOn('second')
    using beside = second.openBeside()
    expect(await beside.staging.numbers()).toEqual([7])
    using staged = (await beside.staging.open(7, 'this one'))!
    expect(staged.head).toEqual({ ...head, touchedAt: 5 })
    expect(staged.uploaded).toBe(many + 10)
    for (const one of [0, 1, 2, many - 1, many + 9])
      expect(staged.find(`item-${one}`)).toEqual({ ordinal: one, ...item(one) })
    expect(staged.ordinalOf(0, `monitor-${many}`)).toBe(many)
    const planned = staged.planned(0, 9_000)
    expect(planned).toHaveLength(many + 10)
    expect(planned[0]).toEqual({ ordinal: 0, ...item(0), rank: 0, seen: null, outcome: 'created' })
    expect(planned[1]).toMatchObject({ ordinal: 3, rank: 0, seen: 3 })
    expect(planned.at(-1)).toMatchObject({ rank: 2 })
    add(staged, many + 10, many + 11)
    await beside.staging.share(staged, false)
    expect(await place.run('SELECT count(*) AS items FROM staged_item')).toEqual([{ items: many + 11 }])
    await beside.staging.remove(7)
    for (const table of ['staged', 'staged_item', 'staged_plan'])
      expect(await place.run(`SELECT * FROM ${table}`)).toEqual([])
  })

  it('changes nothing for a process whose store was taken over', async () => {
    await using before = await openOn('before')
    using old = before.openBeside()
    using staged = await old.staging.create(head)
    add(staged, 0, 2)
    await old.staging.share(staged, false)
    await using after = await openOn('after')
    using present = after.openBeside()
    using taken = (await present.staging.open(7, 'this one'))!
    add(staged, 2, 3)
    const fenced = { problem: 'fenced' }
    await expect(old.staging.share(staged, false)).rejects.toMatchObject(fenced)
    await expect(old.staging.create(head)).rejects.toMatchObject(fenced)
    expect(await old.staging.open(7, 'this one').catch((error) => error)).toMatchObject(fenced)
    await old.staging.remove(7)
    expect(await place.run('SELECT ordinal FROM staged_item')).toEqual([{ ordinal: 0 }, { ordinal: 1 }])
    add(taken, 5, 6)
    await present.staging.share(taken, false)
    expect(taken.find('item-5')?.ordinal).toBe(2)
  })

  it('is written once if the answer was lost and it is sent again', async () => {
    await using store = await openOn('first')
    using beside = store.openBeside()
    using staged = await beside.staging.create(head)
    add(staged, 0, 3)
    await beside.staging.share(staged, false)
    await place.run(
      "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name LIKE 'pulseward %'",
    )
    add(staged, 3, 4)
    await beside.staging.share(staged, false)
    expect(await place.run('SELECT count(*) AS items FROM staged_item')).toEqual([{ items: 4 }])
  })

  it('takes over what an earlier version staged in files of this machine', async () => {
    await using store = await openOn('first')
    {
      const files = new StagingFolder(folder.path('first'))
      using staged = await files.create(head)
      add(staged, 0, 3)
    }
    using beside = store.openBeside()
    using staged = (await beside.staging.open(7, 'this one'))!
    expect(staged.uploaded).toBe(3)
    expect(await place.run('SELECT count(*) AS items FROM staged_item')).toEqual([{ items: 3 }])
    expect(await beside.staging.open(8, 'this one')).toBeNull()
  })
})
