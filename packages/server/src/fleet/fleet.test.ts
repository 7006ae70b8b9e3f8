import { codes, statuses } from '@pulseward/contract'
import { definitionOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { arrange } from './arrangement.ts'
import { codeNumber, noCode, statusNumber } from './columns.ts'
import { Fleet, type FleetCounts } from './fleet.ts'

const types = ['http', 'tcp', 'dns', 'icmp']
const configs: Record<string, object> = {
  tcp: { host: 'a', port: 1 },
  dns: { host: 'a' },
  icmp: { host: 'a' },
}

interface Written {
  readonly id: string
  readonly type: string
  readonly enabled: boolean
}

function load(fleet: Fleet, monitors: readonly Written[]): void {
  const documents = monitors.map(({ id, type, enabled }) => ({
    id,
    name: id,
    enabled,
    check: { type, config: configs[type]! },
  }))
  fleet.apply(arrange(definitionOf(documents), fleet.loaded ? fleet : null))
}

function recount(fleet: Fleet): FleetCounts {
  const counts: FleetCounts = {
    total: 0,
    byStatus: new Uint32Array(statuses.length),
    byType: new Uint32Array(types.length),
    byCode: new Uint32Array(codes.length + 1),
    incidents: 0,
    tellsNobody: 0,
    snoozed: 0,
    healthySamples: 0,
    totalSamples: 0,
  }
  const { columns } = fleet
  const add = (column: Uint32Array, index: number) => {
    column[index] = column[index]! + 1
  }
  for (let row = 0; row < fleet.rows; row++) {
    if (!fleet.has(row)) continue
    counts.total++
    add(counts.byStatus, columns.status[row]!)
    add(counts.byType, columns.type[row]!)
    add(counts.byCode, columns.code[row]!)
    if (columns.openedAt[row]! > 0) counts.incidents++
    counts.tellsNobody += columns.tellsNobody[row]!
    counts.snoozed += columns.snoozed[row]!
    counts.healthySamples += columns.shownHealthySamples[row]!
    counts.totalSamples += columns.shownTotalSamples[row]!
  }
  return counts
}

const monitors = fc.uniqueArray(
  fc.record<Written>({
    id: fc.constantFrom(...'abcdefgh'),
    type: fc.constantFrom('tcp', 'dns', 'icmp'),
    enabled: fc.boolean(),
  }),
  { selector: ({ id }) => id },
)
const operation = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('load' as const), monitors }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('status', 'code', 'incident', 'silent', 'snooze', 'sample'),
      row: fc.nat(15),
      value: fc.nat(6),
    }),
  },
)

describe('a fleet', () => {
  it('has counts that always equal a recount over its columns', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 40 }), (operations) => {
        const fleet = new Fleet(types)
        load(fleet, [{ id: 'a', type: 'tcp', enabled: true }])
        for (const step of operations) {
          if (step.kind === 'load') load(fleet, step.monitors)
          else if (!fleet.has(step.row)) continue
          else if (step.kind === 'status') fleet.setStatus(step.row, step.value)
          else if (step.kind === 'code') fleet.setCode(step.row, step.value % (codes.length + 1))
          else if (step.kind === 'incident') fleet.setOpenedAt(step.row, step.value % 3)
          else if (step.kind === 'silent') fleet.setTellsNobody(step.row, step.value % 2 === 0)
          else if (step.kind === 'snooze') fleet.setSnoozed(step.row, step.value % 2 === 0)
          else fleet.showSamples(step.row, step.value, step.value + 2)
          expect(fleet.counts).toEqual(recount(fleet))
        }
      }),
      { numRuns: 100 },
    )
  })

  it('knows nothing before it is loaded', () => {
    const fleet = new Fleet(types)
    expect(fleet.loaded).toBe(false)
    expect(fleet.rows).toBe(0)
    expect(() => fleet.definition).toThrow(/not been loaded/)
  })

  it('knows nothing about a new monitor but whether it is enabled', () => {
    const fleet = new Fleet(types)
    load(fleet, [
      { id: 'a', type: 'tcp', enabled: true },
      { id: 'b', type: 'dns', enabled: false },
    ])
    const { columns } = fleet
    expect([...columns.status.subarray(0, 2)]).toEqual([statusNumber.unknown, statusNumber.disabled])
    expect([...columns.type.subarray(0, 2)]).toEqual([1, 2])
    expect(columns.code[0]).toBe(noCode)
    expect([columns.lastCheck[0], columns.lastSuccess[0], columns.latencyMs[0]]).toEqual([NaN, NaN, NaN])
    expect([fleet.idOf(1), fleet.nameOf(1), fleet.policyOf(1).type]).toEqual(['b', 'b', 'dns'])
  })

  it('keeps what is known of monitors that stay, and forgets those that go', () => {
    const fleet = new Fleet(types)
    const [a, b] = ['a', 'b'].map((id): Written => ({ id, type: 'tcp', enabled: true }))
    load(fleet, [a!, b!])
    for (const row of [0, 1]) {
      fleet.setStatus(row, statusNumber.up)
      fleet.setCode(row, codeNumber.green)
      fleet.countSample(row, true)
      fleet.showSamples(row, 1, 1)
    }
    load(fleet, [b!])
    expect(fleet.has(0)).toBe(false)
    expect(fleet.columns.totalSamples[0]).toBe(0)
    expect(fleet.columns.status[1]).toBe(statusNumber.up)
    expect(fleet.counts).toMatchObject({ total: 1, healthySamples: 1, totalSamples: 1 })
  })

  it('makes late results of a former monitor recognisable', () => {
    const fleet = new Fleet(types)
    load(fleet, [{ id: 'a', type: 'tcp', enabled: true }])
    const { generation, checkRevision } = fleet.columns
    const before = [generation[0], checkRevision[0]]
    load(fleet, [])
    load(fleet, [{ id: 'b', type: 'tcp', enabled: true }])
    expect(fleet.idOf(0)).toBe('b')
    expect(fleet.columns.generation[0]).not.toBe(before[0])
    expect(fleet.columns.checkRevision[0]).not.toBe(before[1])
  })

  it('counts a new revision when what is checked changes, and only then', () => {
    const fleet = new Fleet(types)
    load(fleet, [{ id: 'a', type: 'icmp', enabled: true }])
    const first = fleet.columns.checkRevision[0]!
    load(fleet, [{ id: 'a', type: 'icmp', enabled: false }])
    expect(fleet.columns.checkRevision[0]).toBe(first)
    load(fleet, [{ id: 'a', type: 'dns', enabled: false }])
    expect(fleet.columns.checkRevision[0]).toBe(first + 1)
    expect([...fleet.counts.byType]).toEqual([0, 0, 1, 0])
  })

  it('keeps everything when it outgrows its columns', () => {
    const fleet = new Fleet(types)
    const many = (count: number) =>
      Array.from(
        { length: count },
        (_, number): Written => ({ id: `m${number}`, type: 'tcp', enabled: true }),
      )
    load(fleet, many(1000))
    fleet.setStatus(999, statusNumber.degraded)
    fleet.columns.lastCheck[999] = 5
    load(fleet, many(3000))
    expect(fleet.columns.capacity).toBeGreaterThanOrEqual(3000)
    expect([fleet.columns.status[999], fleet.columns.lastCheck[999]]).toEqual([statusNumber.degraded, 5])
    expect(fleet.counts).toEqual(recount(fleet))
  })
})
