// What pages say by themselves: after five minutes, once, until it is over, over restarts, and never beside a person.
import { readFileSync, writeFileSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { loadFleetFiles } from '@pulseward/testing/fleet'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { WindowState } from '../deciding/maintenance-windows.ts'
import { arrange } from '../fleet/arrangement.ts'
import { statusNumber } from '../fleet/columns.ts'
import { Fleet } from '../fleet/fleet.ts'
import { silentLog } from '../telemetry/log.ts'
import { AutoIncidents } from './auto-incidents.ts'
import { AutoRecords } from './auto-records.ts'
import { type Written, writtenNow, writtenStates } from './written-incident.ts'

const minuteMs = 60_000
const began = Date.parse('2026-03-29T00:00:00Z')
const check = 'check: { type: tcp, config: { host: x, port: 1 } }'
const window = 'maintenance: [{ start: 2020-01-01T00:00:00Z, end: 2090-01-01T00:00:00Z }],'
const fleetWith = (auto: string, language = 'en', inMaintenance = '') => `
status_pages:
  shop:
    title: Shop
    language: ${language}
    groups:
      - name: Shop
        components:
          - { id: checkout, name: "Check*out*", monitors: [a, b, c], down_when: 60%, ${auto} }
          - { id: search, name: Search, monitors: [a, b, c] }
monitors: [{ id: a, name: a, ${inMaintenance} ${check} }, { id: b, name: b, ${check} }, { id: c, name: c, ${check} }]
`

class World {
  nowMs = began
  isUpToDate = true
  inMaintenance = false
  written: Written[] = []
  readonly fleet = new Fleet(['tcp'])
  readonly file: string
  records!: AutoRecords
  pages!: AutoIncidents

  constructor(folder: TemporaryFolder) {
    this.file = folder.path('status-incidents.json')
  }

  async load(files = fleetWith('auto: true')): Promise<void> {
    const { definition } = await loadFleetFiles(files)
    const before = this.fleet.loaded
      ? { definition: this.fleet.definition, present: this.fleet.present }
      : null
    this.fleet.apply(arrange(definition, before))
    this.pages?.fleetChanged(definition.statusPages)
    if (before === null) this.start()
  }

  /** As a new process would: what the previous one kept in its file is all that it knows. */
  start(): void {
    this.records = new AutoRecords({ file: this.file, log: silentLog })
    this.pages = new AutoIncidents({
      fleet: this.fleet,
      engine: {
        now: () => this.nowMs,
        windowOf: (): WindowState =>
          this.inMaintenance ? { active: true, untilMs: Infinity } : { active: false, nextAtMs: null },
      },
      people: { version: () => this.written.length, of: () => this.written },
      records: this.records,
      isUpToDate: () => this.isUpToDate,
    })
    this.pages.fleetChanged(this.fleet.definition.statusPages)
  }

  set(id: string, status: keyof typeof statusNumber): void {
    const row = this.fleet.rowOf(id)
    this.fleet.setStatus(row, statusNumber[status])
    const isOpen = status === 'incident' || status === 'verifying'
    this.fleet.columns.openedAt[row] = isOpen ? this.fleet.columns.openedAt[row]! || this.nowMs : 0
  }

  async passes(minutes: number): Promise<string[]> {
    for (let second = 0; second < minutes * 60; second++) {
      this.nowMs += 1_000
      this.pages.look()
    }
    await this.records[Symbol.asyncDispose]()
    return this.said()
  }

  said(): string[] {
    return this.pages
      .of('shop')
      .map(({ id, spec }) =>
        [id, spec.title, ...spec.updates.map(({ at, text }) => `${at} ${text}`)].join('\n'),
      )
  }
}

let folder: TemporaryFolder
let world: World
beforeEach(async () => {
  folder = temporaryFolder()
  world = new World(folder)
  await world.load()
  for (const id of ['a', 'b', 'c']) world.set(id, 'up')
})
afterEach(() => folder[Symbol.dispose]())

const down = [
  `auto-checkout-${(began + minuteMs).toString(36)}`,
  'Check*out* is not available',
  '2026-03-29T00:06:00.000Z Our checks find that Check*out* is not available.',
].join('\n')

describe('a page with auto', () => {
  it('says after five minutes that a component is down, and when it works again', async () => {
    world.set('a', 'incident')
    expect(await world.passes(1)).toEqual([])
    world.set('b', 'verifying')
    // Two of three are an outage, which began with the second.
    expect(await world.passes(4.9)).toEqual([])
    expect(await world.passes(0.2)).toEqual([down])
    expect(await world.passes(60)).toEqual([down])
    world.set('b', 'up')
    const [said = ''] = await world.passes(1)
    expect(said).toMatch(
      new RegExp(`^${RegExp.escape(down)}\n2026-03-29T01:06:1\\d\\.000Z Check\\*out\\* works again\\.$`),
    )
    const [incident] = writtenNow(world.pages.of('shop'), new Set(['checkout']), world.nowMs).incidents
    expect(incident).toMatchObject({
      phase: 'resolved',
      impact: 'partial_outage',
      states: [['checkout', 'partial_outage']],
    })
  })

  it('says nothing of a short outage, of degraded performance and of what it does not know', async () => {
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    await world.passes(4.5)
    for (const id of ['a', 'b']) world.set(id, 'up')
    expect(await world.passes(30)).toEqual([])
    for (const id of ['a', 'b', 'c']) world.set(id, 'unknown')
    expect(await world.passes(30)).toEqual([])
  })

  it('says it once, whenever the process ends', async () => {
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    await world.passes(3)
    // It was not published yet, and its beginning is not forgotten.
    world.start()
    const [said] = await world.passes(2.2)
    expect(said).toContain('2026-03-29T00:05:00.000Z')
    for (const when of ['with its file', 'without it']) {
      if (when === 'without it') writeFileSync(world.file, '{"format":1,"incidents":[]}')
      world.start()
      expect(await world.passes(1)).toEqual([said])
    }
    for (const id of ['a', 'b', 'c']) world.set(id, 'up')
    world.start()
    const over = await world.passes(1)
    expect(over).toEqual([expect.stringMatching(/works again\.$/)])
    world.start()
    expect(await world.passes(1)).toEqual(over)
  })

  it('leaves the state of a component to its monitors', async () => {
    for (const id of ['a', 'b']) world.set(id, 'incident')
    await world.passes(6)
    const now = writtenNow(world.pages.of('shop'), new Set(['checkout']), world.nowMs)
    expect(now.incidents).toHaveLength(1)
    expect(writtenStates(now, world.nowMs).size).toBe(0)
  })

  it('does not say that something works again that is only in maintenance, or not known', async () => {
    await world.load(fleetWith('auto: true', 'en', window))
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    const said = await world.passes(6)
    expect(said).toHaveLength(1)
    for (const id of ['a', 'b', 'c']) world.set(id, 'unknown')
    expect(await world.passes(1)).toEqual(said)
  })

  it('says nothing where a person has the word, until that is resolved', async () => {
    const update = { at: '2026-03-29T00:00:00Z', phase: 'investigating' as const, text: 'We look.' }
    const spec = {
      pageRef: 'shop',
      title: 'T',
      components: [{ id: 'checkout', state: 'operational' as const }],
      updates: [update],
    }
    world.written = [{ id: 'by-hand', spec, createdAt: 0, updatedAt: 0 }]
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    expect(await world.passes(10)).toHaveLength(1)
    const resolved = { ...update, phase: 'resolved' as const }
    world.written = [
      { id: 'by-hand', spec: { ...spec, updates: [update, resolved] }, createdAt: 0, updatedAt: 0 },
    ]
    expect(await world.passes(1)).toHaveLength(2)
  })

  it('waits while the service cannot tell what is', async () => {
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    world.isUpToDate = false
    expect(await world.passes(10)).toEqual([])
    world.isUpToDate = true
    expect(await world.passes(0.5)).toHaveLength(1)
  })

  it('withdraws what it said when it is no longer to say it, and keeps what is over', async () => {
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    expect(await world.passes(6)).toHaveLength(1)
    await world.load(fleetWith('auto: false'))
    expect(await world.passes(1)).toEqual([])
    await world.load(fleetWith('auto: true'))
    expect(await world.passes(1)).toHaveLength(1)
    for (const id of ['a', 'b', 'c']) world.set(id, 'up')
    await world.passes(1)
    await world.load(fleetWith('auto: false'))
    expect(await world.passes(1)).toHaveLength(1)
  })

  it('speaks the language of the page', async () => {
    await world.load(fleetWith('auto: true', 'de'))
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    expect((await world.passes(6))[0]).toContain('Check*out* ist nicht verfügbar')
  })

  it('holds nothing of a monitor but times', async () => {
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    await world.passes(6)
    expect(JSON.parse(readFileSync(world.file, 'utf8'))).toEqual({
      format: 1,
      incidents: [
        {
          page: 'shop',
          component: 'checkout',
          state: 'major_outage',
          startedAtMs: began,
          publishedAtMs: began + 5 * minuteMs,
          resolvedAtMs: null,
        },
      ],
    })
  })

  it.each(['', 'not JSON', '{"format":2}', 'null'])('goes on with a file that says %j', async (text) => {
    writeFileSync(world.file, text)
    world.start()
    for (const id of ['a', 'b', 'c']) world.set(id, 'incident')
    expect(await world.passes(6)).toHaveLength(1)
  })
})
