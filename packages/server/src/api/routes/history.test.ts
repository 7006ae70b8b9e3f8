// Pages of the history while events are committed, in both orders, over both kinds of store.
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { expectV1Answer, expectV1Problem } from '../../../../testing/src/api-answers.ts'
import { listeningApi } from '../../../../testing/src/api-listener.ts'
import { batch, event, identity, monitorIdOf } from '../../../../testing/src/store-contract/samples.ts'
import { temporaryFolder } from '../../../../testing/src/temporary-folder.ts'
import { MemoryStore } from '../../store/memory-store.ts'
import { SqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { historyRoute } from './history.ts'

const stores: Record<string, () => Promise<Store>> = {
  memory: async () => new MemoryStore(() => Date.now()),
  sqlite: async () => {
    const folder = temporaryFolder()
    onTestFinished(() => folder[Symbol.dispose]())
    return SqliteStore.open({ directory: folder.path('data'), now: () => Date.now() })
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

async function historyOver(store: Store): Promise<Log> {
  let position = 0
  const committed: number[] = []
  const api = await listeningApi({ routes: [historyRoute({ store, position: () => position })] })
  const get = (query: string) => fetch(`${api.url}/api/v1/history?${query}`)
  return {
    ...{ store, get, committed },
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

  it('refuses a cursor of another list, a garbled one and one of another log', async () => {
    await using log = await historyOver(await open())
    await log.commit(1, 1, 1, 2, 2)
    const { next_cursor: cursor } = await log.page('limit=2')
    expect(cursor).not.toBeNull()
    expect((await log.page(`limit=1&cursor=${cursor}`)).events.map(({ id }) => id)).toEqual(['3'])
    for (const foreign of [
      ...[`order=desc&cursor=${cursor}`, `monitor_id=${monitorIdOf(1)}&cursor=${cursor}`],
      ...['cursor=', 'cursor=x', `cursor=${cursor}x`, `cursor=${cursor}%3D`, `cursor=%20${cursor}`],
      ...[`cursor=${cursor!.slice(1)}`, `cursor=${cursor!.slice(0, -1)}`, `cursor=${'A'.repeat(5_000)}`],
    ])
      expect(await log.refusal(foreign)).toBe('invalid_cursor')
    expect(await log.refusal(`cursor=${cursor}&cursor=${cursor}`)).toBe('invalid_parameter')
    await using longer = await historyOver(await open())
    await longer.commit(...Array<number>(50).fill(1))
    const { next_cursor: later } = await longer.page('limit=20')
    expect(await log.refusal(`cursor=${later}`)).toBe('invalid_cursor')
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
