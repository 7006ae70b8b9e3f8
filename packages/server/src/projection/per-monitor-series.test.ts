// Metrics of single monitors, as a metrics server gets them from the editions, and the bound on how many there are.
import type { v2 } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { readMetrics } from '@pulseward/testing/api'
import { documentOf, type ServedEdition, serveEdition, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { definitionOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'
import { parsePerMonitorSelector } from '../config/settings/per-monitor-selector.ts'
import type { EngineReading } from '../engine/engine-reading.ts'
import { amendedRows, arrange } from '../fleet/arrangement.ts'
import { Fleet } from '../fleet/fleet.ts'
import { exposition } from '../telemetry/exposition.ts'
import { PerMonitorSeries } from './per-monitor-series.ts'

const payments = { labels: { team: 'payments' } }
const settings = { 'metrics.per_monitor': parsePerMonitorSelector('team=payments') }

function readSeries(text: string, name: string): Record<string, number> {
  const { samples } = readMetrics(text, 'prometheus').get(`pulseward_${name}`) ?? { samples: [] }
  return Object.fromEntries(samples.map(({ labels, value }) => [labels['monitor_id'] ?? '', value]))
}

const scrape = async ({ get }: Pick<ServedEdition, 'get'>) => await (await get('/metrics')).text()
const successes = async (served: Pick<ServedEdition, 'get'>) =>
  readSeries(await scrape(served), 'probe_success')

describe.each(['main', 'candidate'] as const)('metrics of single monitors in %s', (edition) => {
  async function serving(service: TestService): Promise<ServedEdition> {
    const served = await serveEdition(edition, service, { settings })
    onTestFinished(() => served[Symbol.asyncDispose]())
    await eventually(async () => expect((await served.get('overview')).status).toBe(200))
    return served
  }

  it('say how the last check of each selected monitor ended and how long it took', async () => {
    const monitors = ['well', 'down', 'silent'].map((id) => ({ ...http(id), ...payments }))
    const service = await TestService.start({ monitors: [...monitors, http('other')] })
    service.target('down').goesDown()
    service.target('silent').hangs()
    await service.advance({ seconds: 31 })
    const text = await scrape(await serving(service))
    expect(readSeries(text, 'probe_success')).toEqual({ well: 1, down: 0, silent: 0 })
    expect(readSeries(text, 'probe_duration_seconds')).toEqual({ well: 0.005, down: 0.005, silent: 10 })
    expect(readSeries(text, 'per_monitor_left_out')).toEqual({ '': 0 })
  })

  it('are absent before the first check, of a disabled monitor, and when the last check said nothing', async () => {
    const monitors: MonitorDocument[] = ['mute', 'off', 'late'].map((id) => ({ ...http(id), ...payments }))
    const service = await TestService.start({ monitors })
    const served = await serving(service)
    expect(await successes(served)).toEqual({})
    await service.advance({ seconds: 11 })
    expect(await successes(served)).toEqual({ mute: 1, off: 1, late: 1 })
    service.target('mute').end = { ...service.target('mute').end, status: 'no_data' }
    await service.reload({ monitors: monitors.map((one) => ({ ...one, enabled: one.id !== 'off' })) })
    served.fleetChanged()
    await service.advance({ seconds: 11 })
    expect(await successes(served)).toEqual({ late: 1 })
  })

  it('are absent after a change of the check, until it ran', async () => {
    const service = await TestService.start({ monitors: [{ ...http('edge'), ...payments }] })
    const served = await serving(service)
    await service.advance({ seconds: 11 })
    const check = { type: 'http', interval: '10s', config: { url: 'http://elsewhere.test/' } }
    await service.reload({ monitors: [{ ...http('edge'), ...payments, check }] })
    served.fleetChanged()
    expect(await successes(served)).toEqual({})
    await service.advance({ seconds: 11 })
    expect(await successes(served)).toEqual({ edge: 1 })
  })

  it('carry any name unharmed', async () => {
    const name = '"quoted" \\ back {a="b"} é\u{1F600}'
    const service = await TestService.start({ monitors: [{ ...http('odd'), ...payments, name }] })
    await service.advance({ seconds: 11 })
    const families = readMetrics(await scrape(await serving(service)), 'prometheus')
    expect(families.get('pulseward_probe_success')!.samples[0]!.labels).toEqual({ monitor_id: 'odd', name })
  })

  it('follow a reload that changes labels, adds and removes', async () => {
    const monitor = (id: string) => ({ ...http(id), ...payments })
    const service = await TestService.start({
      monitors: [monitor('stays'), monitor('leaves'), http('joins')],
    })
    await service.advance({ seconds: 11 })
    const served = await serving(service)
    expect(await successes(served)).toEqual({ stays: 1, leaves: 1 })
    await service.reload({ monitors: [monitor('stays'), monitor('joins'), monitor('new')] })
    served.fleetChanged()
    await service.advance({ seconds: 11 })
    expect(await successes(served)).toEqual({ stays: 1, joins: 1, new: 1 })
  })
})

describe('metrics of single monitors in next', () => {
  it('follow what is written through v2', async () => {
    const service = await TestService.start({ monitors: [] })
    await using served = await serveNext(service, { settings })
    const { spec, ...document } = documentOf('Monitor', 'edge')
    const write = async (operation: v2.OperationName, call: object) => {
      const response = await served.call(operation, { id: 'edge', ...call })
      expect(response.status, await response.clone().text()).toBeLessThan(300)
      return { 'if-match': response.headers.get('etag') ?? '' }
    }
    const metadata = (labels: object | null) => ({ ...document.metadata, labels })
    let headers = await write('CreateMonitor', {
      body: { ...document, spec, metadata: metadata(payments.labels) },
      headers: { 'if-none-match': '*' },
    })
    expect(await successes(served)).toEqual({})
    await service.advance({ seconds: 11 })
    expect(await successes(served)).toEqual({ edge: 1 })
    headers = await write('PatchMonitor', { headers, body: { metadata: { labels: { team: 'search' } } } })
    expect(await successes(served)).toEqual({})
    headers = await write('PatchMonitor', { headers, body: { metadata: metadata(payments.labels) } })
    expect(await successes(served)).toEqual({ edge: 1 })
    await write('DeleteMonitor', { headers })
    expect(await successes(served)).toEqual({})
  })
})

describe('the bound on series', () => {
  /** Monitors that were all checked well, with numbers in the order in which they came. */
  class World {
    readonly fleet = new Fleet(['tcp'])
    readonly warnings: string[] = []
    readonly series: PerMonitorSeries
    #numbers = 0

    constructor(most: number, selector = 'team=payments') {
      this.series = new PerMonitorSeries({
        selector: parsePerMonitorSelector(selector),
        fleet: this.fleet,
        engine: {} as Pick<EngineReading, 'healthOf'>,
        log: { warn: (_: unknown, words: string) => void this.warnings.push(words) } as never,
        most,
      })
    }

    load(monitors: readonly MonitorDocument[]): void {
      const { loaded } = this.fleet
      const before = loaded ? { definition: this.fleet.definition, present: this.fleet.present } : null
      const arrangement = arrange(definitionOf(monitors), before)
      this.fleet.apply(arrangement)
      this.#check(arrangement.added)
      this.series.fleetChanged(null)
    }

    amend(monitors: readonly MonitorDocument[], removed: readonly string[]): void {
      const change = { entries: definitionOf(monitors), removed, head: null }
      const arrangement = this.fleet.amend(change, { isIdle: () => true, nowMs: 0 })
      this.fleet.apply(arrangement)
      this.#check(arrangement.added)
      this.series.fleetChanged(amendedRows(arrangement))
    }

    #check(rows: Uint32Array): void {
      const { columns } = this.fleet
      for (const row of rows) {
        columns.numericId[row] = ++this.#numbers
        columns.latencyMs[row] = 5
        columns.quiet[row] = 1
      }
    }

    numberOf(id: string): number {
      return this.fleet.columns.numericId[this.fleet.rowOf(id)]!
    }

    read() {
      const text = exposition(this.series.families(), 'prometheus')
      return {
        ids: Object.keys(readSeries(text, 'probe_success')).sort(),
        leftOut: readSeries(text, 'per_monitor_left_out')[''],
      }
    }
  }

  const check = { type: 'tcp', config: { host: 'a', port: 1 } }
  const monitor = (id: string, team = 'payments'): MonitorDocument => ({
    id,
    name: id,
    check,
    labels: { team },
  })

  it('says nothing before there is a fleet', () => expect(new World(2).series.families()).toEqual([]))

  it('lets the lowest ids have series, says how many have none, and warns each time that it begins', () => {
    const world = new World(2)
    world.load(['c', 'b'].map((id) => monitor(id)))
    expect(world.read()).toEqual({ ids: ['b', 'c'], leftOut: 0 })
    expect(world.warnings).toEqual([])
    world.amend([monitor('a')], [])
    expect(world.read()).toEqual({ ids: ['b', 'c'], leftOut: 1 })
    world.amend([monitor('d')], [])
    expect(world.warnings).toEqual([expect.stringContaining('selects more monitors than may have series')])
    world.amend([], ['c', 'd'])
    expect(world.read()).toEqual({ ids: ['a', 'b'], leftOut: 0 })
    world.load(['a', 'b', 'e'].map((id) => monitor(id)))
    expect(world.read()).toEqual({ ids: ['a', 'b'], leftOut: 1 })
    expect(world.warnings).toHaveLength(2)
  })

  it('shows what a look at the whole fleet would select, after any changes', () => {
    const ids = [...'abcdefghijkl']
    const written = fc.uniqueArray(
      fc.record({ id: fc.constantFrom(...ids), team: fc.constantFrom('payments', 'search') }),
      { selector: ({ id }) => id },
    )
    const step = fc.record({ isReload: fc.boolean(), written, removed: fc.subarray(ids) })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 6 }), written, fc.array(step), (most, first, steps) => {
        // It also selects what has no labels, as rows without a monitor have none.
        const world = new World(most, 'team!=search')
        const teams = new Map<string, string>()
        const documents = (all: typeof first) => all.map(({ id, team }) => monitor(id, team))
        world.load(documents(first))
        for (const { id, team } of first) teams.set(id, team)
        for (const { isReload, written, removed } of steps) {
          const leaving = removed.filter((id) => !written.some((one) => one.id === id))
          if (isReload) world.load(documents(written))
          else world.amend(documents(written), leaving)
          for (const id of isReload ? ids : leaving) teams.delete(id)
          for (const { id, team } of written) teams.set(id, team)
          const selected = [...teams].flatMap(([id, team]) => (team === 'payments' ? [id] : []))
          selected.sort((one, other) => world.numberOf(one) - world.numberOf(other))
          expect(world.read()).toEqual({
            ids: selected.slice(0, most).sort(),
            leftOut: Math.max(0, selected.length - most),
          })
        }
      }),
    )
  })

  it('leaves a duration out that is not known, and writes others to the microsecond', () => {
    const world = new World(2)
    world.load(['a', 'b'].map((id) => monitor(id)))
    world.fleet.columns.latencyMs.set([Number.NaN, 42.3])
    const text = exposition(world.series.families(), 'prometheus')
    expect(readSeries(text, 'probe_success')).toEqual({ a: 1, b: 1 })
    expect(readSeries(text, 'probe_duration_seconds')).toEqual({ b: 0.0423 })
  })

  it('finds the lowest ids of many, whatever rows they have', () => {
    const world = new World(10)
    world.load(Array.from({ length: 1_000 }, (_, number) => monitor(`m${number}`)))
    const { numericId } = world.fleet.columns
    for (let row = 0; row < 1_000; row++) numericId[row] = 1_000 - row
    expect(world.read().ids).toEqual(Array.from({ length: 10 }, (_, index) => `m${990 + index}`))
  })
})
