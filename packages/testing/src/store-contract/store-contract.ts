// store-contract/store-contract.ts: what every store promises, whatever its medium. `reopen` returns the
// store as the next process would find it; a store in memory returns itself.
import type { Action } from '@pulseward/server/internal/deciding/actions/action.ts'
import { retentionMs } from '@pulseward/server/internal/store/retention.ts'
import type { EventPage, Store } from '@pulseward/server/internal/store/store.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  action,
  batch,
  collectIdentities,
  event,
  health,
  identity,
  member,
  monitorIdOf,
  push,
  randomBatch,
  revision,
  sloSnapshot,
} from '../store/samples.ts'
import { besideContract } from './beside-contract.ts'
import { bulkContract } from './bulk-contract.ts'
import { executionContract } from './execution-contract.ts'
import { incarnationContract } from './incarnation-contract.ts'
import { pastContract } from './past-contract.ts'
import { readingContract } from './reading-contract.ts'
import { resourceContract } from './resource-contract.ts'
import { revisionContract } from './revision-contract.ts'
import { runContract } from './run-contract.ts'
import { StoreModel } from './store-model.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'
import { trendContract } from './trend-contract.ts'

/** The store's own time when a test of the contract begins. */
const contractNow = 1_700_000_000_000
const historyBegins = contractNow - retentionMs
const day = 86_400_000

const everything = {
  monitorId: null,
  order: 'asc',
  upTo: Number.MAX_SAFE_INTEGER,
  after: null,
  limit: 500,
} as const

export function storeContract(name: string, open: OpenStore): void {
  besideContract(name, open)
  bulkContract(name, open)
  executionContract(name, open)
  incarnationContract(name, open)
  resourceContract(name, open)
  revisionContract(name, open)
  runContract(name, open)
  pastContract(name, open)
  readingContract(name, open)
  trendContract(name, open)
  describe(`the ${name} store`, () => {
    let opened: StoreUnderTest
    let store: Store
    let now: number
    beforeEach(async () => {
      now = contractNow
      opened = await open(() => now)
      store = opened.store
    })
    afterEach(() => opened[Symbol.asyncDispose]())

    it('is empty when it is new', async () => {
      const { identities, monitors, changedMonitors, ...rest } = await store.recover(1000)
      expect(rest).toEqual({
        position: 0,
        highestNumericId: -1,
        blocks: [],
        states: [],
        pushes: [],
        escalations: [],
        revisions: [],
        actions: [],
        slo: null,
        destinations: [],
        restoredFrom: null,
        retention: { seenAt: null, keepsUntil: null },
        epoch: expect.any(Number),
        restores: [],
        lastChange: 0,
        lastOperation: 0,
        executions: [],
        trends: [],
        resources: [],
      })
      expect(await collectIdentities(identities)).toEqual([])
      expect(await Array.fromAsync(monitors)).toEqual([])
      expect(await changedMonitors(0)).not.toBe('forgotten')
      expect(await store.readEvents(everything)).toEqual({ events: [], more: false, oldest: 1 })
    })

    it('gives back what was committed, with the time of the last commit', async () => {
      const kept = batch({
        events: [event(3, { detail: { words: '‮<b>ü' } }), event(null)],
        states: [{ numericId: 3, health: health(7) }],
        pushes: [{ numericId: 3, push: push(7) }],
        escalations: [member('edge'), member('a')],
        revisions: [revision('Route', 'eu', null), revision('Route', 'eu', 5)],
        actions: [action('a', 3)],
        identities: [identity(3), identity(70_000, { removedAt: 5 })],
        blocks: [{ block: 2, bytes: Uint8Array.of(1, 2, 3) }],
        slo: sloSnapshot(4),
        destinations: [
          {
            name: 'ops',
            fingerprint: 'f',
            dead: { since: 4, reason: 'HTTP 410' },
            ailing: null,
            digestedUpTo: 3,
            digestedAt: 4,
          },
        ],
      })
      expect(await store.commit(kept)).toMatchObject({ position: 2 })
      store = await opened.reopen()
      const { identities, ...rest } = await store.recover(1000)
      expect(rest).toEqual({
        position: 2,
        highestNumericId: 70_000,
        blocks: kept.blocks,
        states: kept.states,
        pushes: kept.pushes,
        escalations: [member('a'), member('edge')],
        revisions: [revision('Route', 'eu', null)],
        actions: kept.actions,
        slo: kept.slo,
        destinations: kept.destinations,
        retention: { seenAt: contractNow, keepsUntil: null },
        restoredFrom: null,
        epoch: expect.any(Number),
        restores: [],
        lastChange: 0,
        lastOperation: 0,
        executions: [],
        trends: [],
        resources: [],
        monitors: expect.anything(),
        changedMonitors: expect.any(Function),
      })
      expect(await collectIdentities(identities)).toEqual(kept.identities)
      const page = await store.readEvents(everything)
      expect(page.events).toEqual(kept.events.map((one, index) => ({ ...one, position: index + 1 })))
    })

    it('keeps bytes as they were when they were committed', async () => {
      const bytes = Uint8Array.of(1, 2, 3)
      await store.commit(batch({ blocks: [{ block: 0, bytes }] }))
      bytes.fill(9)
      expect((await store.recover(0)).blocks).toEqual([{ block: 0, bytes: Uint8Array.of(1, 2, 3) }])
    })

    it('equals a plain model after any batches and restarts', async () => {
      const model = new StoreModel()
      const steps = fc.array(randomBatch, { maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(steps, fc.boolean(), async (batches, restarts) => {
          for (const next of batches) {
            const { position } = await store.commit(next)
            model.commit(next)
            expect(position).toBe(model.position)
          }
          if (restarts) store = await opened.reopen()
          await expectModel(store, model)
        }),
        { numRuns: 15, endOnFailure: true },
      )
    })

    it('pages see each event up to the first page exactly once, in order, while more are committed', async () => {
      await store.commit(batch({ identities: [0, 1, 2].map((number) => identity(number)) }))
      const query = fc.record({
        monitor: fc.constantFrom(null, 0, 1, 2),
        order: fc.constantFrom('asc' as const, 'desc' as const),
        limits: fc.array(fc.integer({ min: 1, max: 150 }), { minLength: 1, maxLength: 5 }),
      })
      const owners = fc.array(fc.constantFrom(0, 0, 0, 1, null), { maxLength: 200 })
      const committed: (number | null)[] = []
      const commit = async (numbers: readonly (number | null)[]) => {
        committed.push(...numbers)
        await store.commit(batch({ events: numbers.map((number) => event(number)) }))
      }
      await fc.assert(
        fc.asyncProperty(
          query,
          fc.array(owners, { maxLength: 4 }),
          async ({ monitor, order, limits }, later) => {
            await commit(later[0] ?? [])
            const upTo = committed.length
            const expected = committed.flatMap((owner, index) =>
              monitor === null || owner === monitor ? [index + 1] : [],
            )
            if (order === 'desc') expected.reverse()
            const seen: number[] = []
            let page: EventPage | null = null
            for (let turn = 0; page === null || page.more; turn++) {
              const limit = limits[turn % limits.length]!
              const monitorId = monitor === null ? null : monitorIdOf(monitor)
              page = await store.readEvents({ monitorId, order, upTo, after: seen.at(-1) ?? null, limit })
              expect(page.events.length).toBeLessThanOrEqual(limit)
              seen.push(...page.events.map(({ position }) => position))
              await commit(later[turn + 1] ?? [])
            }
            expect(seen).toEqual(expected)
          },
        ),
        { numRuns: 40, endOnFailure: true },
      )
    })

    it('gives the actions of one monitor newest first, each as it last was', async () => {
      await store.commit(batch({ actions: [action('a', 1), action('b', 2), action('c', 1)] }))
      const ended = action('a', 1, { state: 'succeeded', revision: 3, finishedAt: contractNow })
      await store.commit(batch({ actions: [ended] }))
      expect(await store.readActions(monitorIdOf(1), 10)).toEqual([action('c', 1), ended])
      expect(await store.readActions(monitorIdOf(1), 1)).toEqual([action('c', 1)])
      expect(await store.readActions(monitorIdOf(9), 10)).toEqual([])
    })

    it('goes on with actions that are open, unknown, recent or leave something to tell', async () => {
      const long = contractNow - 60_000
      const kept: Action[] = [
        action('queued', 1, { queuedAt: long }),
        action('started', 1, { state: 'started', queuedAt: long, startedAt: long }),
        action('unknown', 1, { state: 'unknown', queuedAt: long, finishedAt: long }),
        action('untold', 1, {
          state: 'cancelled',
          queuedAt: long,
          finishedAt: long,
          untold: { since: long, from: long, to: null },
        }),
        action('owed', 1, { state: 'cancelled', queuedAt: long, finishedAt: long, owesGreen: true }),
        action('recent', 1, { state: 'failed', queuedAt: long, finishedAt: contractNow - 10 }),
      ]
      const old = action('old', 1, { state: 'succeeded', queuedAt: long, finishedAt: long })
      await store.commit(batch({ actions: [old, ...kept] }))
      store = await opened.reopen()
      expect((await store.recover(1000)).actions).toEqual(kept)
    })

    it('knows a monitor by its identity and never finds another one in its place', async () => {
      await store.commit(batch({ identities: [identity(1)], events: [event(1)] }))
      expect(await store.findMonitor(monitorIdOf(1))).toBe(1)
      expect(await store.findMonitor(monitorIdOf(2))).toBe(null)
      expect((await store.readEvents({ ...everything, monitorId: monitorIdOf(2) })).events).toEqual([])
    })

    it('has an identity and a key of its own, and keeps them when it is opened again', async () => {
      const { id, key } = store.identity
      expect(id).toMatch(/^[0-9a-f-]{36}$/)
      expect(key).toHaveLength(32)
      const again = (await opened.reopen()).identity
      expect({ id: again.id, key: [...again.key] }).toEqual({ id, key: [...key] })
      await using other = await open(() => contractNow)
      expect(other.store.identity.id).not.toBe(id)
      expect([...other.store.identity.key]).not.toEqual([...key])
    })

    it('forgets what is older in steps, oldest first, and says when nothing is left', async () => {
      await store.commit(
        batch({
          identities: [identity(1, { removedAt: historyBegins - 50 }), identity(2)],
          events: Array.from({ length: 130 }, (_, index) =>
            event(index % 2 === 0 ? 1 : 2, { at: historyBegins - 100 + index }),
          ),
          actions: [
            action('old', 1, { state: 'succeeded', queuedAt: 1, finishedAt: 2 }),
            action('open', 1, { queuedAt: 1 }),
          ],
        }),
      )
      expect(await store.retain(now, 60)).toBe(60)
      expect(await store.readEvents({ ...everything, limit: 1 })).toMatchObject({ oldest: 61 })
      expect(await store.retain(now, 60)).toBe(41)
      expect(await store.retain(now, 60)).toBe(0)
      const ofOne = await store.readEvents({ ...everything, monitorId: monitorIdOf(1), order: 'desc' })
      expect(ofOne.events.map(({ at }) => at - historyBegins + 100)).toEqual([
        128, 126, 124, 122, 120, 118, 116, 114, 112, 110, 108, 106, 104, 102, 100,
      ])
      expect((await store.readActions(monitorIdOf(1), 9)).map(({ id }) => id)).toEqual(['open'])

      expect(await store.findMonitor(monitorIdOf(1))).toBe(1)
      expect(await store.retain(now + 1000, 60)).toBe(31)
      expect(await store.findMonitor(monitorIdOf(1))).toBe(null)
      expect(await store.findMonitor(monitorIdOf(2))).toBe(2)
      store = await opened.reopen()
      const { position, highestNumericId } = await store.recover(0)
      expect({ position, highestNumericId }).toEqual({ position: 130, highestNumericId: 2 })
      expect(await store.commit(batch({ events: [event(2)] }))).toMatchObject({ position: 131 })
    })

    it('removes an event that was stamped in the future in its turn, and what comes after it', async () => {
      const old = historyBegins - 1000
      const ended = { state: 'succeeded', startedAt: now + 400 * day, finishedAt: now + 400 * day } as const
      await store.commit(
        batch({
          identities: [identity(1)],
          events: [
            event(1, { at: now + 400 * day, actionId: 'misdated' }),
            event(1, { at: old }),
            event(1, { at: now + 300 * day }),
            event(1, { at: now - 5 }),
            event(1, { at: old }),
            event(1, { at: now - 4 }),
          ],
          actions: [action('misdated', 1, ended), action('other', 1, ended)],
        }),
      )
      const positions = async () =>
        (await store.readEvents(everything)).events.map(({ position }) => position)
      expect(await store.retain(now, 1)).toBe(1)
      expect(await store.retain(now, 60)).toBe(1)
      expect(await store.retain(now, 60)).toBe(0)
      // A recent event stops the removal, even if a later event has an old time.
      expect(await positions()).toEqual([3, 4, 5, 6])
      expect((await store.readActions(monitorIdOf(1), 9)).map(({ id }) => id)).toEqual(['other'])
      store = await opened.reopen()
      for (let today = 1; today <= 31; today++) {
        now += day
        await store.commit(batch({}))
        await store.retain(now, 60)
      }
      expect(await positions()).toEqual([])
    })

    it('removes nothing for a day after its clock was found over a day ahead, also over restarts', async () => {
      await store.commit(batch({ identities: [identity(1)], events: [event(1, { at: now })] }))
      now += 40 * day
      expect(await store.retain(now, 60)).toBe(0)
      for (const later of [0, 1, day - 2]) {
        now += later
        store = await opened.reopen()
        await store.commit(batch({}))
        expect(await store.retain(now, 60)).toBe(0)
      }
      now += 1
      expect(await store.retain(now, 60)).toBe(1)
    })

    it('refuses everything after it was closed', async () => {
      await store[Symbol.asyncDispose]()
      await expect(store.commit(batch({}))).rejects.toMatchObject({ problem: 'closed', recovers: false })
      await expect(store.readEvents(everything)).rejects.toMatchObject({ problem: 'closed' })
    })
  })
}

async function expectModel(store: Store, model: StoreModel): Promise<void> {
  const { identities, ...rest } = await store.recover(0)
  expect(rest).toMatchObject(model.recovered())
  expect(await collectIdentities(identities)).toEqual(model.identities())
  const { events } = await store.readEvents({ ...everything, limit: model.position + 1 })
  expect(events).toEqual(model.events)
  for (const [id, operation] of model.operations) expect(await store.readOperation(id)).toEqual(operation)
}
