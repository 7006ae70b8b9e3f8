import { definitionOf, type MonitorAsLoaded, monitorsOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { type Arrangement, arrange, changedParts, searchForm } from './arrangement.ts'

interface Written {
  readonly id: string
  readonly name: string
  readonly port: number
  readonly interval: string
  readonly enabled: boolean
  readonly tags: string[]
}

const monitor = fc.record<Written>({
  id: fc.constantFrom(...'abcdefghijklmnop'),
  name: fc.constantFrom('Ärger', 'STRASSE', 'e\u0301'),
  port: fc.constantFrom(1, 2),
  interval: fc.constantFrom('10s', '20s'),
  enabled: fc.boolean(),
  tags: fc.constantFrom([], ['x'], ['y', 'x']),
})
const fleets = fc.array(fc.uniqueArray(monitor, { selector: ({ id }) => id }), { minLength: 1, maxLength: 5 })

function fleetOf(monitors: readonly Written[], head?: Parameters<typeof definitionOf>[1]): FleetDefinition {
  const documents = monitors.map(({ port, interval, ...rest }) => ({
    ...rest,
    check: { type: 'tcp', interval, config: { host: 'a', port } },
  }))
  return definitionOf(documents, head)
}

/** The monitor of each identity, with its row. */
function byRow({ definition, present }: Arrangement): Map<string, { row: number; monitor: MonitorAsLoaded }> {
  const found = new Map<string, { row: number; monitor: MonitorAsLoaded }>()
  monitorsOf(definition).forEach((monitor, row) => {
    if (present[row] === 1) found.set(monitor.id, { row, monitor })
  })
  return found
}

describe('arranging a fleet over the one before', () => {
  it('keeps the rows of what stays and tells exactly what was added, removed and changed', () => {
    fc.assert(
      fc.property(fleets, (generations) => {
        let before: Arrangement | null = null
        for (const generation of generations) {
          const loaded = fleetOf(generation)
          const wanted = new Map(monitorsOf(loaded).map((monitor) => [monitor.id, monitor]))
          const after: Arrangement = arrange(loaded, before)
          const old = before === null ? new Map() : byRow(before)
          const now = byRow(after)
          const rowsOf = (ids: Iterable<string>, where: typeof now) =>
            [...ids].map((id) => where.get(id)!.row).sort()

          expect(new Map([...now].map(([id, { monitor }]) => [id, monitor]))).toEqual(wanted)
          const kept = [...now.keys()].filter((id) => old.has(id))
          for (const id of kept) expect(now.get(id)!.row).toBe(old.get(id)!.row)
          const added = [...now.keys()].filter((id) => !old.has(id))
          const removed = [...old.keys()].filter((id) => !now.has(id))
          expect([...after.added].sort()).toEqual(rowsOf(added, now))
          expect([...after.removed].sort()).toEqual(rowsOf(removed, old))
          const isChanged = (id: string) =>
            JSON.stringify(now.get(id)!.monitor) !== JSON.stringify(old.get(id)!.monitor)
          expect([...after.changed].sort()).toEqual(rowsOf(kept.filter(isChanged), now))
          expect(after.unchanged).toBe(kept.filter((id) => !isChanged(id)).length)
          for (const row of after.added) expect(after.removed.includes(row)).toBe(false)
          before = after
        }
      }),
      { numRuns: 100 },
    )
  })

  it('reuses a free row only in a later reload', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((id) => written({ id }))
    const first = arrange(fleetOf([a!, b!]), null)
    const second = arrange(fleetOf([b!, c!]), first)
    expect(byRow(second).get('c')!.row).toBe(2)
    const third = arrange(fleetOf([a!, b!, c!]), second)
    expect(byRow(third).get('a')!.row).toBe(0)
  })

  it('may leave nothing and begin again', () => {
    const first = arrange(fleetOf([written({ id: 'a' })]), null)
    const empty = arrange(fleetOf([]), first)
    expect([...empty.removed]).toEqual([0])
    expect([...byRow(empty)]).toEqual([])
    const again = arrange(fleetOf([written({ id: 'b' })]), empty)
    expect(byRow(again).get('b')!.row).toBe(0)
  })

  it('tells which parts changed', () => {
    const before = arrange(fleetOf([written({})]), null)
    const bitsOf = (change: Partial<Written>, head: Parameters<typeof definitionOf>[1] = {}) =>
      [...arrange(fleetOf([written(change)], head), before).changedBits][0] ?? 0
    expect(bitsOf({})).toBe(0)
    expect(bitsOf({ port: 2 })).toBe(changedParts.check)
    expect(bitsOf({ interval: '20s' })).toBe(changedParts.policy)
    expect(bitsOf({ enabled: false })).toBe(changedParts.policy)
    expect(bitsOf({ name: 'another' })).toBe(changedParts.description)
    expect(bitsOf({ tags: ['x'] })).toBe(changedParts.description)
    expect(bitsOf({ name: 'another', port: 2 })).toBe(changedParts.check | changedParts.description)
    const head = {
      endpoints: { log: { type: 'log' } },
      defaults: { notify: { red: { endpoints: ['log'] } } },
    }
    expect(bitsOf({}, head)).toBe(changedParts.notify)
  })

  it('brings names into the form in which they are searched', () => {
    const definition = fleetOf([
      written({ id: 'a', name: 'ÄRGER e\u0301' }),
      written({ id: 'b', name: 'Straße' }),
    ])
    const names = new PackedReader(arrange(definition, null).searchNames)
    expect([names.get(0), names.get(1)]).toEqual(['ärger é', 'straße'])
    expect(searchForm('STRASSE')).not.toBe(searchForm('Straße'))
  })

  it.each([
    ['ΣΊΣΥΦΟΣ', 'ΣΊΣ'],
    ['ΣΊΣΥΦΟΣ', 'σίς'],
    ['ΣΊΣΥΦΟΣ', 'ΦΟΣ'],
    ['σίσυφος', 'ΦΟΣ'],
    ['ΟΔΟΣ ΑΘΗΝΩΝ', 'οδος'],
    ['ΠΡΟ\u0399\u0308\u0301Ο', 'προ\u0390'],
    ['J\u030cet', '\u01f0'],
    ['İstanbul', 'İST'],
    ['ÅNGSTRÖM', 'a\u030angstro\u0308m'],
    ['Straße', 'STRAß'],
    ['Edge-01', 'EDGE'],
  ])('finds in the name %s the part %s, in whatever form it is written', (name, part) => {
    expect(searchForm(name)).toContain(searchForm(part))
  })

  it('lies in memory that every thread can read', () => {
    const { definition, present } = arrange(fleetOf([written({})]), null)
    for (const column of [present, definition.ids.starts, definition.policies.of])
      expect(column.buffer).toBeInstanceOf(SharedArrayBuffer)
  })
})

function written(change: Partial<Written>): Written {
  return { id: 'a', name: 'a', port: 1, interval: '10s', enabled: true, tags: [], ...change }
}
