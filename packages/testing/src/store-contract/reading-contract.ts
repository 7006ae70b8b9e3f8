// store-contract/reading-contract.ts: what every store promises to clients that page through incidents,
// actions and events: each row once, in order, as of one position, while more is committed.
import { notHandled } from '@pulseward/server/internal/store/incident.ts'
import { retentionMs } from '@pulseward/server/internal/store/retention.ts'
import type { Store, StoredEvent } from '@pulseward/server/internal/store/store.ts'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { action, batch, event, identity, monitorIdOf } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const contractNow = 1_700_000_000_000
const day = 86_400_000
const all = { monitorId: null, upTo: Number.MAX_SAFE_INTEGER, after: null, limit: 500 } as const

function opened(id: string, numericId: number, at = contractNow): StoredEvent {
  return event(numericId, { type: 'incident_opened', incidentId: id, at })
}

function closed(id: string, numericId: number, at = contractNow): StoredEvent {
  return event(numericId, { type: 'incident_closed', incidentId: id, outcome: 'recovered', at })
}

function written(numericId: number | null): StoredEvent {
  const resource = { kind: 'Monitor', id: monitorIdOf(numericId ?? 0), uid: 'uid' } as const
  return event(numericId, { type: 'resource_updated', actor: 'mara', resource })
}

export function readingContract(name: string, open: OpenStore): void {
  describe(`reading the ${name} store`, () => {
    let under: StoreUnderTest
    let store: Store
    let now: number
    beforeEach(async () => {
      now = contractNow
      under = await open(() => now)
      store = under.store
      await store.commit(batch({ identities: [0, 1, 2].map((number) => identity(number)) }))
    })
    afterEach(() => under[Symbol.asyncDispose]())

    const incidentIds = async (query: Partial<Parameters<Store['listIncidents']>[0]> = {}) =>
      (await store.listIncidents({ ...all, ...query })).incidents.map(({ id }) => id)

    it('lists incidents the newest first, open ones and closed ones, of all monitors or of one', async () => {
      const because = { kind: 'threshold', failures: 3, threshold: 3 } as const
      await store.commit(batch({ events: [{ ...opened('a', 1), because }, event(1), opened('b', 2)] }))
      await store.commit(batch({ events: [closed('a', 1, contractNow + 5), opened('c', 1), event(null)] }))
      store = await under.reopen()
      const closing = { position: 4, at: contractNow + 5, outcome: 'recovered' }
      const ofOne = { monitorId: monitorIdOf(1), openedAt: contractNow, because: null, handling: notHandled }
      expect(await store.listIncidents(all)).toEqual({
        incidents: [
          { id: 'c', ...ofOne, opened: 5, closed: null },
          { id: 'b', ...ofOne, monitorId: monitorIdOf(2), opened: 3, closed: null },
          { id: 'a', ...ofOne, because, opened: 1, closed: closing },
        ],
        more: false,
      })
      expect(await incidentIds({ monitorId: monitorIdOf(1) })).toEqual(['c', 'a'])
      expect(await incidentIds({ monitorId: monitorIdOf(0) })).toEqual([])
      expect(await incidentIds({ monitorId: 'nobody' })).toEqual([])
      expect(await store.readIncident('a')).toMatchObject({ opened: 1, closed: closing })
      expect(await store.readIncident('z')).toBe(null)
    })

    it('keeps what people did about an incident, also when it has closed', async () => {
      const control = (type: string, revision: number, parts: Partial<StoredEvent> = {}) =>
        event(1, { type, incidentId: 'a', actor: 'mara', detail: { revision, reason: 'known' }, ...parts })
      await store.commit(batch({ events: [opened('a', 1), control('control_acknowledged', 2)] }))
      const acknowledged = { acknowledgedBy: 'mara', acknowledgedAt: contractNow }
      expect(await store.readIncident('a')).toMatchObject({
        handling: { revision: 2, ...acknowledged, dismissal: null },
      })
      await store.commit(batch({ events: [control('control_dismissed', 3), closed('a', 1)] }))
      await store.commit(batch({ events: [control('control_reopened', 4, { incidentId: 'nobody' })] }))
      store = await under.reopen()
      expect(await store.readIncident('a')).toMatchObject({
        closed: { outcome: 'recovered' },
        handling: { revision: 3, ...acknowledged, dismissal: { reason: 'known' } },
      })
      expect(await store.readIncident('nobody')).toBe(null)
    })

    it('shows incidents as they were at the position of their list', async () => {
      await store.commit(batch({ events: [opened('a', 1), opened('b', 2)] }))
      await store.commit(batch({ events: [closed('a', 1), opened('c', 0)] }))
      const { incidents } = await store.listIncidents({ ...all, upTo: 2 })
      expect(incidents.map(({ id, closed: end }) => [id, end])).toEqual([
        ['b', null],
        ['a', null],
      ])
    })

    it('pages see each incident up to the first page exactly once, while more are opened and closed', async () => {
      const kinds = fc.constantFrom('opens', 'closes', 'other')
      const steps = fc.array(fc.tuple(kinds, fc.constantFrom(0, 1, 2)), { maxLength: 60 })
      const open = new Map<number, string>()
      const known: { id: string; monitor: number; opened: number }[] = []
      let position = 0
      const commit = async (changes: readonly (readonly [string, number])[]) => {
        const events = changes.map(([kind, monitor]) => {
          position++
          const id = open.get(monitor)
          if (kind === 'opens' && id === undefined) {
            open.set(monitor, `incident-${position}`)
            known.push({ id: `incident-${position}`, monitor, opened: position })
            return opened(`incident-${position}`, monitor)
          }
          if (kind === 'closes' && id !== undefined) {
            open.delete(monitor)
            return closed(id, monitor)
          }
          return event(monitor, { type: 'action_queued' })
        })
        await store.commit(batch({ events }))
      }
      const query = fc.record({ monitor: fc.constantFrom(null, 0, 1), limit: fc.integer({ min: 1, max: 7 }) })
      await fc.assert(
        fc.asyncProperty(query, fc.array(steps, { maxLength: 4 }), async ({ monitor, limit }, later) => {
          await commit(later[0] ?? [])
          const upTo = position
          const expected = known.filter((one) => monitor === null || one.monitor === monitor)
          const openThen = new Set(open.values())
          const seen: string[] = []
          let after: number | null = null
          for (let turn = 1, more = true; more; turn++) {
            const monitorId = monitor === null ? null : monitorIdOf(monitor)
            const page = await store.listIncidents({ monitorId, upTo, after, limit })
            expect(page.incidents.length).toBeLessThanOrEqual(limit)
            for (const { id, closed: end } of page.incidents) {
              seen.push(id)
              expect([id, end === null]).toEqual([id, openThen.has(id)])
            }
            after = page.incidents.at(-1)?.opened ?? null
            more = page.more
            await commit(later[turn] ?? [])
          }
          expect(seen).toEqual(
            expected
              .filter((one) => one.opened <= upTo)
              .map(({ id }) => id)
              .reverse(),
          )
        }),
        { numRuns: 25, endOnFailure: true },
      )
    })

    it('knows an open incident however old it is, and a closed one as long as the event that closed it', async () => {
      const long = contractNow - retentionMs - 40 * day
      const events = [opened('open', 1, long), opened('ended', 2, long)]
      await store.commit(batch({ events: [...events, closed('ended', 2, contractNow - retentionMs + day)] }))
      expect(await store.retain(now, 60)).toBe(2)
      expect(await incidentIds()).toEqual(['ended', 'open'])
      expect(await store.readIncident('ended')).toMatchObject({ openedAt: long })
      // In two steps: after a large clock jump nothing is removed for a day.
      for (const laterMs of [day / 2, day / 2 + 1]) {
        now += laterMs
        await store.commit(batch({}))
      }
      // The event and its incident.
      expect(await store.retain(now, 60)).toBe(2)
      expect(await incidentIds()).toEqual(['open'])
      expect(await store.readIncident('ended')).toBe(null)
      await store.commit(batch({ events: [closed('open', 1, now)] }))
      store = await under.reopen()
      expect(await store.listIncidents(all)).toMatchObject({
        incidents: [{ id: 'open', openedAt: long, closed: { position: 4, at: now } }],
      })
    })

    it('lists actions the newest first, each once and as it last was, while more are queued', async () => {
      const names = ['a', 'b', 'c', 'd', 'e']
      await store.commit(batch({ actions: names.map((id, index) => action(id, index % 2)) }))
      const first = await store.listActions({ monitorId: null, after: null, limit: 2 })
      expect(first.actions.map(({ action: { id } }) => id)).toEqual(['e', 'd'])
      const ended = action('b', 1, { state: 'succeeded', finishedAt: contractNow })
      await store.commit(batch({ actions: [action('f', 1), ended] }))
      store = await under.reopen()
      const { number } = first.actions[1]!
      const next = await store.listActions({ monitorId: null, after: number, limit: 2 })
      expect(next).toMatchObject({ actions: [{ action: action('c', 0) }, { action: ended }], more: true })
      const last = await store.listActions({ monitorId: null, after: next.actions[1]!.number, limit: 2 })
      expect(last).toMatchObject({ actions: [{ action: action('a', 0) }], more: false })
      const ofOne = await store.listActions({ monitorId: monitorIdOf(1), after: null, limit: 500 })
      expect(ofOne.actions.map(({ action: { id } }) => id)).toEqual(['f', 'd', 'b'])
      const rest = await store.listActions({ monitorId: monitorIdOf(1), after: number, limit: 500 })
      expect(rest.actions.map(({ action: { id } }) => id)).toEqual(['b'])
      expect(await store.readAction('b')).toEqual(ended)
      expect(await store.readAction('z')).toBe(null)
    })

    it('leaves out events about resources without making pages short, in either order, over restarts', {
      tags: 'long',
    }, async () => {
      const committed: { owner: number | null; isOfResource: boolean }[] = []
      const runs = fc.array(
        fc.record({
          owner: fc.constantFrom(null, 0, 1),
          isOfResource: fc.boolean(),
          length: fc.constantFrom(1, 1, 2, 70),
        }),
        { maxLength: 8 },
      )
      const query = fc.record({
        monitor: fc.constantFrom(null, 0, 1),
        order: fc.constantFrom('asc' as const, 'desc' as const),
        limit: fc.integer({ min: 1, max: 90 }),
        withoutResources: fc.boolean(),
        reopens: fc.constantFrom(false, false, false, true),
      })
      await fc.assert(
        fc.asyncProperty(query, runs, async ({ monitor, order, limit, withoutResources, reopens }, more) => {
          const added = more.flatMap(({ length, ...one }) => Array.from({ length }, () => one))
          committed.push(...added)
          const events = added.map(({ owner, isOfResource }) =>
            isOfResource ? written(owner) : event(owner),
          )
          await store.commit(batch({ events }))
          if (reopens) store = await under.reopen()
          const positions = committed.flatMap(({ owner, isOfResource }, index) =>
            (monitor === null || owner === monitor) && !(withoutResources && isOfResource) ? [index + 1] : [],
          )
          const expected = order === 'asc' ? positions : positions.reverse()
          const monitorId = monitor === null ? null : monitorIdOf(monitor)
          const list = { monitorId, order, upTo: committed.length, limit, withoutResources }
          const seen: number[] = []
          for (let isMore = true; isMore; ) {
            const page = await store.readEvents({ ...list, after: seen.at(-1) ?? null })
            seen.push(...page.events.map(({ position }) => position))
            isMore = page.more
            expect(page.events.length).toBe(
              Math.min(limit, expected.length - seen.length + page.events.length),
            )
          }
          expect(seen).toEqual(expected)
        }),
        { numRuns: 30, endOnFailure: true },
      )
    })

    it('keeps a monitor known for as long as it has any event, also one about it as a resource', async () => {
      const at = contractNow - retentionMs - 5
      await store.commit(
        batch({ identities: [identity(7, { removedAt: at })], events: [{ ...written(7), at: now }] }),
      )
      await store.retain(now, 60)
      expect(await store.findMonitor(monitorIdOf(7))).toBe(7)
      now += retentionMs - 1
      await store.commit(batch({}))
      now += day
      await store.commit(batch({}))
      for (let removed = 1; removed > 0; ) removed = await store.retain(now, 60)
      expect(await store.findMonitor(monitorIdOf(7))).toBe(null)
    })
  })
}
