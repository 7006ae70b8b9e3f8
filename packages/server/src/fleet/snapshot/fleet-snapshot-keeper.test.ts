import { existsSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { definitionOf, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { DefinitionBuilder } from '../../config/fleet-file/definition-builder.ts'
import { silentLog } from '../../telemetry/log.ts'
import { Fleet } from '../fleet.ts'
import { headOf } from '../fleet-change.ts'
import { FleetSnapshotKeeper } from './fleet-snapshot-keeper.ts'
import { type ReadFleet, readFiles, readKept } from './kept-fleet.fixture.ts'

const line = (id: string) =>
  JSON.stringify({ id, name: `Of files ${id}`, check: { type: 'icmp', config: { host: id } } })
const rows = { isIdle: () => true, nowMs: 0 }

/** A running fleet over files with three monitors. */
async function running() {
  const folder = temporaryFolder({ 'fleet.ndjson': ['a', 'b', 'c'].map(line).join('\n') })
  const file = folder.path('fleet.ndjson')
  const path = folder.path('fleet.snapshot')
  const read: ReadFleet = await readFiles([file])
  const { definition } = read.arrangement
  const expected = monitorsOf(definition)
  const fleet = new Fleet(['icmp'])
  fleet.apply(read.arrangement)
  const head = headOf(definition)
  const options = { path, fleet, facts: read.facts, head, count: definition.count, log: silentLog }
  return {
    fleet,
    expected,
    path,
    keeper: (afterMs = 60_000) => new FleetSnapshotKeeper({ ...options, afterMs }),
    kept: () => readKept(path, [file]),
    /** As v2 writes one. */
    manage(id: string) {
      const builder = new DefinitionBuilder()
      builder.add({ id, name: 'Of v2', check: { type: 'icmp', config: { host: 'v2' } } }, null)
      fleet.apply(fleet.amend({ entries: builder.finish({}), removed: [], head: null }, rows))
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  }
}

describe('the keeper of the snapshot of fleet files', () => {
  it('writes one when the service stops, without the monitors that v2 manages beside them', async () => {
    using files = await running()
    files.manage('of-v2')
    {
      await using keeper = files.keeper()
      keeper.start()
    }
    const found = await files.kept()
    expect(monitorsOf(found!.arrangement.definition)).toEqual(files.expected)
  })

  it('writes one some time after the start', async () => {
    using files = await running()
    await using keeper = files.keeper(0)
    keeper.start()
    await expect.poll(() => existsSync(files.path)).toBe(true)
    expect(await files.kept()).not.toBeNull()
  })

  it('writes none when a monitor of v2 has taken the row of one in the files', async () => {
    using files = await running()
    files.manage('b')
    {
      await using keeper = files.keeper()
      keeper.start()
    }
    expect(existsSync(files.path)).toBe(false)
  })

  it('writes none when other files are in force by then, nor before the fleet runs', async () => {
    using files = await running()
    {
      await using keeper = files.keeper()
      keeper.start()
      keeper.filesChange()
      const entries = definitionOf([
        { id: 'a', name: 'Another', check: { type: 'icmp', config: { host: 'a' } } },
      ])
      files.fleet.apply(files.fleet.amend({ entries, removed: [], head: null }, rows))
    }
    {
      await using _never = files.keeper()
    }
    expect(existsSync(files.path)).toBe(false)
  })
})
