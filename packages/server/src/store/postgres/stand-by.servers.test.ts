// Processes that share a store: who has it, who waits, and what is needed to take it over. Each rule is shown again with
// a defect planted in it, which must be noticed.
import {
  describeServer,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  SeveredProxy,
  startPostgresql,
} from '@pulseward/testing/servers'
import { batch, event } from '@pulseward/testing/store'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import type { ProcessCard, Standing, StandingView } from '../standing.ts'
import type { CommitLineRules } from './commit-line.ts'
import { PostgresConnection } from './connection.ts'
import { PostgresStore } from './postgres-store.ts'

interface TestedProcess extends Standing {
  readonly views: StandingView[]
  /** Resolves when it stands by. */
  readonly waiting: Promise<void>
  files: string
  stop(): void
}

function processCalled(name: string, { files = 'f', acceptsFiles = false } = {}): TestedProcess {
  const views: StandingView[] = []
  const stopping = new AbortController()
  const waiting = Promise.withResolvers<void>()
  const tested: TestedProcess = {
    views,
    files,
    waiting: waiting.promise,
    waits: true,
    acceptsFiles,
    stopped: stopping.signal,
    card: (): ProcessCard => ({ name, url: `http://${name}`, place: name, files: tested.files }),
    looked(view) {
      views.push(view)
      waiting.resolve()
    },
    stop: () => stopping.abort(new Error('stopped')),
  }
  return tested
}

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let place: PostgresPlace
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => {
    place = postgresPlace(server)
  })
  afterEach(() => place[Symbol.dispose]())

  const open = (
    standing: Standing,
    {
      beats = true,
      proves,
      by = place,
    }: { beats?: boolean; by?: PostgresPlace } & Partial<CommitLineRules> = {},
  ) =>
    PostgresStore.open({
      address: by.address,
      staging: by.staging,
      passwordFile: null,
      now: Date.now,
      standing,
      beats,
      proves,
    })
  const one = () => batch({ events: [event(null)] })

  it('stands by while another one commits, and takes over at once when that one has ended', async () => {
    const first = await open(processCalled('a'))
    await first.commit(one())
    const second = processCalled('b')
    const opening = open(second)
    await second.waiting
    expect(second.views[0]).toMatchObject({ active: { name: 'a', url: 'http://a' }, hasSameFiles: true })
    await expect
      .poll(() => first.sharing?.processes(), { timeout: 60_000 })
      .toEqual([
        { name: 'a', url: 'http://a', role: 'active', hasSameFiles: true },
        { name: 'b', url: 'http://b', role: 'standby', hasSameFiles: true },
      ])
    const began = performance.now()
    await first[Symbol.asyncDispose]()
    await using taken = await opening
    expect(performance.now() - began).toBeLessThan(4_000)
    expect((await taken.recover(0)).position).toBe(1)
    await expect.poll(() => taken.sharing?.takeovers(), { timeout: 60_000 }).toBe(0)
  })

  it('takes over from one that fell silent, counts that, and fences it', async () => {
    await using silent = await open(processCalled('a'), { beats: false })
    await silent.commit(one())
    await using taken = await open(processCalled('b'))
    await expect(silent.commit(one())).rejects.toMatchObject({ problem: 'fenced' })
    expect((await taken.recover(0)).position).toBe(1)
    await expect.poll(() => taken.sharing?.takeovers(), { timeout: 60_000 }).toBe(1)
  })

  it('lets one of two take over, and the other one go on standing by', async () => {
    const silent = await open(processCalled('a'), { beats: false })
    const both = [processCalled('b'), processCalled('c')]
    const opening = both.map((standing) => open(standing).then((store) => ({ standing, store })))
    const first = await Promise.race(opening)
    const other = both.find((standing) => standing !== first.standing)!
    const before = other.views.length
    await expect.poll(() => other.views.length, { timeout: 60_000 }).toBeGreaterThan(before + 4)
    other.stop()
    const ends = await Promise.allSettled(opening)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    await first.store[Symbol.asyncDispose]()
    await silent[Symbol.asyncDispose]()
  })

  it('does not take over from an active process with other files, unless told so', async () => {
    const silent = await open(processCalled('a'), { beats: false })
    await expect
      .poll(() => place.run('SELECT files FROM process'), { timeout: 60_000 })
      .toEqual([{ files: 'f' }])
    const other = processCalled('b', { files: 'g' })
    const opening = open(other)
    await other.waiting
    await expect.poll(() => other.views.at(-1)?.batchAgeMs, { timeout: 60_000 }).toBeGreaterThan(6_000)
    expect(other.views.at(-1)).toMatchObject({ hasSameFiles: false })
    // Its files were changed alike.
    other.files = 'f'
    const taken = await opening
    await taken[Symbol.asyncDispose]()
    await silent[Symbol.asyncDispose]()
    await using last = await open(processCalled('c', { files: 'h', acceptsFiles: true }))
    await last.commit(one())
  })

  it('lets a process that is started again on the same machine bring other files', async () => {
    const killed = await open(processCalled('a'), { beats: false })
    await expect.poll(() => place.run('SELECT run FROM process'), { timeout: 60_000 }).toHaveLength(1)
    await using again = await open(processCalled('a', { files: 'g' }))
    await again.commit(one())
    await killed[Symbol.asyncDispose]()
  })

  it('ends the session that keeps the row of a silent process locked', async () => {
    await using silent = await open(processCalled('a'), { beats: false })
    const stuck = await PostgresConnection.open({
      address: place.address,
      passwordFile: null,
      name: `pulseward ${silent.run}`,
      writes: true,
    })
    await stuck.query('BEGIN')
    await stuck.query('UPDATE run SET batch = batch + 1 WHERE run = $1', [silent.run])
    await using taken = await open(processCalled('b'))
    await taken.commit(one())
    expect(stuck.isLost).toBe(true)
  })

  it('goes on standing by over a loss of the database, and says so', async () => {
    await using proxy = await SeveredProxy.before(server.port)
    await using active = await open(processCalled('a'))
    const { schema } = place.address
    const cut: PostgresPlace = {
      ...place,
      address: { ...place.address, hosts: [{ host: '127.0.0.1', port: proxy.port }], schema },
    }
    const standing = processCalled('b')
    const opening = open(standing, { by: cut })
    opening.catch(() => {})
    await standing.waiting
    proxy.silent = true
    await expect.poll(() => standing.views.at(-1)?.trouble?.problem, { timeout: 60_000 }).toBe('io')
    proxy.silent = false
    await expect.poll(() => standing.views.at(-1)?.trouble, { timeout: 60_000 }).toBeNull()
    expect(active.liveness.holds()).toBe(true)
    standing.stop()
    await expect(opening).rejects.toThrow('stopped')
  })

  it('no longer holds the store when its last commit was sent too long ago', async () => {
    await using silent = await open(processCalled('a'), { beats: false })
    await silent.commit(one())
    expect(silent.liveness.holds()).toBe(true)
    await expect.poll(() => silent.liveness.holds(), { timeout: 60_000 }).toBe(false)
    await silent.commit(one())
    expect(silent.liveness.holds()).toBe(true)
  })

  it('does not forget a commit in doubt for a sign of life that waited behind it', async () => {
    await using proxy = await SeveredProxy.before(server.port)
    const address = { ...place.address, hosts: [{ host: '127.0.0.1', port: proxy.port }] }
    await using store = await open(processCalled('a'), { by: { ...place, address } })
    const marked = batch({ events: [event(null, { kind: 'marked' })] })
    const count = async () =>
      (await place.run<{ count: number }>('SELECT count(*) AS count FROM event'))[0]!.count
    await store.commit(batch({}))
    proxy.silence('answers')
    const committing = store.commit(marked)
    committing.catch(() => {})
    await expect.poll(count, { timeout: 60_000 }).toBe(1)
    // Longer than a process that lives is silent, so that a sign of life waits for its turn.
    await expect.poll(() => store.liveness.holds(), { timeout: 60_000 }).toBe(false)
    proxy.cutAll()
    proxy.silence('answers', false)
    await expect(committing).rejects.toMatchObject({ inDoubt: true })
    await store.commit(marked)
    expect(await count()).toBe(1)
  })

  /** How many stale commits a silent process gets in after another one has taken over. */
  const staleCommits = async (plant: (commit: string) => string) => {
    const silent = await open(processCalled('a'), { beats: false })
    await silent.commit(one())
    const taken = await open(processCalled('b'))
    const [found] = await place.run<{ body: string }>(
      `SELECT pg_get_functiondef('${place.address.schema}.commit_batch'::regproc) AS body`,
    )
    const planted = plant(found!.body)
    await place.run(planted)
    await taken.commit(one())
    const stale = await silent.commit(one()).then(
      () => 1,
      () => 0,
    )
    await taken[Symbol.asyncDispose]()
    await silent[Symbol.asyncDispose]()
    return stale
  }
  const fence = 'WHERE run = p_run AND batch = p_batch - 1 AND fenced_by IS NULL'
  const replaced = (by: string) => (commit: string) => {
    expect(commit).toContain(fence)
    return commit.replace(fence, by)
  }

  it.each([
    ['as it is', fence, 0],
    ['without a fence', 'WHERE run = p_run', 1],
    [
      'with a fence compared with itself',
      'WHERE run = p_run AND fenced_by IS NOT DISTINCT FROM fenced_by',
      1,
    ],
    ['renewed by the name of the holder', 'WHERE run = (SELECT run FROM head) AND fenced_by IS NULL', 1],
  ])('shows whether the fence stops a stale commit: %s', async (_name, planted, stale) => {
    expect(await staleCommits(replaced(planted))).toBe(stale)
  })

  /** How many batches a commit needs whose answer was lost, although it was carried out. */
  const batchesAfterLostAnswer = async (proves?: CommitLineRules['proves']) => {
    await using proxy = await SeveredProxy.before(server.port)
    const address = { ...place.address, hosts: [{ host: '127.0.0.1', port: proxy.port }] }
    // Alone on its way: it tells nobody about itself.
    await using store = await PostgresStore.open({
      address,
      staging: place.staging,
      passwordFile: null,
      now: Date.now,
      beats: false,
      proves,
    })
    proxy.loseNextAnswer()
    await expect(store.commit(one())).rejects.toMatchObject({ inDoubt: true })
    await store.commit(one())
    const [{ batch: last }] = (await place.run<{ batch: number }>('SELECT max(batch) AS batch FROM run')) as [
      { batch: number },
    ]
    return last
  }

  it.each([
    ['as it is', undefined, 2],
    ['with effects of a batch that was there already', () => true, 1],
    ['with a confirmation by what can be read', ({ outcome }: { outcome: string }) => outcome === 'there', 1],
  ] as const)('has a further batch acknowledged before effects begin: %s', async (_name, proves, batches) => {
    expect(await batchesAfterLostAnswer(proves)).toBe(batches)
  })
})
