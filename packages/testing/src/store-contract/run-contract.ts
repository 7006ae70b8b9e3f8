// store-contract/run-contract.ts: what every store promises about the run that owns it: its batches are
// counted, and after another run has taken the store over it commits nothing more.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { batch, event } from '../store/samples.ts'
import type { OpenStore, StoreUnderTest } from './store-under-test.ts'

export function runContract(name: string, open: OpenStore): void {
  describe(`${name} and the run that has it`, () => {
    let tested: StoreUnderTest
    beforeEach(async () => {
      tested = await open(() => 1_700_000_000_000)
    })
    afterEach(() => tested[Symbol.asyncDispose]())

    it('counts the batches of the run, empty ones too', async () => {
      const { store } = tested
      expect(await store.commit(batch({ events: [event(1), event(1)] }))).toMatchObject({ batch: 1 })
      expect(await store.commit(batch({}))).toMatchObject({ batch: 2, position: 2 })
      await store.retain(1_700_000_000_000, 100)
      expect(await store.commit(batch({ events: [event(1)] }))).toMatchObject({ batch: 3, position: 3 })
    })

    it('gives every run a name of its own', async () => {
      await using other = await open(() => 1_700_000_000_000)
      expect(other.store.run).not.toBe(tested.store.run)
      expect(tested.store.run).toMatch(/^[0-9a-f-]{36}$/)
    })

    it('refuses every commit of a run that was fenced, for good, and keeps nothing of it', async () => {
      const { store } = tested
      await store.commit(batch({ events: [event(1)] }))
      await tested.fence()
      for (const _attempt of [1, 2])
        await expect(store.commit(batch({ events: [event(1)] }))).rejects.toMatchObject({
          problem: 'fenced',
          recovers: false,
        })
      await expect(store.retain(1_700_000_000_000, 100)).rejects.toMatchObject({ problem: 'fenced' })
    })
  })
}
