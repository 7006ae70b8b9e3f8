// store-contract/incarnation-contract.ts: what every store promises about the monitor of an action: the
// action keeps the incarnation that it was made for, whatever happens to the monitor later.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { action, batch, deletion, monitorIdOf, resource } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

const now = 1_700_000_000_000

export function incarnationContract(name: string, open: OpenStore): void {
  describe(`${name} and incarnations`, () => {
    let tested: StoreUnderTest
    beforeEach(async () => {
      tested = await open(() => now)
    })
    afterEach(() => tested[Symbol.asyncDispose]())

    const monitor = (change: number, uid: string) => resource(monitorIdOf(1), change, { uid })

    it('keeps the one that an action was made for, over its changes and those of the monitor', async () => {
      const { store } = tested
      await store.commit(batch({ resources: [monitor(1, 'first')] }))
      await store.commit(batch({ actions: [action('a', 1)] }))
      // Decided while the monitor existed, and committed with its deletion.
      await store.commit(batch({ actions: [action('b', 1)], resources: [deletion(monitorIdOf(1), 2)] }))
      await store.commit(batch({ resources: [monitor(3, 'second')] }))
      await store.commit(
        batch({ actions: [action('a', 1, { state: 'cancelled', outcome: 'removed' }), action('c', 1)] }),
      )
      const again = await tested.reopen()
      expect(await again.readIncarnations(['a', 'b', 'c', 'none'])).toEqual(
        new Map([
          ['a', 'first'],
          ['b', 'first'],
          ['c', 'second'],
        ]),
      )
      expect(await again.readAction('a')).toEqual(action('a', 1, { state: 'cancelled', outcome: 'removed' }))
    })

    it('has none for a digest, and an empty one where no managed monitor has the id', async () => {
      const { store } = tested
      const digest = action('digest', 1, { monitorId: null })
      await store.commit(batch({ actions: [action('a', 1), digest] }))
      expect(await store.readIncarnations(['a', 'digest'])).toEqual(new Map([['a', '']]))
    })
  })
}
