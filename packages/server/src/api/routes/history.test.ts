// Pages of the history while events are committed, in both orders, over both kinds of store.

import { temporaryFolder } from '@pulseward/testing'
import { expectV1Answer, expectV1Problem, listeningApi } from '@pulseward/testing/api'
import { batch, event, identity, monitorIdOf } from '@pulseward/testing/store'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { MemoryStore } from '../../store/memory-store.ts'
import { backUp } from '../../store/sqlite/maintenance/backup.ts'
import { restore } from '../../store/sqlite/maintenance/restore.ts'
import { inThisThread } from '../../store/sqlite/same-thread.fixture.ts'
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { historyRoute } from './history.ts'

const stores: Record<string, () => Promise<Store>> = {
  memory: async () => new MemoryStore(() => Date.now()),
  sqlite: async () => {
    const folder = temporaryFolder()
    onTestFinished(() => folder[Symbol.dispose]())
    const directory = folder.path('data')
    return SqliteStore.open({ directory, now: () => Date.now(), startThread: inThisThread })
  },
}

type Page = Awaited<ReturnType<typeof expectV1Answer<'GetHistory'>>>

interface Log extends AsyncDisposable {
  readonly store: Store
  /** The monitor of each event; the first has position 1. */
  readonly committed: readonly number[]
  commit(...monitors: number[]): Promise<void>
  get(query: string): Promise<Response>
  page(query: string): Promise<Page>
  refusal(query: string): Promise<string>
}

async function historyOver(store: Store, committedBefore = 0): Promise<Log> {
  let position = committedBefore
  const committed: number[] = []
  const api = await listeningApi({
    routes: [historyRoute({ store, position: () => position, tellsReasons: false })],
  })
  const get = (query: string) => fetch(`${api.url}/api/v1/history?${query}`)
  return {
    store,
    get,
    committed,
    async commit(...monitors) {
      const identities = monitors.map((monitor) => identity(monitor))
      const events = monitors.map((monitor) => event(monitor))
      position = (await store.commit(batch({ identities, events }))).position
      committed.push(...monitors)
    },
    page: async (query) => expectV1Answer('GetHistory', 'candidate', await get(query)),
    refusal: async (query) => (await expectV1Problem('GetHistory', 'candidate', await get(query))).code,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const monitorNumber = fc.integer({ min: 1, max: 3 })

describe.each(Object.entries(stores))('history over a store in %s', (_, open) => {
  it('shows each event up to the first page once, in order, and none that came later', async () => {
    await using log = await historyOver(await open())
    // Known, so that no events of it are an empty list and not a 404.
    await log.store.commit(batch({ identities: [1, 2, 3].map((number) => identity(number)) }))
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          before: fc.array(monitorNumber, { maxLength: 30 }),
          meanwhile: fc.array(fc.array(monitorNumber, { maxLength: 4 }), { minLength: 1, maxLength: 5 }),
          limits: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
          order: fc.constantFrom('asc' as const, 'desc' as const),
          monitor: fc.option(monitorNumber),
        }),
        async ({ before, meanwhile, limits, order, monitor }) => {
          await log.commit(...before)
          const expected = log.committed.flatMap((number, index) =>
            monitor === null || number === monitor ? [index + 1] : [],
          )
          const list = `order=${order}${monitor === null ? '' : `&monitor_id=${monitorIdOf(monitor)}`}`
          const seen: number[] = []
          let cursor: string | null = null
          for (let turn = 0; turn === 0 || cursor !== null; turn++) {
            const limit = limits[turn % limits.length]!
            const page: Page = await log.page(
              `${list}&limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`,
            )
            expect(page.events.length).toBeLessThanOrEqual(limit)
            seen.push(...page.events.map(({ id }) => Number(id)))
            cursor = page.next_cursor
            await log.commit(...(meanwhile[turn % meanwhile.length] ?? []))
          }
          expect(seen).toEqual(order === 'asc' ? expected : expected.reverse())
        },
      ),
      { numRuns: 20 },
    )
  })

  it('refuses a cursor of another list and a garbled one', async () => {
    await using log = await historyOver(await open())
    await log.commit(1, 1, 1, 2, 2)
    const { next_cursor: cursor } = await log.page('limit=2')
    expect(cursor).not.toBeNull()
    expect((await log.page(`limit=1&cursor=${cursor}`)).events.map(({ id }) => id)).toEqual(['3'])
    for (const foreign of [
      `order=desc&cursor=${cursor}`,
      `monitor_id=${monitorIdOf(1)}&cursor=${cursor}`,
      'cursor=',
      'cursor=x',
      `cursor=${cursor}x`,
      `cursor=${cursor}%3D`,
      `cursor=%20${cursor}`,
      `cursor=${cursor!.slice(1)}`,
      `cursor=${cursor!.slice(0, -1)}`,
      `cursor=${'A'.repeat(5_000)}`,
    ])
      expect(await log.refusal(foreign)).toBe('invalid_cursor')
    expect(await log.refusal(`cursor=${cursor}&cursor=${cursor}`)).toBe('invalid_parameter')
  })

  it('refuses a cursor of another store, whether its log is longer or shorter', async () => {
    await using one = await historyOver(await open())
    await using other = await historyOver(await open())
    await one.commit(...Array<number>(50).fill(1))
    await other.commit(...Array<number>(10).fill(1))
    for (const [giver, taker] of [
      [one, other],
      [other, one],
    ] as const) {
      const { next_cursor: cursor } = await giver.page('limit=2')
      const answer = await taker.get(`limit=2&cursor=${cursor}`)
      expect(await expectV1Problem('GetHistory', 'candidate', answer)).toMatchObject({
        status: 400,
        code: 'invalid_cursor',
        detail: 'The cursor was given by another store; begin again without one.',
      })
    }
  })

  it('refuses a cursor of which any character was changed', async () => {
    await using log = await historyOver(await open())
    await log.commit(...Array<number>(50).fill(1))
    const cursor = (await log.page('limit=2')).next_cursor!
    for (let place = 0; place < cursor.length; place++)
      for (const other of ['A', 'z', '0', '_']) {
        if (cursor[place] === other) continue
        const changed = `${cursor.slice(0, place)}${other}${cursor.slice(place + 1)}`
        expect(await log.refusal(`cursor=${changed}`), changed).toBe('invalid_cursor')
      }
    // What is inside can be read, but not written without the key.
    const inside = Buffer.from(cursor, 'base64url').toString()
    const forged = Buffer.from(inside.replace('.1e.2.', '.1e.3.')).toString('base64url')
    expect(forged).not.toBe(cursor)
    expect(await log.refusal(`cursor=${forged}`)).toBe('invalid_cursor')
  })

  it('says when what comes next has been forgotten', async () => {
    await using log = await historyOver(await open())
    await log.commit(1, 1, 1, 1, 1, 1)
    const forward = (await log.page('limit=1')).next_cursor
    const backward = (await log.page('limit=2&order=desc')).next_cursor
    while ((await log.store.retain(Date.now(), 1)) > 0)
      if ((await log.page('limit=1')).events[0]?.id === '5') break
    expect(await log.refusal(`cursor=${forward}`)).toBe('cursor_expired')
    expect(await log.refusal(`order=desc&cursor=${backward}`)).toBe('cursor_expired')
    expect((await log.page('')).events.map(({ id }) => id)).toEqual(['5', '6'])
  })

  it('is 503 when it cannot be read, never an empty list', async () => {
    await using log = await historyOver(await open())
    await log.commit(1)
    await log.store[Symbol.asyncDispose]()
    expect(await log.refusal('')).toBe('history_unavailable')
    expect(await log.refusal(`monitor_id=${monitorIdOf(1)}`)).toBe('history_unavailable')
  })
})

describe('a cursor', () => {
  it('still leads on after a restart and after a restore from a backup, not in another store', async () => {
    using folder = temporaryFolder()
    const at = (name: string) => SqliteStore.open({ directory: folder.path(name), now: () => Date.now() })
    const first = await historyOver(await at('data'))
    await first.commit(1, 1, 1, 1, 1)
    const cursor = (await first.page('limit=2')).next_cursor
    await first[Symbol.asyncDispose]()
    expect((await backUp(folder.path('data'), folder.path('backup.db'), Date.now())).problems).toEqual([])
    const options = { file: folder.path('backup.db'), force: false, now: Date.now() }
    await restore({ ...options, directory: folder.path('restored') })
    for (const name of ['data', 'restored']) {
      await using again = await historyOver(await at(name), 5)
      expect((await again.page(`limit=2&cursor=${cursor}`)).events.map(({ id }) => id)).toEqual(['3', '4'])
    }
    await using other = await historyOver(await at('other'))
    await other.commit(...Array<number>(50).fill(1))
    expect(await other.refusal(`limit=2&cursor=${cursor}`)).toBe('invalid_cursor')
  })
})
