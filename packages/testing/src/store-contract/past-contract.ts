// store-contract/past-contract.ts: what every store promises about the past: replaced and deleted versions
// are kept for 6 minutes whatever the clock does, and of changes and operations a fixed number of the latest.
import { storeBounds } from '@pulseward/server/internal/store/retention.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, deletion, operation, resource } from '../store/samples.ts'
import { minute, ResourceStore } from './resource-store.ts'
import type { OpenStore } from './store-under-test.ts'

const year = 365 * 24 * 60 * minute

export function pastContract(name: string, open: OpenStore): void {
  describe(`past resources in the ${name} store`, () => {
    let managed: ResourceStore
    beforeEach(async () => {
      managed = await ResourceStore.open(open)
    })
    afterEach(() => managed[Symbol.asyncDispose]())

    it('keep their past for 6 minutes after it ended, and then say that a list is expired', async () => {
      await managed.write(resource('a', 1), resource('b', 2))
      await managed.pass(1)
      await managed.write(resource('a', 3), deletion('b', 4))
      await managed.pass(1)
      await managed.write(resource('a', 5))
      await managed.pass(5)
      expect(await managed.retain()).toBe(0)
      expect(await managed.list({ upToChange: 2 })).toEqual([resource('a', 1), resource('b', 2)])
      managed.now += 1
      expect(await managed.retain(1)).toBe(1)
      expect(await managed.list({ upToChange: 2 })).toBe('expired')
      expect(await managed.list({ upToChange: 3 })).toEqual([resource('a', 3), resource('b', 2)])
      expect(await managed.retain()).toBe(1)
      expect(await managed.list({ upToChange: 3 })).toBe('expired')
      await managed.reopen()
      expect(await managed.list({ upToChange: 3 })).toBe('expired')
      expect(await managed.list({ upToChange: 4 })).toEqual([resource('a', 3)])
      await managed.pass(1)
      expect(await managed.retain()).toBe(1)
      expect(await managed.list({ upToChange: 4 })).toBe('expired')
      expect(await managed.list({ upToChange: 5 })).toEqual([resource('a', 5)])
      expect(await managed.retain()).toBe(0)
      expect(await managed.store.usage()).toMatchObject({ resources: 1, pastResources: 0 })
    })

    it.for<[words: string, leapMs: number]>([
      ['ten minutes', 10 * minute],
      ['a year', year],
    ])(
      'keep their past for 6 minutes after the clock leapt by %s, also over a restart',
      async ([, leapMs]) => {
        await managed.write(resource('a', 1))
        await managed.write(resource('a', 2))
        managed.now += leapMs
        expect(await managed.retain()).toBe(0)
        await managed.write(resource('a', 3))
        await managed.reopen()
        for (let step = 0; step < 5; step++) {
          managed.now += minute
          expect(await managed.retain()).toBe(0)
          expect(await managed.list({ upToChange: 1 })).toEqual([resource('a', 1)])
        }
        managed.now += minute
        expect(await managed.retain()).toBe(1)
        expect(await managed.list({ upToChange: 1 })).toBe('expired')
      },
    )

    it('do not keep for a year what was replaced while the clock was a year ahead', async () => {
      managed.now += year
      await managed.write(resource('a', 1))
      await managed.write(resource('a', 2))
      managed.now -= year
      await managed.write(resource('a', 3))
      for (let step = 0; step < 6; step++) {
        expect(await managed.retain()).toBe(0)
        managed.now += minute
      }
      managed.now += 1
      expect(await managed.retain()).toBe(2)
    })

    it('are known by what happened to them since a change', async () => {
      await managed.write(resource('a', 1), resource('b', 2), resource('c', 3), resource('d', 4))
      await managed.write(
        deletion('b', 5),
        resource('c', 6),
        resource('ops', 7, { kind: 'NotificationEndpoint' }),
        resource('c', 8),
        deletion('d', 9),
        resource('d', 10, { uid: 'another' }),
      )
      await managed.reopen()
      const { changedMonitors } = await managed.store.recover(0)
      const since = async (change: number) => {
        const changes = await changedMonitors(change)
        if (changes === 'forgotten') return changes
        const chunks = await Array.fromAsync(changes)
        return {
          written: chunks.flatMap(({ written }) => written),
          deletedIds: chunks.flatMap(({ deletedIds }) => deletedIds),
        }
      }
      const again = [resource('c', 8), resource('d', 10, { uid: 'another' })]
      expect(await since(0)).toEqual({ written: [resource('a', 1), ...again], deletedIds: ['b'] })
      expect(await since(4)).toEqual({ written: again, deletedIds: ['b'] })
      expect(await since(5)).toEqual({ written: again, deletedIds: [] })
      expect(await since(10)).toEqual({ written: [], deletedIds: [] })
    })

    it('are no longer known by a change that is too many changes ago', async () => {
      await using few = await ResourceStore.open(open, { ...storeBounds, changes: 3 })
      const known = async (change: number) => {
        const { changedMonitors } = await few.store.recover(0)
        return (await changedMonitors(change)) !== 'forgotten'
      }
      await few.write(...[1, 2, 3, 4, 5].map((change) => resource('a', change)))
      expect(await known(0)).toBe(true)
      expect(await few.retain(1)).toBe(1)
      expect(await few.retain()).toBe(1)
      expect(await few.retain()).toBe(0)
      await few.reopen()
      expect([await known(1), await known(2)]).toEqual([false, true])
      expect((await few.store.recover(0)).lastChange).toBe(5)
    })

    it('have operations that are found by their number, each as it last was', async () => {
      const refused = operation(2, { state: 'failed', outcome: 'conflict', reason: '<b>\n' })
      await managed.store.commit(
        batch({ operations: [operation(1, { state: 'applying', outcome: null }), refused] }),
      )
      await managed.store.commit(batch({ operations: [operation(1)] }))
      await managed.reopen()
      expect(await managed.store.readOperation(1)).toEqual(operation(1))
      expect(await managed.store.readOperation(2)).toEqual(refused)
      expect(await managed.store.readOperation(3)).toBeNull()
      expect((await managed.store.recover(0)).lastOperation).toBe(2)
    })

    it('have only so many operations, the last ones', async () => {
      await using few = await ResourceStore.open(open, { ...storeBounds, operations: 3 })
      const operations = [1, 2, 3, 4, 5, 6].map((id) => operation(id))
      await few.store.commit(batch({ operations }))
      expect(await few.retain(2)).toBe(2)
      expect(await few.retain(2)).toBe(1)
      expect(await few.retain(2)).toBe(0)
      const found = await Promise.all(operations.map(({ id }) => few.store.readOperation(id)))
      expect(found.map((each) => each?.id ?? null)).toEqual([null, null, null, 4, 5, 6])
    })
  })
}
