// A PostgreSQL whose disk is really full: what does not fit is refused as a whole, and goes on when there is room.
import { describeUnless, temporaryFolder } from '@pulseward/testing'
import { whyNoSmallDisk } from '@pulseward/testing/process'
import { describeServer, postgresPlace, postgresql, startOnSmallDisk } from '@pulseward/testing/servers'
import { batch, event } from '@pulseward/testing/store'
import { expect, it } from 'vitest'
import { StoreError } from '../store.ts'
import { PostgresStore } from './postgres-store.ts'

function whyNot(): string | null {
  using folder = temporaryFolder()
  return whyNoSmallDisk(folder.root)
}

const all = {
  monitorId: null,
  order: 'asc',
  upTo: Number.MAX_SAFE_INTEGER,
  after: null,
  limit: 100_000,
} as const

describeServer(postgresql, (program) => {
  describeUnless(program === '' ? null : whyNot(), 'its disk', () => {
    it('refuses what does not fit, says so, and keeps each commit once when there is room again', async () => {
      await using server = await startOnSmallDisk(program)
      using place = postgresPlace(server)
      const { address, staging } = place
      await using store = await PostgresStore.open({
        address,
        staging,
        passwordFile: null,
        now: Date.now,
        beats: false,
      })
      const numbered = (number: number) =>
        batch({ events: Array.from({ length: 200 }, (_, one) => event(null, { kind: `${number}.${one}` })) })
      await store.commit(numbered(0))
      const tooMuch = "SELECT repeat('x', 1000) FROM generate_series(1, 100000)"
      await expect(place.run(`COPY (${tooMuch}) TO '${server.ballast}'`)).rejects.toThrow(/is full/)
      let refused = 1
      let refusal: unknown = null
      while (refusal === null) {
        try {
          await store.commit(numbered(refused))
          refused++
        } catch (error) {
          refusal = error
        }
      }
      if (!(refusal instanceof StoreError)) throw refusal
      expect(refusal).toMatchObject({ problem: 'full', recovers: true, inDoubt: false })
      expect(refusal.told).toBe('the disk of PostgreSQL is full')
      await expect(store.commit(numbered(refused))).rejects.toMatchObject({ problem: 'full' })
      await place.run(`COPY (SELECT WHERE false) TO '${server.ballast}'`)
      await store.commit(numbered(refused))
      const { events } = await store.readEvents(all)
      expect(events.map(({ kind }) => kind)).toEqual(
        Array.from({ length: refused + 1 }, (_, number) => numbered(number).events)
          .flat()
          .map(({ kind }) => kind),
      )
    })
  })
})
