import { eventually } from '@pulseward/testing'
import { EngineUnderTest } from '@pulseward/testing/engine'
import { definitionOf } from '@pulseward/testing/fleet'
import { expect, it } from 'vitest'
import { success } from '../checks/driver.ts'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { silentLog } from '../telemetry/log.ts'
import { arrange } from './arrangement.ts'
import { Compactor } from './compactor.ts'
import type { FleetChange } from './fleet-change.ts'

const ids = Array.from({ length: 200 }, (_, number) => `m-${number}`)

function named(id: string, name: string): MonitorDocument {
  return { id, name, check: { type: 'tcp', interval: '10s', config: { host: id, port: 1 } } }
}

function changeOf(entries: readonly MonitorDocument[], removed: readonly string[] = []): FleetChange {
  return { entries: definitionOf(entries), removed, head: null }
}

class Compacting implements AsyncDisposable {
  readonly tested: EngineUnderTest
  readonly compactor: Compactor
  /** Of each compaction, whether its fleet was still in force. */
  readonly ended: boolean[] = []

  private constructor(tested: EngineUnderTest) {
    this.tested = tested
    this.compactor = new Compactor({
      fleet: tested.fleet,
      apply: (compaction, packed) => void this.ended.push(tested.engine.endCompaction(compaction, packed)),
      log: silentLog,
      bounds: { deadShare: 0.25, deadBytes: 1_000 },
    })
  }

  static async start(): Promise<Compacting> {
    return new Compacting(await EngineUnderTest.start(ids.map((id) => named(id, `First name of ${id}`))))
  }

  async amend(change: FleetChange): Promise<void> {
    const { engine } = this.tested
    await engine.turn((turn) => void engine.amendFleet(turn, change, null))
  }

  async renameAll(word: string): Promise<void> {
    await this.amend(changeOf(ids.map((id) => named(id, `${word} name of ${id}`))))
  }

  /** Bytes of all names. */
  get nameBytes(): number {
    return this.tested.fleet.definition.names.chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0)
  }

  nameOf(id: string): string {
    const { fleet } = this.tested
    return fleet.nameOf(fleet.rowOf(id))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.compactor[Symbol.asyncDispose]()
  }
}

it('packs texts anew when a quarter of their bytes is dead, and not before', async () => {
  await using run = await Compacting.start()
  run.compactor.look()
  for (const word of ['Second', 'Third', 'Fourth']) await run.renameAll(word)
  const before = run.nameBytes
  const configs = run.tested.fleet.definition.configs
  run.compactor.look()
  await eventually(() => expect(run.ended).toEqual([true]))
  expect(run.nameBytes).toBeLessThan(before / 2)
  expect(ids.map((id) => run.nameOf(id))).toEqual(ids.map((id) => `Fourth name of ${id}`))
  // Configurations are all in use, and stay where they are.
  expect(run.tested.fleet.definition.configs).toBe(configs)
})

it('loses nothing of what is changed meanwhile, while checks go on', async () => {
  await using run = await Compacting.start()
  const { tested } = run
  for (const word of ['Second', 'Third', 'Fourth']) await run.renameAll(word)
  run.compactor.look()
  const more = Array.from({ length: 300 }, (_, number) => named(`new-${number}`, `New ${number}`))
  await run.amend(changeOf([named('m-0', 'Renamed'), ...more], ['m-1', 'm-2']))
  await run.amend(changeOf([named('m-3', 'Renamed'), named('m-3b', 'Another')], ['new-5']))
  tested.advance(10_000, (check) => tested.end(check, success(1)))
  expect(run.ended).toEqual([])
  await eventually(() => expect(run.ended).toEqual([true]))
  const { fleet } = tested
  expect(['m-0', 'm-3', 'm-3b', 'm-4', 'new-7'].map((id) => run.nameOf(id))).toEqual([
    'Renamed',
    'Renamed',
    'Another',
    'Fourth name of m-4',
    'New 7',
  ])
  expect(['m-1', 'm-2', 'new-5'].map((id) => fleet.rowOf(id))).toEqual([-1, -1, -1])
  expect(fleet.counts.total).toBe(ids.length - 2 + 300 - 1 + 1)
  const names = new PackedReader(fleet.searchNames)
  expect(names.get(fleet.rowOf('m-0'))).toBe('renamed')
  await run.amend(changeOf([named('m-4', 'Afterwards')]))
  expect(run.nameOf('m-4')).toBe('Afterwards')
  const checked = tested.started.length
  tested.advance(20_000, (check) => tested.end(check, success(1)))
  expect(new Set(tested.started.slice(checked).map(({ monitorId }) => monitorId)).size).toBe(
    fleet.counts.total,
  )
})

it('drops what was packed when another fleet came into force meanwhile', async () => {
  await using run = await Compacting.start()
  const { fleet } = run.tested
  for (const word of ['Second', 'Third', 'Fourth']) await run.renameAll(word)
  run.compactor.look()
  const { definition, present } = fleet
  const arrangement = arrange(definitionOf(ids.map((id) => named(id, `Loaded ${id}`))), {
    definition,
    present,
  })
  run.tested.engine.applyFleet({
    next: { kind: 'whole', arrangement },
    credentials: new Map(),
    files: [],
    report: { added: 0, removed: 0, changed: 0, unchanged: 0 },
  })
  await eventually(() => expect(run.ended).toEqual([false]))
  expect(run.nameOf('m-9')).toBe('Loaded m-9')
})
