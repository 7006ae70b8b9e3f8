import { existsSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { definitionOf, monitorsOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { type Arrangement, arrange } from '../fleet/arrangement.ts'
import { Fleet } from '../fleet/fleet.ts'
import { noHead } from '../fleet/fleet-change.ts'
import { MemoryStore } from '../store/memory-store.ts'
import { emptyBatch } from '../store/record-types.ts'
import type { ResourceWrite } from '../store/resource.ts'
import { silentLog } from '../telemetry/log.ts'
import { arrangeBeside, arrangeOwn, idsOf, type OwnFleet, readOwnFleet } from './own-fleet.ts'
import { SnapshotKeeper } from './snapshot-keeper.ts'

const head = noHead

interface Step {
  readonly id: string
  /** Null: deleted. */
  readonly port: number | null
}

class OwnStore implements Disposable {
  readonly store = new MemoryStore(() => 0)
  readonly #folder = temporaryFolder()
  readonly place = { path: this.#folder.path('snapshot'), key: 'one' }
  #change = 0

  async write(steps: readonly Step[], more: object = {}): Promise<void> {
    for (const { id, port } of steps) {
      const change = ++this.#change
      const spec = JSON.stringify({
        check: { driver: { type: 'tcp', config: { host: 'a', port } }, interval: `${(port ?? 0) + 10}s` },
        tags: [`p-${port}`],
        ...more,
      })
      const resource: ResourceWrite =
        port === null
          ? { kind: 'Monitor', id, change, deleted: true }
          : {
              kind: 'Monitor',
              id,
              change,
              uid: `u-${change}`,
              generation: 1,
              name: `Name ${id} ${port}`,
              labels: { port: String(port) },
              spec,
              sealed: null,
              createdAt: 0,
              updatedAt: 0,
            }
      await this.store.commit({ ...emptyBatch, resources: [resource] })
    }
  }

  async read(place: typeof this.place | null): Promise<OwnFleet> {
    return readOwnFleet(await this.store.recover(0), place, driverShapes)
  }

  /** As a running service keeps it. */
  async keepSnapshot(): Promise<void> {
    const fleet = new Fleet(['tcp'])
    fleet.apply(arrangeOwn(await this.read(null), head))
    const change = this.#change
    const bounds = { monitorsAtLeast: 0, changesAtLeast: 1, changedShare: 0, everyMs: 60_000 }
    await using keeper = new SnapshotKeeper({
      place: this.place,
      fleet,
      change: () => change,
      snapshotChange: null,
      log: silentLog,
      bounds,
    })
    keeper.start()
  }

  [Symbol.dispose](): void {
    this.#folder[Symbol.dispose]()
  }
}

function shownBy({ definition, present }: Arrangement) {
  const all = monitorsOf(definition).filter((_, row) => present[row] === 1)
  return new Map(all.map((one) => [one.id, one]))
}

const steps = fc.array(
  fc.record({
    id: fc.constantFrom(...'abcdefghij'),
    port: fc.oneof(
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
  }),
  { minLength: 1, maxLength: 15 },
)

describe('the monitors of v2 at a start', () => {
  it('are the same from a snapshot and what changed since as from the store alone', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.array(steps.map((all) => all[0]!)), async (before, since) => {
        using own = new OwnStore()
        await own.write(before)
        await own.keepSnapshot()
        await own.write(since)
        const kept = await own.read(own.place)
        expect(kept.snapshotChange).toBe(before.length)
        const alone = await own.read(null)
        const expected = shownBy(arrangeOwn(alone, head))
        const arrangement = arrangeOwn(kept, head)
        expect(shownBy(arrangement)).toEqual(expected)
        expect(new Set(idsOf(kept))).toEqual(new Set(expected.keys()))
        expect(arrangement.added).toHaveLength(expected.size)
      }),
      { numRuns: 15 },
    )
  })

  it('keep what may not be written any more: 64 maintenance windows', async () => {
    using own = new OwnStore()
    const maintenance = Array.from({ length: 64 }, () => ({ cron: '0 3 * * 0', duration: '1h' }))
    await own.write([{ id: 'a', port: 1 }], { maintenance })
    await own.keepSnapshot()
    for (const place of [own.place, null]) {
      const { definition } = arrangeOwn(await own.read(place), head)
      expect(definition.maintenance.values.map((windows) => windows.length)).toContain(64)
    }
  })

  it('stand beside those of files, also under an id that v2 has given up', async () => {
    using own = new OwnStore()
    await own.write(['a', 'b', 'c'].map((id) => ({ id, port: 1 })))
    await own.keepSnapshot()
    await own.write([
      { id: 'a', port: null },
      { id: 'b', port: 2 },
      { id: 'd', port: 3 },
    ])
    const check = { type: 'tcp', config: { host: 'file', port: 9 } }
    const files = arrange(
      definitionOf(['a', 'b', 'z'].map((id) => ({ id, name: `File ${id}`, check }))),
      null,
    )
    const shown = shownBy(arrangeBeside(files, await own.read(own.place), head))
    expect(Object.fromEntries([...shown].map(([id, { name }]) => [id, name]))).toEqual({
      a: 'File a',
      b: 'Name b 2',
      c: 'Name c 1',
      d: 'Name d 3',
      z: 'File z',
    })
  })

  it('come from the store when the snapshot is of another life of it, and it is removed', async () => {
    using own = new OwnStore()
    await own.write([{ id: 'a', port: 1 }])
    await own.keepSnapshot()
    const { snapshotChange, definition } = await own.read({ ...own.place, key: 'another' })
    expect(snapshotChange).toBeNull()
    expect(definition.count).toBe(1)
    expect(existsSync(own.place.path)).toBe(false)
  })

  it('come from the store when the snapshot knows of changes that the store has not', async () => {
    using earlier = new OwnStore()
    using own = new OwnStore()
    await own.write([
      { id: 'a', port: 1 },
      { id: 'b', port: 1 },
    ])
    await own.keepSnapshot()
    await earlier.write([{ id: 'c', port: 1 }])
    const { snapshotChange, definition } = await earlier.read(own.place)
    expect(snapshotChange).toBeNull()
    expect(monitorsOf(definition).map(({ id }) => id)).toEqual(['c'])
    expect(existsSync(own.place.path)).toBe(false)
  })
})

describe('the keeper of snapshots', () => {
  const keeperOf = async (
    own: OwnStore,
    change: () => number,
    snapshotChange: number | null,
    atLeast: number,
  ) => {
    const fleet = new Fleet(['tcp'])
    fleet.apply(arrangeOwn(await own.read(null), head))
    const bounds = { monitorsAtLeast: atLeast, changesAtLeast: 10, changedShare: 0, everyMs: 60_000 }
    return new SnapshotKeeper({ place: own.place, fleet, change, snapshotChange, log: silentLog, bounds })
  }

  it('writes none of a small fleet, and none before enough has changed', async () => {
    using own = new OwnStore()
    await own.write([{ id: 'a', port: 1 }])
    await (await keeperOf(own, () => 100, null, 2)).keep()
    expect(existsSync(own.place.path)).toBe(false)
    let change = 104
    const keeper = await keeperOf(own, () => change, 100, 1)
    await keeper.keep()
    expect(existsSync(own.place.path)).toBe(false)
    change = 110
    await keeper.keep()
    expect(existsSync(own.place.path)).toBe(true)
  })

  it('says that one could not be written, and goes on', async () => {
    using own = new OwnStore()
    await own.write([{ id: 'a', port: 1 }])
    const fleet = new Fleet(['tcp'])
    fleet.apply(arrangeOwn(await own.read(null), head))
    const warnings: string[] = []
    const log = { ...silentLog, warn: (words: unknown) => void warnings.push(String(words)) }
    const place = { ...own.place, path: `${own.place.path}/no/such/folder` }
    const bounds = { monitorsAtLeast: 0, changesAtLeast: 1, changedShare: 0, everyMs: 60_000 }
    const keeper = new SnapshotKeeper({ place, fleet, change: () => 1, snapshotChange: null, log, bounds })
    await keeper.keep()
    expect(warnings).toEqual([expect.stringMatching(/was not written.*ENOENT/)])
  })
})
