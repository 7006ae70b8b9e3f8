// The pool with real threads. A thread is made to crash from outside, by a message that no controller sends.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { definitionOf, loadFleetFiles } from '@pulseward/testing/fleet'
import { certificates, HttpTarget, TcpTarget } from '@pulseward/testing/targets'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { amendedRows, arrange } from '../../fleet/arrangement.ts'
import { Fleet } from '../../fleet/fleet.ts'
import { ProbePool, type ProbePoolOptions } from './probe-pool.ts'
import { outcomeStatuses, outcomeStatusMask, type ResultBatch } from './probe-protocol.ts'

/** Every thread that was started, in order: Node tells the process of each. */
const started: Worker[] = []
const noteWorker = (worker: Worker): void => void started.push(worker)
beforeEach(() => process.on('worker', noteWorker))
afterEach(() => {
  process.off('worker', noteWorker)
  started.length = 0
})

function crash(worker: Worker): Promise<void> {
  worker.postMessage({ kind: 'checks', rows: null, generations: null })
  return new Promise((resolve) => worker.once('exit', () => resolve()))
}

/** A pool and everything that it said, to be waited for. */
class PoolUnderTest implements AsyncDisposable {
  readonly pool: ProbePool
  readonly results = new Map<number, { status: string; generation: number }>()
  /** How many results came, those of one monitor each. */
  received = 0
  readonly lost: { rows: number[]; words: string }[] = []
  #look: () => void = () => {}

  constructor(threads: number, options: Partial<ProbePoolOptions> = {}) {
    this.pool = new ProbePool({
      ...options,
      threads,
      setup: { allowLinkLocal: false, resolvers: [] },
    })
    this.pool.tell({
      results: (batch) => this.#take(batch),
      lost: (rows, words) => {
        this.lost.push({ rows: [...rows], words })
        this.#look()
      },
    })
  }

  async load(targets: readonly { host: string; port: number; expect?: string }[]): Promise<void> {
    await this.loadChecks(
      targets.map(({ host, port, expect }) => ({ type: 'tcp', config: { host, port, expect } })),
    )
  }

  async loadChecks(checks: readonly { type: string; config: object }[]): Promise<void> {
    const monitors = checks.map((check, index) => ({
      id: `m${index}`,
      name: `m${index}`,
      check: { timeout: '30s', ...check },
    }))
    const { definition, credentials } = await loadFleetFiles({ 'fleet.json': JSON.stringify({ monitors }) })
    this.pool.setFleet(definition, credentials, checks.length)
  }

  run(rows: Iterable<number>, generation = 1): void {
    for (const row of rows) this.pool.offer(row, generation)
    this.pool.flush()
  }

  until(condition: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      this.#look = () => {
        if (condition()) resolve()
      }
      this.#look()
    })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.pool[Symbol.asyncDispose]()
  }

  #take(batch: ResultBatch): void {
    this.received += batch.rows.length
    batch.rows.forEach((row, position) => {
      const status = outcomeStatuses[batch.outcomes[position]! & outcomeStatusMask]!
      this.results.set(row, { status, generation: batch.generations[position]! })
    })
    this.#look()
  }
}

/** The program of a probe thread, and one message more. */
const hangingProgram = new URL('hanging-thread.fixture.ts', import.meta.url)

/** A thread takes a while to start on a busy machine. */
const patience = { interval: 10 }

const rowsUpTo = (count: number): number[] => Array.from({ length: count }, (_, row) => row)

describe('ProbePool', () => {
  it('runs checks in all of its threads and brings every result back', async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(2)
    await tested.load(rowsUpTo(50).map(() => target))
    tested.run(rowsUpTo(50), 7)
    await tested.until(() => tested.results.size === 50)
    expect(new Set([...tested.results.values()].map(({ status }) => status))).toEqual(new Set(['success']))
    expect(tested.results.get(49)!.generation).toBe(7)
    expect(started).toHaveLength(2)
  })

  it.each([0, 1])(
    'resumes the TLS session of the last check of a monitor, with %i threads',
    async (threads) => {
      await using target = await HttpTarget.start({ tls: { identity: certificates.good } })
      await using tested = new PoolUnderTest(threads)
      const config = { url: target.url(), tls: { ca: certificates.authority } }
      await tested.loadChecks([{ type: 'http', config }])
      for (let round = 1; round <= 3; round++) {
        tested.run([0], round)
        await tested.until(() => tested.received === round)
      }
      expect(target.handshakes).toEqual(['full', 'resumed', 'resumed'])
    },
  )

  it('runs the checks of monitors that were added and changed, with policies that came with them', async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(2)
    const fleet = new Fleet(['tcp'])
    const use = { isIdle: () => true, nowMs: 0 }
    const documentOf = (number: number, timeout: string, port: number) => ({
      id: `m${number}`,
      name: `m${number}`,
      check: { type: 'tcp', timeout, config: { host: target.host, port } },
    })
    fleet.apply(arrange(definitionOf([documentOf(0, '5s', 1)]), null))
    tested.pool.setFleet(fleet.definition, new Map(), fleet.rows)
    const amend = (entries: readonly ReturnType<typeof documentOf>[]) => {
      const arrangement = fleet.amend({ entries: definitionOf(entries), removed: [], head: null }, use)
      fleet.apply(arrangement)
      const rows = amendedRows(arrangement)
      tested.pool.amendFleet(fleet.definition, { rows, credentials: null, capacity: fleet.rows })
    }
    amend([documentOf(0, '5s', target.port)])
    amend(rowsUpTo(100).map((number) => documentOf(number + 1, `${4 + (number % 3)}s`, target.port)))
    amend([documentOf(7, '9s', target.port)])
    tested.run(rowsUpTo(101))
    await tested.until(() => tested.results.size === 101)
    expect(new Set([...tested.results.values()].map(({ status }) => status))).toEqual(new Set(['success']))
  })

  it('runs all checks of a driver whose checks share a pace in the first thread', async () => {
    await using registry = await TcpTarget.start({ behaviour: { kind: 'silent' } })
    await using tested = new PoolUnderTest(2)
    const server = `http://${registry.host}:${registry.port}/`
    const check = (name: string) => ({ type: 'domain', config: { name, server } })
    await tested.loadChecks(['a.test', 'b.test', 'c.test', 'd.test'].map(check))
    tested.run([0, 1, 2, 3])
    await expect.poll(() => registry.connectionsOpen, patience).toBe(4)
    await crash(started[0]!)
    await tested.until(() => tested.lost.length > 0)
    expect(tested.lost[0]!.rows).toEqual([0, 1, 2, 3])
  })

  it('knows how busy its threads have been since it was last asked', { tags: 'long' }, async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(1)
    await tested.load(rowsUpTo(2_000).map(() => target))
    await expect.poll(() => tested.pool.takeLoad(), patience).toBeGreaterThan(0)
    await expect.poll(() => tested.pool.takeLoad(), patience).toBeLessThan(0.1)
    tested.run(rowsUpTo(2_000))
    await tested.until(() => tested.results.size === 2_000)
    const load = tested.pool.takeLoad()
    expect(load).toBeGreaterThan(0.1)
    expect(load).toBeLessThanOrEqual(1)
  })

  it('tells what was lost with a thread that crashed, and only that', async () => {
    await using silent = await TcpTarget.start()
    await using tested = new PoolUnderTest(2)
    await tested.load(rowsUpTo(6).map(() => ({ host: silent.host, port: silent.port, expect: 'never' })))
    tested.run(rowsUpTo(6))
    await expect.poll(() => silent.connectionsOpen, patience).toBe(6)
    await crash(started[0]!)
    await tested.until(() => tested.lost.length > 0)
    expect(tested.lost).toEqual([
      { rows: [0, 2, 4], words: expect.stringMatching(/^the probe thread crashed: .+/) },
    ])
    expect(tested.results.size).toBe(0)
    await expect.poll(() => silent.connectionsOpen, patience).toBe(3)
  })

  it('replaces a thread that crashed, and keeps what comes meanwhile for the next one', async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(1)
    await tested.load([target, target])
    await crash(started[0]!)
    await tested.until(() => tested.lost.length === 1)
    tested.run([0], 3)
    await tested.load([target, target])
    tested.run([1], 4)
    await tested.until(() => tested.results.size === 2)
    expect([...tested.results.values()]).toEqual([
      { status: 'success', generation: 3 },
      { status: 'success', generation: 4 },
    ])
    expect(tested.lost).toHaveLength(1)
  })

  it('loses what waited for a thread that crashes again, and goes on', { tags: 'long' }, async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(1)
    await tested.load([target])
    await crash(started[0]!)
    await tested.until(() => tested.lost.length === 1)
    tested.pool.offer(0, 1)
    await expect.poll(() => started.length, patience).toBe(2)
    await started[1]!.terminate()
    await tested.until(() => tested.lost.length === 2)
    expect(tested.lost[1]!.words).toBe('the probe thread ended')
    await expect.poll(() => started.length, patience).toBe(3)
    tested.run([0], 9)
    await tested.until(() => tested.results.get(0)?.generation === 9)
  })

  it('replaces a thread that hangs, tells what was lost with it, and goes on', async () => {
    await using silent = await TcpTarget.start()
    await using target = await TcpTarget.start()
    const watch = { everyMs: 50, missedLooks: 20, missedAtStart: 1_000 }
    await using tested = new PoolUnderTest(1, { program: hangingProgram, watch })
    await tested.load([{ host: silent.host, port: silent.port, expect: 'never' }, target])
    tested.run([0])
    await expect.poll(() => silent.connectionsOpen, patience).toBe(1)
    started[0]!.postMessage({ kind: 'hang' })
    await tested.until(() => tested.lost.length > 0)
    expect(tested.lost[0]).toEqual({ rows: [0], words: 'the probe thread has not answered for 1 s' })
    tested.run([1], 5)
    await tested.until(() => tested.results.has(1))
    expect(tested.results.get(1)).toEqual({ status: 'success', generation: 5 })
    await silent.allClosed()
  })

  it('gives up no thread while this one stands still', { tags: 'long' }, async () => {
    await using target = await TcpTarget.start()
    const watch = { everyMs: 10, missedLooks: 40, missedAtStart: 10_000 }
    await using tested = new PoolUnderTest(1, { watch })
    await tested.load([target])
    tested.run([0])
    await tested.until(() => tested.results.size === 1)
    // Far longer than a thread may be silent.
    for (let stall = 0; stall < 4; stall++) {
      for (const untilMs = performance.now() + 500; performance.now() < untilMs; );
      await new Promise((resolve) => setImmediate(resolve))
    }
    tested.run([0], 2)
    await tested.until(() => tested.results.get(0)!.generation === 2)
    expect(tested.lost).toEqual([])
    expect(started).toHaveLength(1)
  })

  it('does not wake up a thread that has nothing to do', async () => {
    await using target = await TcpTarget.start()
    const watch = { everyMs: 5, missedLooks: 1_000, missedAtStart: 10_000 }
    await using tested = new PoolUnderTest(1, { watch })
    await tested.load([target])
    tested.run([0])
    await tested.until(() => tested.results.size === 1)
    let heard = 0
    started[0]!.on('message', () => heard++)
    let before = -1
    const isQuiet = () => {
      const wasQuiet = heard === before
      before = heard
      return wasQuiet
    }
    // What it was asked before is answered; after that, nothing is heard in time for twenty looks.
    await expect.poll(isQuiet, { ...patience, interval: 100 }).toBe(true)
    tested.run([0], 2)
    await tested.until(() => tested.results.get(0)!.generation === 2)
    expect(heard).toBeGreaterThan(before)
  })

  it('ends with its threads and says nothing more', async () => {
    await using silent = await TcpTarget.start()
    const tested = new PoolUnderTest(2)
    await tested.load([{ host: silent.host, port: silent.port, expect: 'never' }])
    tested.run([0])
    await expect.poll(() => silent.connectionsOpen, patience).toBe(1)
    await tested[Symbol.asyncDispose]()
    await silent.allClosed()
    expect(tested.lost).toEqual([])
    expect(started).toHaveLength(2)
  })
})

describe('ProbePool without threads', () => {
  it('runs checks here, and brings results in turns of their own', async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(0)
    await tested.load(rowsUpTo(600).map(() => target))
    tested.run(rowsUpTo(600), 7)
    expect(tested.received).toBe(0)
    await tested.until(() => tested.results.size === 600)
    expect(tested.results.get(599)).toEqual({ status: 'success', generation: 7 })
    expect(tested.pool.threads).toBe(0)
    expect(tested.pool.takeLoad()).toBe(0)
    expect(started).toEqual([])
  })

  it('brings no results while checks are handed over, even if all of them fail at once', async () => {
    await using tested = new PoolUnderTest(0)
    const monitors = rowsUpTo(600).map((index) => ({
      id: `m${index}`,
      name: 'm',
      check: { type: 'tcp', interval: '1h', config: { host: 'a', port: 1, send: { credential: 'GONE' } } },
    }))
    tested.pool.setFleet(definitionOf(monitors), new Map(), monitors.length)
    tested.run(rowsUpTo(600))
    expect(tested.received).toBe(0)
    await tested.until(() => tested.received === 600)
    expect(tested.results.get(0)!.status).toBe('no_data')
  })

  it.each([
    ['asks for more', [{ type: 'tcp', interval: '2ms', config: { host: 'a', port: 1 } }]],
    ['has a check that is built on a package', [{ type: 'ssh', interval: '60s', config: { host: 'a' } }]],
  ])('starts a thread when the fleet %s, and loses nothing on the way', async (_what, more) => {
    await using silent = await TcpTarget.start()
    await using tested = new PoolUnderTest(0)
    const config = { host: silent.host, port: silent.port, expect: 'never' }
    const first = { type: 'tcp', timeout: '30s', config }
    const fleetOf = (policies: readonly { type: string; config: object }[]) =>
      definitionOf(policies.map((check, index) => ({ id: `m${index}`, name: 'm', check })))
    tested.pool.setFleet(fleetOf([first, first]), new Map(), 2)
    tested.run([0])
    await expect.poll(() => silent.connectionsOpen, patience).toBe(1)
    tested.pool.setFleet(fleetOf([first, first, ...more]), new Map(), 3)
    expect(tested.pool.threads).toBe(1)
    tested.run([1])
    await expect.poll(() => silent.connectionsOpen, patience).toBe(2)
    expect(started).toHaveLength(1)
    silent.dropAll()
    await tested.until(() => tested.results.size === 2)
  })

  it('ends what is in flight with it and says nothing more', async () => {
    await using silent = await TcpTarget.start()
    const tested = new PoolUnderTest(0)
    await tested.load([{ host: silent.host, port: silent.port, expect: 'never' }])
    tested.run([0])
    await expect.poll(() => silent.connectionsOpen, patience).toBe(1)
    await tested[Symbol.asyncDispose]()
    await silent.allClosed()
    await sleep(100)
    expect(tested.received).toBe(0)
  })
})

describe('ProbePool, while its threads become more or fewer', () => {
  const allRows = rowsUpTo(40)

  /** Targets that answer when they are told to, so that checks stay in flight. */
  async function poolWithSilentTarget(threads: number, options: Partial<ProbePoolOptions> = {}) {
    const silent = await TcpTarget.start()
    const tested = new PoolUnderTest(threads, options)
    await tested.load(allRows.map(() => ({ host: silent.host, port: silent.port, expect: 'never' })))
    return { silent, tested }
  }

  it('gives checks to a new thread when it has answered, and to the old ones until then', async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(1)
    await tested.load(allRows.map(() => target))
    tested.pool.resize(2)
    expect(tested.pool.threads).toBe(1)
    tested.run(allRows)
    await tested.until(() => tested.results.size === allRows.length)
    await expect.poll(() => tested.pool.threads, patience).toBe(2)
    let ofNewThread = 0
    started[1]!.on('message', ({ rows }: { rows?: Uint32Array }) => {
      ofNewThread += rows?.length ?? 0
    })
    tested.run(allRows, 2)
    await tested.until(() => allRows.every((row) => tested.results.get(row)!.generation === 2))
    expect(ofNewThread).toBe(allRows.length / 2)
    expect(tested.received).toBe(2 * allRows.length)
  })

  it('lets a thread that leaves finish what it has, and ends it then', { tags: 'long' }, async () => {
    const { silent, tested } = await poolWithSilentTarget(2)
    await using _target = silent
    await using _pool = tested
    tested.run(allRows)
    await expect.poll(() => silent.connectionsOpen, patience).toBe(allRows.length)
    const ended = new Promise<void>((resolve) => started[1]!.once('exit', () => resolve()))
    tested.pool.resize(1)
    silent.dropAll()
    await tested.until(() => tested.results.size === allRows.length)
    await ended
    tested.run(allRows, 2)
    await expect.poll(() => silent.connectionsOpen, patience).toBe(allRows.length)
    silent.dropAll()
    await tested.until(() => allRows.every((row) => tested.results.get(row)!.generation === 2))
    expect([tested.received, tested.lost, started.length]).toEqual([2 * allRows.length, [], 2])
  })

  it('takes back a thread that has not left yet', { tags: 'long' }, async () => {
    const { silent, tested } = await poolWithSilentTarget(2)
    await using _target = silent
    await using _pool = tested
    tested.run(allRows)
    await expect.poll(() => silent.connectionsOpen, patience).toBe(allRows.length)
    tested.pool.resize(1)
    tested.pool.resize(2)
    expect(tested.pool.threads).toBe(2)
    silent.dropAll()
    await tested.until(() => tested.results.size === allRows.length)
    expect(started).toHaveLength(2)
  })

  it('tells what was lost with a thread that crashes while it leaves, once, and does not replace it', {
    tags: 'long',
  }, async () => {
    const { silent, tested } = await poolWithSilentTarget(2)
    await using _target = silent
    await using _pool = tested
    tested.run(allRows)
    await expect.poll(() => silent.connectionsOpen, patience).toBe(allRows.length)
    tested.pool.resize(1)
    await crash(started[1]!)
    await tested.until(() => tested.lost.length > 0)
    const odd = allRows.filter((row) => row % 2 === 1)
    expect(tested.lost.map(({ rows }) => rows)).toEqual([odd])
    await expect.poll(() => silent.connectionsOpen, patience).toBe(allRows.length / 2)
    // The next checks of its monitors run where all run now.
    tested.run(odd, 2)
    await expect.poll(() => silent.connectionsOpen, patience).toBe(allRows.length)
    silent.dropAll()
    await tested.until(() => tested.results.size === allRows.length)
    expect([tested.received, tested.lost.length, started.length]).toEqual([allRows.length, 1, 2])
  })

  it('gives up a thread that hangs while it leaves', { tags: 'long' }, async () => {
    const watch = { everyMs: 50, missedLooks: 20, missedAtStart: 1_000 }
    const { silent, tested } = await poolWithSilentTarget(2, { program: hangingProgram, watch })
    await using _target = silent
    await using _pool = tested
    tested.run(allRows)
    await expect.poll(() => silent.connectionsOpen, patience).toBe(allRows.length)
    tested.pool.resize(1)
    started[1]!.postMessage({ kind: 'hang' })
    await tested.until(() => tested.lost.length > 0)
    expect(tested.lost).toEqual([
      { rows: allRows.filter((row) => row % 2 === 1), words: 'the probe thread has not answered for 1 s' },
    ])
    silent.dropAll()
    await tested.until(() => tested.results.size === allRows.length / 2)
    expect(started).toHaveLength(2)
  })

  it('starts a thread again that crashes before it has got a check, and loses none', {
    tags: 'long',
  }, async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(1)
    await tested.load(allRows.map(() => target))
    tested.pool.resize(2)
    await expect.poll(() => started.length, patience).toBe(2)
    await started[1]!.terminate()
    tested.run(allRows)
    await tested.until(() => tested.results.size === allRows.length)
    await expect.poll(() => tested.pool.threads, patience).toBe(2)
    tested.run(allRows, 2)
    await tested.until(() => allRows.every((row) => tested.results.get(row)!.generation === 2))
    expect(tested.lost.flatMap(({ rows }) => rows)).toEqual([])
    expect(started).toHaveLength(3)
  })

  it('keeps the checks of a thread that crashed when it is wanted no more before it is back', {
    tags: 'long',
  }, async () => {
    await using target = await TcpTarget.start()
    await using tested = new PoolUnderTest(2)
    await tested.load(allRows.map(() => target))
    await crash(started[1]!)
    await tested.until(() => tested.lost.length === 1)
    // Half of these wait for the successor.
    tested.run(allRows)
    tested.pool.resize(1)
    await tested.until(() => tested.results.size === allRows.length)
    tested.run(allRows, 2)
    await tested.until(() => allRows.every((row) => tested.results.get(row)!.generation === 2))
    expect(tested.received).toBe(2 * allRows.length)
  })
})
