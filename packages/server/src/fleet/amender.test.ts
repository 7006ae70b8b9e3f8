import { definitionOf, monitorsOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FleetDefinition } from '../config/fleet-file/definition.ts'
import { PackedReader, type PackedStrings, PackedWriter } from '../platform/packed-strings.ts'
import { Amender } from './amender.ts'
import { type Arrangement, arrange, changedParts, searchForm } from './arrangement.ts'
import type { FleetChange } from './fleet-change.ts'

interface Written {
  readonly id: string
  readonly name: string
  readonly port: number
  readonly interval: string
  readonly tags: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

const monitor = fc.record<Written>({
  id: fc.constantFrom(...'abcdefghijklmnop'),
  name: fc.constantFrom('Ärger', 'STRASSE', 'e\u0301', 'x'.repeat(200)),
  port: fc.constantFrom(1, 2),
  interval: fc.constantFrom('10s', '20s'),
  tags: fc.constantFrom([], ['x'], ['y', 'x']),
  labels: fc.constantFrom({}, { team: 'a' }, { team: 'b' }),
})
const monitors = fc.uniqueArray(monitor, { selector: ({ id }) => id })
const change = fc.record({ entries: monitors, removed: fc.subarray([...'abcdefghijklmnop']) })

function fleetOf(written: readonly Written[]): FleetDefinition {
  const documents = written.map(({ port, interval, tags, ...rest }) => ({
    ...rest,
    tags: [...tags],
    check: { type: 'tcp', interval, config: { host: 'a', port } },
  }))
  return definitionOf(documents)
}

function changeOf(entries: readonly Written[], removed: readonly string[] = []): FleetChange {
  return { entries: fleetOf(entries), removed, head: null }
}

/** Every monitor that is there, by its id. */
function shownBy({ definition, present }: Arrangement) {
  const all = monitorsOf(definition).filter((_, row) => present[row] === 1)
  return new Map(all.map((one) => [one.id, one]))
}

/** As the fleet does it when it applies an amendment. */
function takeOut({ present, removed }: Arrangement): void {
  for (const row of removed) present[row] = 0
}

class Time {
  nowMs = 0
  readonly inFlight = new Set<number>()
  readonly isIdle = (row: number) => !this.inFlight.has(row)
}

function amenderOf(written: readonly Written[], time = new Time()) {
  const arrangement = arrange(fleetOf(written), null)
  const amender = new Amender(arrangement)
  const amend = (change: FleetChange) => amender.amend(change, time)
  return { arrangement, amender, amend, time }
}

const plain: Written = { id: 'a', name: 'one', port: 1, interval: '10s', tags: ['x'], labels: {} }

describe('amending a fleet', () => {
  it('leaves what a load of the same monitors would make, in rows that stay', () => {
    fc.assert(
      fc.property(monitors, fc.array(change), (first, changes) => {
        const { amender, amend } = amenderOf(first)
        const wanted = new Map(first.map((one) => [one.id, one]))
        for (const { entries, removed } of changes) {
          const rowsBefore = new Map([...wanted.keys()].map((id) => [id, amender.rowOf(id)]))
          const leaving = removed.filter((id) => !entries.some((entry) => entry.id === id))
          const known = entries.filter(({ id }) => wanted.has(id))
          const after = amend(changeOf(entries, leaving))
          takeOut(after)
          expect(after.removed.length).toBe(leaving.filter((id) => wanted.has(id)).length)
          expect(after.added.length).toBe(entries.length - known.length)
          const differ = known.filter((one) => JSON.stringify(one) !== JSON.stringify(wanted.get(one.id)))
          expect(after.changed.length).toBe(differ.length)
          for (const id of leaving) wanted.delete(id)
          for (const entry of entries) wanted.set(entry.id, entry)
          for (const { id } of known) expect(amender.rowOf(id)).toBe(rowsBefore.get(id))
          const loaded = arrange(fleetOf([...wanted.values()]), null)
          expect(shownBy(after)).toEqual(shownBy(loaded))
          const names = new PackedReader(after.searchNames)
          for (const { id, name } of wanted.values())
            expect(names.get(amender.rowOf(id))).toBe(searchForm(name))
        }
      }),
    )
  })

  it('says which parts of a monitor are others', () => {
    const { amend } = amenderOf([plain])
    const bitsOf = (next: Partial<Written>) => [...amend(changeOf([{ ...plain, ...next }])).changedBits]
    expect(bitsOf({})).toEqual([])
    expect(bitsOf({ port: 2 })).toEqual([changedParts.check])
    expect(bitsOf({ interval: '20s' })).toEqual([changedParts.check | changedParts.policy])
    expect(bitsOf({ interval: '20s', labels: { team: 'a' } })).toEqual([changedParts.description])
    expect(bitsOf({ name: 'two', interval: '20s', labels: { team: 'a' } })).toEqual([
      changedParts.description,
    ])
  })

  it('makes rows in steps, and new views only then', () => {
    const numbered = (name: string, count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...plain, id: `${name}-${index}` }))
    const { arrangement, amend } = amenderOf(numbered('old', 2_000))
    const many = numbered('new', 10)
    const first = amend(changeOf(many.slice(0, 1)))
    expect(first.definition).not.toBe(arrangement.definition)
    expect(first.definition.ids.starts.buffer).toBe(arrangement.definition.ids.starts.buffer)
    const second = amend(changeOf(many.slice(1)))
    expect(second.definition).toBe(first.definition)
    expect([...second.added]).toEqual(Array.from({ length: 9 }, (_, index) => 2_001 + index))
  })

  it('gives a row to another monitor only when its last check has ended and its answers are read', () => {
    const { amender, amend, time } = amenderOf([plain])
    const row = amender.rowOf('a')
    time.inFlight.add(row)
    takeOut(amend(changeOf([], ['a'])))
    let number = 0
    const rows = () => {
      const many = Array.from({ length: 64 }, () => ({ ...plain, id: `new-${number++}` }))
      return [...amend(changeOf(many)).added]
    }
    expect(rows()).not.toContain(row)
    time.nowMs = 60_000
    expect(rows()).not.toContain(row)
    time.inFlight.clear()
    expect(rows()).toContain(row)
  })

  it('takes back a monitor under its id while its old row is still waiting', () => {
    const { amender, amend } = amenderOf([plain])
    const row = amender.rowOf('a')
    takeOut(amend(changeOf([], ['a'])))
    const { added } = amend(changeOf([plain]))
    expect([...added]).toEqual([amender.rowOf('a')])
    expect(amender.rowOf('a')).not.toBe(row)
  })

  it('knows which values some monitor still has', () => {
    const { amender, amend } = amenderOf([plain, { ...plain, id: 'b', tags: ['y'] }])
    const has = (tag: string) => amender.someHas('tags', (tags) => tags.includes(tag))
    expect([has('x'), has('y'), has('z')]).toEqual([true, true, false])
    amend(changeOf([{ ...plain, tags: ['z'] }]))
    expect([has('x'), has('y'), has('z')]).toEqual([false, true, true])
    amend(changeOf([{ ...plain, tags: ['x'] }], ['b']))
    expect([has('x'), has('y'), has('z')]).toEqual([true, false, false])
  })

  it('knows how much of its texts is dead', () => {
    const { amender, amend } = amenderOf([plain])
    expect(amender.deadShare).toBe(0)
    for (let index = 0; index < 200; index++) amend(changeOf([{ ...plain, name: `${index}`.repeat(90) }]))
    expect(amender.deadShare).toBeGreaterThan(0.25)
  })
})

it('goes over to texts that were packed anew without losing what was written meanwhile', () => {
  fc.assert(
    fc.property(monitors, fc.array(change), fc.array(change), (first, before, meanwhile) => {
      const { amender, amend } = amenderOf(first)
      const apply = ({ entries, removed }: (typeof before)[number]) => {
        const next = amend(changeOf(entries, removed))
        takeOut(next)
        return next
      }
      let last = amend(changeOf([]))
      for (const each of before) last = apply(each)
      const texts = amender.beginCompaction({ deadShare: 0, deadBytes: 0 })!
      const packed = Object.fromEntries(
        Object.entries(texts).map(([name, strings]) => [name, packedAnew(strings, last.present)]),
      )
      for (const each of meanwhile) last = apply(each)
      const after = amender.endCompaction(packed)
      expect(shownBy(after)).toEqual(shownBy(last))
      const names = new PackedReader(after.searchNames)
      for (const id of shownBy(after).keys())
        expect(names.get(amender.rowOf(id))).toBe(searchForm(shownBy(after).get(id)!.name))
    }),
  )
})

function packedAnew(strings: PackedStrings, present: Uint8Array): PackedStrings {
  const reader = new PackedReader(strings)
  const writer = new PackedWriter()
  for (const [row] of strings.starts.entries()) writer.append(present[row] === 1 ? reader.get(row) : '')
  return writer.finish()
}
