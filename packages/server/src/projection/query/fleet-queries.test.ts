// Queries through the real thread. The test makes it crash by a message that production code never sends.
import type { Worker } from 'node:worker_threads'
import { definitionOf } from '@pulseward/testing/fleet'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DefinitionBuilder } from '../../config/fleet-file/definition-builder.ts'
import { amendedRows, arrange } from '../../fleet/arrangement.ts'
import { statusNumber } from '../../fleet/columns.ts'
import { Fleet } from '../../fleet/fleet.ts'
import { systemClock } from '../../platform/clock.ts'
import { FleetQueries, type FleetQueriesOptions } from './fleet-queries.ts'
import type { PackedMap } from './query.ts'
import type { QueryAnswer } from './query-runner.ts'

const started: Worker[] = []
const noteWorker = (worker: Worker): void => void started.push(worker)
beforeEach(() => process.on('worker', noteWorker))
afterEach(() => {
  process.off('worker', noteWorker)
  started.length = 0
})

function load(fleet: Fleet, names: readonly string[]): void {
  const documents = names.map((name) => ({
    id: name,
    name,
    tags: [name[0]!],
    check: { type: 'tcp', config: {} },
  }))
  fleet.apply(arrange(definitionOf(documents), fleet.loaded ? fleet : null))
  for (let row = 0; row < fleet.rows; row++) fleet.columns.numericId[row] = row + 1
}

function queriesOver(names: readonly string[], options: Partial<FleetQueriesOptions> = {}) {
  const fleet = new Fleet(['tcp'])
  load(fleet, names)
  const lost: string[] = []
  const queries = new FleetQueries({
    types: fleet.types,
    onThreadLost: (words) => void lost.push(words),
    clock: systemClock,
    ...options,
  })
  queries.fleetChanged(fleet)
  const found = async (q = '', size = 50) => {
    const answer = await queries.find({ q }, 1, size)
    return answer.kind === 'answered' ? [...answer.value.rows].map((row) => fleet.nameOf(row)) : answer.kind
  }
  return { fleet, queries, lost, found }
}

const bytesOf = (answer: QueryAnswer<PackedMap>) =>
  answer.kind === 'answered' ? [answer.value.etag, ...answer.value.bytes] : answer.kind

async function crash(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  worker.postMessage({ call: -1, method: 'answer', given: [null] })
  await ended
}

const nextWorker = () => new Promise<Worker>((resolve) => process.once('worker', resolve))

/** A thread takes a while to start on a busy machine. */
const patience = { interval: 10 }

describe('a change of single monitors', () => {
  function amend(fleet: Fleet, names: readonly string[], removed: readonly string[] = []): Uint32Array {
    const documents = names.map((name) => ({ id: name, name, check: { type: 'tcp', config: {} } }))
    const change = { entries: definitionOf(documents), removed, head: null }
    const arrangement = fleet.amend(change, { isIdle: () => true, nowMs: 0 })
    fleet.apply(arrangement)
    for (const row of arrangement.added) fleet.columns.numericId[row] = row + 1
    return amendedRows(arrangement)
  }

  it.each([1, 1_000])('is found at once (a thread from %i monitors)', async (threadFrom) => {
    const { fleet, queries, found } = queriesOver(['b', 'd'], { threadFrom })
    await using _ = queries
    await found()
    const { generation } = queries
    queries.fleetAmended(fleet, amend(fleet, ['a', 'c'], ['d']))
    await expect.poll(() => found()).toEqual(['a', 'b', 'c'])
    expect(await found('c')).toEqual(['c'])
    expect(await found('d')).toEqual([])
    expect(queries.generation).toBe(generation)
  })

  it('brings a thread when the fleet has outgrown this one, and loses nothing', async () => {
    const { fleet, queries, found } = queriesOver(['b'], { threadFrom: 60 })
    await using _ = queries
    expect(queries.threads).toBe(0)
    queries.fleetAmended(fleet, amend(fleet, ['a']))
    await expect.poll(() => found()).toEqual(['a', 'b'])
    expect(queries.threads).toBe(1)
  })

  it('is told together with others that come at the same time, and before the next search', async () => {
    const started = nextWorker()
    const { fleet, queries, found } = queriesOver(['b'], { threadFrom: 1 })
    await using _ = queries
    await found('b')
    const told = vi.spyOn(await started, 'postMessage')
    const views = () => told.mock.calls.filter(([message]) => message.kind === 'view').length
    for (const name of ['e', 'd', 'c', 'a']) queries.fleetAmended(fleet, amend(fleet, [name]))
    expect(views()).toBeLessThan(2)
    expect(await found('c')).toEqual(['c'])
    expect(views()).toBeLessThan(3)
    await expect.poll(() => found()).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  it('is told without a search after a moment', async () => {
    const { fleet, queries, found } = queriesOver(['b'], { threadFrom: 1 })
    await using _ = queries
    await found('b')
    for (const name of ['d', 'c']) queries.fleetAmended(fleet, amend(fleet, [name]))
    const pageOfAll = async () => {
      const answer = await queries.find({}, 1, 10)
      return answer.kind === 'answered' ? answer.value.rows.length : 0
    }
    await expect.poll(pageOfAll).toBe(3)
  })

  it('is there after the thread was replaced', async () => {
    const worker = nextWorker()
    const { fleet, queries, found } = queriesOver(['b'], { threadFrom: 1 })
    await using _ = queries
    queries.fleetAmended(fleet, amend(fleet, ['zz', 'a']))
    await expect.poll(() => found()).toEqual(['a', 'b', 'zz'])
    await crash(await worker)
    await expect.poll(() => found('z')).toEqual(['zz'])
    queries.fleetAmended(fleet, amend(fleet, ['aa']))
    await expect.poll(() => found('a')).toEqual(['a', 'aa'])
  })
})

describe('a part of a name', () => {
  it.each([1, 1_000])(
    'is found wherever it stands, in any case (a thread from %i monitors)',
    async (threadFrom) => {
      const { found, queries } = queriesOver(['ΣΊΣΥΦΟΣ', 'σίσυφος 2', 'Straße', 'sisyphos'], { threadFrom })
      await using _ = queries
      for (const part of ['ΣΊΣ', 'σίς', 'ΦΟΣ', 'φος', 'υφοσ'])
        expect((await found(part)).toString(), part).toBe('ΣΊΣΥΦΟΣ,σίσυφος 2')
      expect(await found('STRASSE')).toEqual([])
    },
  )
})

describe('queries in a thread of their own', () => {
  it('answer as queries in this thread do', async () => {
    const names = Array.from(
      { length: 300 },
      (_, number) => `${'ab\u{1F600}'[number % 2]}-${(number * 7) % 300}`,
    )
    const inline = queriesOver(names, { threadFrom: 1_000 }).queries
    await using queries = queriesOver(names, { threadFrom: 1 }).queries
    for (const words of [{}, { q: 'A-1' }, { type: 'tcp', q: '9' }, { status: 'nobody' }]) {
      expect(await queries.find(words, 2, 10)).toEqual(await inline.find(words, 2, 10))
      expect(bytesOf(await queries.map(words))).toEqual(bytesOf(await inline.map(words)))
    }
    expect(await queries.incidents(1, 5)).toEqual(await inline.incidents(1, 5))
    expect(started).toHaveLength(1)
  })

  it('begin with the first large fleet', async () => {
    const { queries, fleet, found } = queriesOver(['one'], { threadFrom: 3 })
    await using _ = queries
    expect(await found()).toEqual(['one'])
    expect(started).toHaveLength(0)
    load(fleet, ['one', 'three', 'two'])
    queries.fleetChanged(fleet)
    expect(await found()).toEqual(['one', 'three', 'two'])
    expect(started).toHaveLength(1)
  })

  it('see the columns in place', async () => {
    const { queries, fleet } = queriesOver(['a', 'b'], { threadFrom: 1 })
    await using _ = queries
    await queries.find({}, 1, 1)
    fleet.setStatus(1, statusNumber.incident)
    fleet.columns.openedAt[1] = 1_000
    expect(await queries.find({ status: 'incident' }, 1, 9)).toMatchObject({
      value: { rows: Uint32Array.of(1) },
    })
    expect(await queries.incidents(1, 9)).toMatchObject({ value: { total: 1, rows: Uint32Array.of(1) } })
  })

  it('give rows of the fleet that is in force when they answer, also when it was replaced meanwhile', async () => {
    const { queries, fleet, found } = queriesOver(['a1', 'b', 'c'], { threadFrom: 1 })
    await using _ = queries
    const asked = queries.find({ q: 'a' }, 1, 9)
    load(fleet, ['b', 'c'])
    queries.fleetChanged(fleet)
    load(fleet, ['b', 'c', 'a2'])
    queries.fleetChanged(fleet)
    const answer = await asked
    expect(answer).toMatchObject({ kind: 'answered', value: { total: 1, generation: queries.generation } })
    expect(await found('a')).toEqual(['a2'])
  })

  it('are unavailable rather than wrong when fleets are replaced faster than queries are answered', async () => {
    const { queries, fleet } = queriesOver(['a'], { threadFrom: 1 })
    await using _ = queries
    await queries.find({}, 1, 1)
    const [worker] = started
    const asked = queries.find({ q: 'a' }, 1, 1)
    // Before the queries themselves hear of an answer, the fleet is another one.
    worker!.prependListener('message', () => queries.fleetChanged(fleet))
    expect(await asked).toEqual({ kind: 'unavailable', reason: 'the fleet is being replaced' })
  })

  it('are refused as busy beyond the limit, and taken again afterwards', async () => {
    const { queries, found } = queriesOver(['a'], { threadFrom: 1, waitingLimit: 2 })
    await using _ = queries
    const answers = await Promise.all([1, 2, 3].map(() => queries.find({}, 1, 1)))
    expect(answers.map(({ kind }) => kind)).toEqual(['answered', 'answered', 'busy'])
    expect(await found()).toEqual(['a'])
  })

  it('are answered as unavailable when the thread crashes, and by its successor after that', async () => {
    const { queries, found, lost } = queriesOver(['a1', 'a2'], { threadFrom: 1 })
    await using _ = queries
    await queries.find({}, 1, 1)
    const ended = crash(started[0]!)
    expect(await found('a')).toBe('unavailable')
    await ended
    // The order of the list is kept in this thread, so the unfiltered list needs no query thread.
    expect(await found()).toEqual(['a1', 'a2'])
    expect(lost).toEqual([expect.stringContaining('the query thread crashed')])
    expect(await found('a')).toBe('unavailable')
    await nextWorker()
    expect(await found('a')).toEqual(['a1', 'a2'])
    expect(started).toHaveLength(2)
  })

  it('page through the whole list without the thread, in the order of the fleet that is in force', async () => {
    const { queries, fleet, found } = queriesOver(['b', 'a'], { threadFrom: 1 })
    await using _ = queries
    expect(await found('a')).toEqual(['a'])
    let asked = 0
    const [worker] = started
    const post = worker!.postMessage.bind(worker)
    worker!.postMessage = (message: { method: string }) => {
      if (message.method === 'answer') asked++
      post(message)
    }
    expect(await queries.find({}, 2, 1)).toMatchObject({ value: { total: 2, rows: Uint32Array.of(0) } })
    expect(asked).toBe(0)
    load(fleet, ['b', 'a', 'aa'])
    queries.fleetChanged(fleet)
    expect(await found()).toEqual(['a', 'aa', 'b'])
    expect(asked).toBe(1)
  })

  it('start a thread with the first question, end it when nobody has asked for a while, and start another with the next', async () => {
    const { queries, found, lost } = queriesOver(['b', 'a'], { threadFrom: 1, restAfterMs: 50 })
    await using _ = queries
    expect(queries.threads).toBe(0)
    expect(queries.behindMs).toBe(0)
    expect(await found('a')).toEqual(['a'])
    await expect.poll(() => queries.threads, patience).toBe(0)
    // It has nothing to catch up with, and the whole list is in order without it.
    expect(queries.behindMs).toBe(0)
    expect(await found()).toEqual(['a', 'b'])
    expect(queries.threads).toBe(0)
    expect(await found('b')).toEqual(['b'])
    expect(started).toHaveLength(2)
    expect(lost).toEqual([])
  })

  it('see a fleet that changed while there was no thread', async () => {
    const { queries, fleet, found } = queriesOver(['b', 'a'], { threadFrom: 1, restAfterMs: 50 })
    await using _ = queries
    await expect.poll(() => queries.threads, patience).toBe(0)
    load(fleet, ['b', 'a', 'ab'])
    queries.fleetChanged(fleet)
    expect(queries.threads).toBe(0)
    expect(await found()).toEqual(['a', 'ab', 'b'])
    await expect.poll(() => queries.threads, patience).toBe(0)
    load(fleet, ['c', 'a'])
    queries.fleetChanged(fleet)
    expect(await found('a')).toEqual(['a'])
  })

  it('keep the thread of a fleet that takes long to take in', async () => {
    const names = Array.from({ length: 50_001 }, (_, number) => `m${number}`)
    const { queries } = queriesOver(names, { threadFrom: 1, restAfterMs: 1, wakesAfterMs: 1 })
    await using _ = queries
    await expect.poll(() => queries.threads, patience).toBe(1)
    await expect.poll(() => queries.behindMs, patience).toBe(0)
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(queries.threads).toBe(1)
  })

  it('start the thread of such a fleet a little later, or with the first question', async () => {
    const names = Array.from({ length: 50_001 }, (_, number) => `m${number}`)
    const { queries, found } = queriesOver(names, { threadFrom: 1 })
    await using _ = queries
    expect(queries.threads).toBe(0)
    expect(queries.behindMs).toBe(0)
    expect(await found('m50000')).toEqual(['m50000'])
    expect(queries.threads).toBe(1)
    expect(started).toHaveLength(1)
  })

  it('do not wait for a thread that was ended for good', async () => {
    const { queries, fleet, found, lost } = queriesOver(['a'], { threadFrom: 1 })
    const asked = found()
    await queries[Symbol.asyncDispose]()
    expect(await asked).toBe('unavailable')
    expect(await found()).toBe('unavailable')
    queries.fleetChanged(fleet)
    expect(await found()).toBe('unavailable')
    expect(lost).toEqual([])
    expect(started).toHaveLength(1)
  })
})

describe('queries before there is a fleet', () => {
  it('are unavailable, not empty', async () => {
    const queries = new FleetQueries({ types: [], onThreadLost: () => {}, clock: systemClock })
    expect(await queries.find({}, 1, 1)).toEqual({
      kind: 'unavailable',
      reason: 'there is no fleet to look at yet',
    })
    expect((await queries.map({})).kind).toBe('unavailable')
    expect((await queries.incidents(1, 1)).kind).toBe('unavailable')
  })
})

describe('monitors of fleet files', () => {
  const documentOf = (id: string, team: string) => ({
    id,
    name: id,
    labels: { team },
    check: { type: 'tcp', config: { host: id, port: 1 } },
  })
  type Change = readonly (readonly [id: string, source: string | null, team?: string])[]
  const definitionFrom = (monitors: Change) => {
    const builder = new DefinitionBuilder()
    for (const [id, source, team = 'a'] of monitors) builder.add(documentOf(id, team), source)
    return builder.finish({})
  }

  it('are listed by id among those of v2, as they come, leave and change', async () => {
    const fleet = new Fleet(['tcp'])
    await using queries = new FleetQueries({ types: fleet.types, clock: systemClock, onThreadLost: () => {} })
    fleet.apply(
      arrange(
        definitionFrom([
          ['d', 'f'],
          ['a', null],
          ['b', 'f', 'x'],
          ['c', null],
        ]),
        null,
      ),
    )
    queries.fleetChanged(fleet)
    const listed = async (after: string | null, labels: readonly number[] | null = null) => {
      const answer = await queries.fromFiles(after, 10, labels)
      if (answer.kind !== 'answered') throw new Error(answer.kind)
      return Array.from(answer.value.rows, (row) => fleet.idOf(row))
    }
    const amend = (monitors: Change, removed: readonly string[]) => {
      const change = { entries: definitionFrom(monitors), removed, head: null }
      const arrangement = fleet.amend(change, { isIdle: () => true, nowMs: 0 })
      fleet.apply(arrangement)
      queries.fleetAmended(fleet, amendedRows(arrangement))
    }
    expect(await listed(null)).toEqual(['b', 'd'])
    expect(await listed('b')).toEqual(['d'])
    const teamX = fleet.definition.labels.values.findIndex(({ team }) => team === 'x')
    expect(await listed(null, [teamX])).toEqual(['b'])
    amend(
      [
        ['e', 'f'],
        ['f', null],
        ['bb', 'f'],
      ],
      ['d'],
    )
    expect(await listed(null)).toEqual(['b', 'bb', 'e'])
    amend([], ['b', 'bb', 'e'])
    expect(await listed(null)).toEqual([])
  })
})
