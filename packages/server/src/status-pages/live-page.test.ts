// A page over time: what it looks at, how often, and when it is made anew. The fleet is real, and so is its store; checks
// are not needed for what a page shows of them.
import { loadFleetFiles } from '@pulseward/testing/fleet'
import { beforeEach, describe, expect, it } from 'vitest'
import { sharedValue } from '../config/fleet-file/definition.ts'
import { MaintenanceWindows, type WindowState } from '../deciding/maintenance-windows.ts'
import { arrange } from '../fleet/arrangement.ts'
import { statusNumber } from '../fleet/columns.ts'
import { Fleet } from '../fleet/fleet.ts'
import type { NumberedCell, TrendsQuery } from '../store/trend.ts'
import { silentLog } from '../telemetry/log.ts'
import { emptyCell } from '../trends/cell.ts'
import { StatusPages } from './status-pages.ts'
import type { Written } from './written-incident.ts'

const dayMs = 86_400_000
const noon = 20_000 * dayMs + dayMs / 2
const page = (title: string) => `status_pages:
  shop:
    title: ${title}
    groups:
      - name: Shop
        components:
          - { id: checkout, name: Checkout, monitors: [a, b] }
          - { id: search, name: Search, match: { service: search } }
`
const monitor = (id: string, more = '') =>
  `  - { id: ${id}, name: ${id}, ${more} check: { type: tcp, config: { host: x, port: 1 } } }\n`
const monitors = `monitors:\n${monitor('a', 'maintenance: [{ cron: "0 3 * * *", duration: 1h }],')}${monitor('b')}${monitor('s1', 'labels: { service: search },')}`

class World {
  monotonicMs = 0
  wallMs = noon
  staleSinceMs: number | null = null
  cells = new Map<string, Pick<NumberedCell, 'samples' | 'healthy'>>()
  failsToRead = false
  written: Written[] = []
  readonly queries: TrendsQuery[] = []
  windows = new Set<number>()
  readonly fleet = new Fleet(['tcp'])
  readonly pages = new StatusPages({
    fleet: this.fleet,
    engine: {
      now: () => this.wallMs,
      windowOf: (row): WindowState =>
        this.windows.has(row)
          ? { active: true, untilMs: this.wallMs + 1 }
          : { active: false, nextAtMs: null },
      windowsBetween: (row, fromMs, toMs) => {
        const windows = new MaintenanceWindows(sharedValue(this.fleet.definition.maintenance, row))
        return windows.between(fromMs, toMs, 100)
      },
    },
    clock: { monotonicMs: () => this.monotonicMs, wallMs: () => this.wallMs } as never,
    log: silentLog,
    store: {
      readTrends: async (query) => {
        this.queries.push(query)
        if (this.failsToRead) throw new Error('the disk is gone')
        return query.numericIds.map((id) => this.#cellsOf(id, query))
      },
    },
    isReady: () => true,
    publicUrl: null,
    ownHosts: new Set(['localhost']),
    staleSinceMs: () => this.staleSinceMs,
    written: {
      version: () => this.written.length,
      of: (page) => this.written.filter(({ spec }) => spec.pageRef === page),
    },
  })

  async load(files: string): Promise<void> {
    const { definition } = await loadFleetFiles(files)
    const before = this.fleet.loaded
      ? { definition: this.fleet.definition, present: this.fleet.present }
      : null
    this.fleet.apply(arrange(definition, before))
    for (const row of this.fleet.rowsInUse()) this.fleet.columns.numericId[row] = row + 1
    this.pages.fleetChanged()
  }

  set(id: string, status: keyof typeof statusNumber): void {
    this.fleet.setStatus(this.fleet.rowOf(id), statusNumber[status])
  }

  async view() {
    return (await this.pages.find('shop')!.content()).view
  }

  async states(): Promise<string[]> {
    return (await this.view()).groups.flatMap(({ components }) => components.map(({ state }) => state))
  }

  #cellsOf(id: number, { level, from, to }: TrendsQuery): NumberedCell[] {
    return [...this.cells].flatMap(([key, cell]) => {
      const [ofLevel, number, at] = key.split(' ')
      const isMeant = ofLevel === level && Number(number) === id && Number(at) >= from && Number(at) <= to
      return isMeant ? [{ ...emptyCell, ...cell, cell: Number(at) }] : []
    })
  }
}

let world: World
beforeEach(async () => {
  world = new World()
  await world.load(page('Example Shop') + monitors)
})

describe('a page', () => {
  it('shows the states of its monitors, and looks at them at most once per second', async () => {
    expect(await world.states()).toEqual(['no_data', 'no_data'])
    for (const id of ['a', 'b', 's1']) world.set(id, 'up')
    expect(await world.states()).toEqual(['no_data', 'no_data'])
    world.monotonicMs += 1_000
    expect(await world.states()).toEqual(['operational', 'operational'])
    world.set('a', 'incident')
    world.monotonicMs += 999
    expect(await world.states()).toEqual(['operational', 'operational'])
    world.monotonicMs += 1
    expect(await world.states()).toEqual(['partial_outage', 'operational'])
    expect((await world.view()).state).toBe('partial_outage')
  })

  it('is not made anew while nothing on it changes, and each component has its own time', async () => {
    for (const id of ['a', 'b', 's1']) world.set(id, 'up')
    await world.view()
    world.monotonicMs += 1_000
    const before = await world.pages.find('shop')!.content()
    world.monotonicMs += 10_000
    world.wallMs += 10_000
    expect(await world.pages.find('shop')!.content()).toBe(before)
    world.set('s1', 'incident')
    world.monotonicMs += 1_000
    const after = await world.pages.find('shop')!.content()
    expect(after).not.toBe(before)
    const [checkout, search] = after.view.groups[0]!.components
    expect([checkout!.changedAtMs, search!.changedAtMs]).toEqual([noon, noon + 10_000])
  })

  it('shows monitors in maintenance as that', async () => {
    for (const id of ['a', 'b']) world.set(id, 'incident')
    world.windows.add(world.fleet.rowOf('a'))
    // A row without windows is not asked about.
    world.windows.add(world.fleet.rowOf('b'))
    expect(await world.states()).toEqual(['major_outage', 'no_data'])
    world.set('b', 'unknown')
    world.monotonicMs += 1_000
    expect(await world.states()).toEqual(['under_maintenance', 'no_data'])
  })

  it('says since when it is not up to date', async () => {
    await world.view()
    world.staleSinceMs = noon - 5_000
    world.monotonicMs += 1_000
    expect((await world.view()).staleSinceMs).toBe(noon - 5_000)
    world.staleSinceMs = null
    world.monotonicMs += 1_000
    expect((await world.view()).staleSinceMs).toBeNull()
  })

  it('follows monitors that are added and removed, and its own definition', async () => {
    for (const id of ['a', 'b', 's1']) world.set(id, 'up')
    await world.view()
    await world.load(page('Example Shop') + monitors + monitor('s2', 'labels: { service: search },'))
    world.set('s2', 'incident')
    world.monotonicMs += 1_000
    expect(await world.states()).toEqual(['operational', 'partial_outage'])
    await world.load(page('Renamed') + monitors)
    expect(await world.states()).toEqual(['operational', 'operational'])
    expect((await world.view()).title).toBe('Renamed')
    await world.load(monitors)
    expect(world.pages.find('shop')).toBeNull()
    expect(world.pages.hasPages).toBe(false)
  })
})

describe('the bars of a page', () => {
  const today = 20_000
  const days = async () => (await world.view()).groups[0]!.components[0]!.days
  const again = async () => {
    world.monotonicMs += 60_000
    await world.view()
    // What was read is there for the next reader.
    await new Promise(setImmediate)
    await new Promise(setImmediate)
  }

  it('are the days of the trends, with yesterday and today from hours', async () => {
    world.cells.set(`day 1 ${today - 89}`, { samples: 10, healthy: 5 })
    world.cells.set(`day 2 ${today - 89}`, { samples: 30, healthy: 30 })
    world.cells.set(`day 1 ${today - 2}`, { samples: 10, healthy: 10 })
    // A day that is counted by its hours already.
    world.cells.set(`day 1 ${today - 1}`, { samples: 99, healthy: 0 })
    world.cells.set(`hour 1 ${(today - 1) * 24 + 23}`, { samples: 4, healthy: 3 })
    world.cells.set(`hour 1 ${today * 24}`, { samples: 4, healthy: 1 })
    const shown = await days()
    expect([shown[0], shown[1], shown[87], shown[88], shown[89]]).toEqual([35 / 40, null, 1, 0.75, 0.25])
    expect((await world.view()).today).toBe(today)
  })

  it('are read once per minute, only while somebody looks, and past days once per hour', async () => {
    await world.view()
    const levels = () => world.queries.splice(0).map(({ level }) => level)
    expect(levels()).toEqual(['day', 'hour'])
    world.monotonicMs += 59_999
    await world.view()
    expect(levels()).toEqual([])
    await again()
    expect(levels()).toEqual(['hour'])
    world.wallMs += 3_600_000
    await again()
    expect(levels()).toEqual(['day', 'hour'])
  })

  it('make the page anew only if they differ', async () => {
    const content = () => world.pages.find('shop')!.content()
    const before = await content()
    await again()
    expect(await content()).toBe(before)
    world.cells.set(`hour 1 ${today * 24}`, { samples: 4, healthy: 1 })
    await again()
    expect(await content()).not.toBe(before)
  })

  it('move at midnight', async () => {
    world.cells.set(`hour 1 ${today * 24}`, { samples: 4, healthy: 2 })
    expect((await days()).at(-1)).toBe(0.5)
    world.wallMs += dayMs
    await again()
    expect((await days()).slice(-2)).toEqual([0.5, null])
  })

  it('stay as they were if they cannot be read', async () => {
    world.cells.set(`hour 1 ${today * 24}`, { samples: 4, healthy: 2 })
    await world.view()
    world.failsToRead = true
    world.wallMs += 3_600_000
    await again()
    expect((await days()).at(-1)).toBe(0.5)
  })

  it('of many monitors are read in pieces, each monitor once', async () => {
    const many = Array.from({ length: 150 }, (_, number) =>
      monitor(`m${number}`, 'labels: { service: search },'),
    )
    await world.load(page('Example Shop') + monitors + many.join(''))
    await world.view()
    const asked = world.queries.filter(({ level }) => level === 'hour').map(({ numericIds }) => numericIds)
    expect(asked.map(({ length }) => length)).toEqual([64, 64, 25])
    expect(new Set(asked.flat()).size).toBe(153)
  })
})

describe('what people wrote', () => {
  const said = (
    state: 'operational' | 'major_outage',
    ...phases: ('identified' | 'resolved')[]
  ): Written => ({
    id: 'one',
    spec: {
      pageRef: 'shop',
      title: 'One',
      components: [{ id: 'checkout', state }],
      updates: phases.map((phase, index) => ({
        at: new Date(noon + index * 60_000).toISOString(),
        phase,
        text: 'x',
      })),
    },
    createdAt: noon,
    updatedAt: noon,
  })
  const checkout = async () => (await world.view()).groups[0]!.components[0]!.state

  it('counts before what monitors say, until it is resolved', async () => {
    world.set('a', 'incident')
    world.set('b', 'up')
    expect(await checkout()).toBe('partial_outage')
    world.monotonicMs += 1_000
    world.written = [said('major_outage', 'identified', 'resolved')]
    expect(await checkout()).toBe('major_outage')
    world.wallMs += 60_000
    world.monotonicMs += 60_000
    expect(await checkout()).toBe('partial_outage')
    expect((await world.view()).incidents).toMatchObject([{ id: 'one', phase: 'resolved' }])
  })

  it('is on its own page alone', async () => {
    const elsewhere = said('major_outage', 'identified')
    world.written = [{ ...elsewhere, spec: { ...elsewhere.spec, pageRef: 'other' } }]
    expect((await world.view()).incidents).toEqual([])
  })
})

describe('the maintenance of a page', () => {
  const planned = () =>
    world
      .view()
      .then(({ maintenance }) =>
        maintenance.map(({ fromMs, untilMs, componentIds }) => ({ fromMs, untilMs, componentIds })),
      )
  const midnight = noon - dayMs / 2
  const later = async (ms: number) => {
    world.wallMs += ms
    world.monotonicMs += ms
    return planned()
  }
  const once = (from: number, to: number) =>
    `maintenance: [{ start: "${new Date(from).toISOString()}", end: "${new Date(to).toISOString()}" }],`
  const pageOf = (windows: string) =>
    page('Example Shop') + monitors.replace('id: s1, name: s1,', `id: s1, name: s1, ${windows}`)

  it('is announced 14 days ahead, if all monitors of a component have it', async () => {
    // Of the two monitors of the other component, one has none.
    await world.load(pageOf(once(noon + 15 * dayMs, noon + 16 * dayMs)))
    expect(await planned()).toEqual([])
    expect(await later(dayMs + 60_000)).toEqual([
      { fromMs: noon + 15 * dayMs, untilMs: noon + 16 * dayMs, componentIds: ['search'] },
    ])
  })

  it('keeps its beginning and its identity, however long it lasts', async () => {
    const window = { fromMs: noon - 30 * dayMs, untilMs: noon + 30 * dayMs, componentIds: ['search'] }
    await world.load(pageOf(once(window.fromMs, window.untilMs)))
    expect(await planned()).toEqual([window])
    const [before] = (await world.view()).maintenance
    expect(await later(10 * dayMs)).toEqual([window])
    expect((await world.view()).maintenance[0]!.id).toBe(before!.id)
  })

  it('is done for a week, but only if the page was there when it ended', async () => {
    await world.load(pageOf('maintenance: [{ cron: "0 13 * * *", duration: 30m }],'))
    const first = {
      fromMs: midnight + 13 * 3_600_000,
      untilMs: midnight + 13.5 * 3_600_000,
      componentIds: ['search'],
    }
    expect((await planned())[0]).toEqual(first)
    expect((await later(2 * 3_600_000))[0]).toEqual(first)
    expect((await later(7 * dayMs))[0]).not.toEqual(first)
    expect((await planned()).filter(({ untilMs }) => untilMs <= world.wallMs)).toHaveLength(7)
  })

  it('makes the page anew when a window begins and when it ends', async () => {
    await world.load(pageOf(once(noon + 60_000, noon + 120_000)))
    const contents = new Set([await world.pages.find('shop')!.content()])
    for (let second = 0; second < 150; second++) {
      await later(1_000)
      contents.add(await world.pages.find('shop')!.content())
    }
    expect(contents.size).toBe(3)
  })
})
