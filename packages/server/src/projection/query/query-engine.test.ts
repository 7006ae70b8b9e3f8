import { createHash } from 'node:crypto'
import { codes, monitorSorts, statuses } from '@pulseward/contract'
import { definitionOf } from '@pulseward/testing/fleet'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FleetHead } from '../../config/fleet-file/schema.ts'
import { amendedRows, arrange, changeTo, searchForm } from '../../fleet/arrangement.ts'
import { statusNumber } from '../../fleet/columns.ts'
import { Fleet } from '../../fleet/fleet.ts'
import { systemClock } from '../../platform/clock.ts'
import { type FilterWords, FleetQueries } from './fleet-queries.ts'
import type { Sort } from './query.ts'

interface Monitor {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly status: number
  /** Index into codes and one; 0 is none. */
  readonly code: number
  readonly openedAt: number
  readonly tellsNobody: boolean
  readonly isSnoozed: boolean
  readonly tags: string[]
  readonly labels?: Readonly<Record<string, string>>
  /** Whom its own rules name for red; nobody if absent. */
  readonly notify?: Partial<Record<'endpoints' | 'groups', string[]>>
  /** NaN or absent: not measured. */
  readonly latencyMs?: number
  readonly samples?: readonly [healthy: number, total: number]
  readonly lastCheck?: number
}

interface Placed extends Monitor {
  readonly row: number
  readonly numericId: number
  /** The name by code points. */
  readonly sortedBy: string
}

const letters = [
  'a',
  'B',
  ' ',
  '\u0000',
  '\n',
  'ß',
  'é',
  'e\u0301',
  'E\u0301',
  '\uFF5E',
  '\u{1F600}',
  'I',
  'İ',
]
const word = fc.string({ unit: fc.constantFrom(...letters), maxLength: 4 })
const monitor = fc.record<Monitor>({
  id: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'),
  name: word.map((text) => `n${text}`),
  type: fc.constantFrom('http', 'tcp'),
  status: fc.nat(statuses.length - 1),
  code: fc.nat(codes.length),
  openedAt: fc.constantFrom(0, 0, 5, 6, 1e12),
  tellsNobody: fc.boolean(),
  isSnoozed: fc.boolean(),
  tags: fc.array(fc.constantFrom('x', 'X', '\uFF5E', '\u{1F600}'), { maxLength: 2 }),
  labels: fc.dictionary(fc.constantFrom('team', 'tier'), fc.constantFrom('pay', '1=2')),
  notify: fc.constantFrom({}, { endpoints: ['pager'] }, { groups: ['ops'] }),
  latencyMs: fc.constantFrom(Number.NaN, 0, 1.5, 20),
  samples: fc.constantFrom<readonly [healthy: number, total: number]>([0, 0], [0, 4], [3, 4], [4, 4]),
  lastCheck: fc.constantFrom(Number.NaN, 7, 1e12),
})
/** One after the other, each loaded whole or as changes of the one before. */
const fleets = fc.array(
  fc.record({ monitors: fc.uniqueArray(monitor, { selector: ({ id }) => id }), amends: fc.boolean() }),
  { minLength: 1, maxLength: 4 },
)
const ofColumns = fc.record<FilterWords>(
  {
    status: fc.constantFrom('UP', 'down', 'Incident', 'sideways'),
    type: fc.constantFrom('TCP', 'http', 'icmp', 'ftp'),
    code: fc.constantFrom('', 'red', 'Green', 'mauve'),
    snoozed: fc.constantFrom('true', 'false'),
    q: word,
    tells_nobody: fc.constant('true' as const),
  },
  { requiredKeys: [] },
)
/** Two of them at most: more would find nothing in nearly every fleet. */
const ofLists = fc.oneof(
  fc.record<FilterWords>({ tag: fc.constantFrom('x', '\u{1F600}', '', 'nothing') }),
  fc.record<FilterWords>({ label: fc.constantFrom('team', 'tier=1=2', 'team=PAY', 'team=', '') }),
  fc.record<FilterWords>({ told: fc.constantFrom('pager', 'mail', 'log', 'nobody') }),
  fc.record<FilterWords>({ group: fc.constantFrom('ops', 'empty', 'pager') }),
)
const filters = fc.oneof(
  ofColumns,
  ofLists,
  fc.tuple(ofLists, ofLists).map(([one, other]) => ({ ...one, ...other })),
  fc.tuple(ofColumns, ofLists).map(([one, other]) => ({ ...one, ...other })),
)
const sorts = fc.record<Sort>({ by: fc.constantFrom(...monitorSorts), isDescending: fc.boolean() })

/** Loads one fleet over the other, so that rows are kept, freed and taken again. */
class FleetUnderTest {
  readonly fleet = new Fleet(['http', 'tcp', 'icmp'])
  readonly queries = new FleetQueries({ types: this.fleet.types, onThreadLost: () => {}, clock: systemClock })
  #placed: Placed[] = []
  #numericIds = new Map<string, number>()
  #nowMs = 0

  /** Amends: as a change of single monitors, where there is a fleet already. */
  load(monitors: readonly Monitor[], amends = false): void {
    const { fleet } = this
    const documents = monitors.map(({ id, name, type, tags, labels = {}, notify = {} }) => ({
      id,
      name,
      tags,
      labels,
      check: { type, config: {} },
      ...(Object.keys(notify).length === 0 ? {} : { notify: { red: notify } }),
    }))
    const isAmended = amends && fleet.loaded
    const loaded = arrange(definitionOf(documents, head), fleet.loaded ? fleet : null)
    this.#nowMs += 3_600_000
    const use = { isIdle: () => true, nowMs: this.#nowMs }
    const arrangement = isAmended ? fleet.amend(changeTo(loaded, fleet), use) : loaded
    fleet.apply(arrangement)
    const byId = new Map(monitors.map((each) => [each.id, each]))
    this.#placed = [...fleet.present.keys()]
      .filter((row) => fleet.has(row))
      .map((row) => this.#place(row, byId))
    if (isAmended) this.queries.fleetAmended(fleet, amendedRows(arrangement))
    else this.queries.fleetChanged(fleet)
  }

  #place(row: number, monitors: ReadonlyMap<string, Monitor>): Placed {
    const { fleet } = this
    const each = monitors.get(fleet.idOf(row))!
    // Not in the order of rows: a number stays with its monitor, a row does not.
    if (!this.#numericIds.has(each.id)) this.#numericIds.set(each.id, 100_000 - this.#numericIds.size * 7)
    const numericId = this.#numericIds.get(each.id)!
    fleet.columns.numericId[row] = numericId
    fleet.setStatus(row, each.status)
    fleet.setCode(row, each.code)
    fleet.columns.openedAt[row] = each.openedAt
    fleet.setTellsNobody(row, each.tellsNobody)
    fleet.setSnoozed(row, each.isSnoozed)
    fleet.columns.latencyMs[row] = each.latencyMs ?? Number.NaN
    fleet.columns.lastCheck[row] = each.lastCheck ?? Number.NaN
    fleet.columns.shownHealthySamples[row] = each.samples?.[0] ?? 0
    fleet.columns.shownTotalSamples[row] = each.samples?.[1] ?? 0
    return { ...each, row, numericId, sortedBy: inCodePoints(each.name) }
  }

  matching(words: FilterWords): Placed[] {
    const { status, type, code, snoozed, q = '', tells_nobody, tag, label, told, group } = words
    return this.#placed
      .filter(
        (each) =>
          (status === undefined || statuses[each.status] === status.toLowerCase()) &&
          (type === undefined || each.type === type.toLowerCase()) &&
          (code === undefined || (['', ...codes] as string[])[each.code] === code.toLowerCase()) &&
          (tells_nobody === undefined || each.tellsNobody) &&
          (snoozed === undefined || each.isSnoozed === (snoozed === 'true')) &&
          (tag === undefined || isTagged(each, tag)) &&
          (label === undefined || isLabelled(each, label)) &&
          (told === undefined || toldOf(each).includes(told)) &&
          (group === undefined || (group === 'ops' && isOfOps(each))) &&
          searchForm(each.name).includes(searchForm(q)),
      )
      .sort((left, right) => compare(left.sortedBy, right.sortedBy) || left.numericId - right.numericId)
  }

  /** Stable, so that equal monitors stay in the order of the list. */
  sorted(words: FilterWords, { by, isDescending }: Sort): Placed[] {
    const found = this.matching(words)
    if (by === 'name') return isDescending ? found.reverse() : found
    const keyOf = {
      status: ({ status }: Placed) => troubleFirst.indexOf(statuses[status]!),
      pulse_type: ({ type }: Placed) => this.fleet.types.indexOf(type),
      pending_code: ({ code }: Placed) => (code === 0 ? codes.length + 1 : code),
      latency_ms: ({ latencyMs = Number.NaN }: Placed) => latencyMs,
      healthy_sample_percent: ({ samples: [healthy, total] = [0, 0] }: Placed) => healthy / total,
      last_check: ({ lastCheck = Number.NaN }: Placed) => lastCheck,
    }[by]
    const isKnown = (each: Placed) => !Number.isNaN(keyOf(each))
    const known = found.filter(isKnown)
    known.sort((left, right) => (keyOf(left) - keyOf(right)) * (isDescending ? -1 : 1))
    return [...known, ...found.filter((each) => !isKnown(each))]
  }

  incidents(): Placed[] {
    return this.#placed
      .filter(({ openedAt }) => openedAt !== 0)
      .sort((left, right) => left.openedAt - right.openedAt || left.numericId - right.numericId)
  }
}

const troubleFirst = ['incident', 'down', 'verifying', 'degraded', 'unknown', 'up', 'disabled']

function isTagged({ tags }: Monitor, wanted: string): boolean {
  return wanted === '' ? tags.length === 0 : tags.some((tag) => tag.toLowerCase() === wanted.toLowerCase())
}

/** As the head of the fleet says: ops are mail and log, and a route sends them what is tagged x and of the team pay. */
function toldOf(monitor: Monitor): readonly string[] {
  return [...(monitor.notify?.endpoints ?? []), ...(isOfOps(monitor) ? ['mail', 'log'] : [])]
}

function isOfOps({ notify, tags, labels }: Monitor): boolean {
  return notify?.groups !== undefined || (tags.includes('x') && labels?.['team'] === 'pay')
}

const head: FleetHead = {
  endpoints: Object.fromEntries(['pager', 'mail', 'log'].map((name) => [name, { type: 'log', config: {} }])),
  groups: { ops: ['mail', 'log'], empty: [] },
  routes: [{ match: { tag: 'x', team: 'pay' }, colors: ['green'], groups: ['ops'] }],
}

function isLabelled({ labels = {} }: Monitor, wanted: string): boolean {
  return Object.entries(labels).some(([key, value]) => wanted === key || wanted === `${key}=${value}`)
}

/** UTF-32 in hexadecimal digits, which are ordered as the code points are. */
function inCodePoints(text: string): string {
  return [...text].map((letter) => letter.codePointAt(0)!.toString(16).padStart(6, '0')).join('')
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

const rowsOf = (monitors: readonly Placed[]) => monitors.map(({ row }) => row)

async function answered<Value>(answer: Promise<{ kind: string; value?: Value }>): Promise<Value> {
  const { kind, value } = await answer
  expect(kind).toBe('answered')
  return value!
}

/** Reads the layout as its description says, and with nothing else. */
function unpack(bytes: Uint8Array) {
  const buffer = Buffer.from(bytes)
  expect(buffer.toString('latin1', 0, 4)).toBe('PWM1')
  const monitors = buffer.readUInt32LE(4)
  const statusesAt = 16 + buffer.readUInt32LE(12)
  const idsAt = statusesAt + Math.ceil(monitors / 4) * 4
  expect(statusesAt % 4).toBe(0)
  expect(buffer.length).toBe(idsAt + monitors * 4)
  const table: { tag: string; count: number }[] = []
  let place = 16
  for (let entry = 0; entry < buffer.readUInt32LE(8); entry++) {
    const length = buffer.readUInt16LE(place + 4)
    table.push({
      count: buffer.readUInt32LE(place),
      tag: buffer.toString('utf8', place + 6, place + 6 + length),
    })
    place += 6 + length
  }
  return {
    table,
    statuses: [...buffer.subarray(statusesAt, statusesAt + monitors)],
    ids: Array.from({ length: monitors }, (_, index) => buffer.readUInt32LE(idsAt + index * 4)),
  }
}

describe('queries over a fleet that is loaded again and again', () => {
  it('find what filtering and sorting a plain list finds, on every page', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, filters, fc.integer({ min: 1, max: 9 }), async (generations, words, size) => {
        const under = new FleetUnderTest()
        for (const { monitors, amends } of generations) {
          under.load(monitors, amends)
          const expected = rowsOf(under.matching(words))
          for (let page = 1; page <= expected.length / size + 2; page++) {
            const { total, rows, generation } = await answered(under.queries.find(words, page, size))
            expect(total).toBe(expected.length)
            expect([...rows]).toEqual(expected.slice((page - 1) * size, page * size))
            expect(generation).toBe(under.queries.generation)
          }
        }
      }),
      { numRuns: 150 },
    )
  })

  it('sort what they find by any column, on every page', { tags: 'long' }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fleets,
        fc.oneof(fc.constant({}), filters),
        sorts,
        fc.integer({ min: 1, max: 9 }),
        async (generations, words, sort, size) => {
          const under = new FleetUnderTest()
          for (const { monitors, amends } of generations) {
            under.load(monitors, amends)
            const expected = rowsOf(under.sorted(words, sort))
            for (let page = 1; page <= expected.length / size + 2; page++) {
              const { total, rows } = await answered(under.queries.find(words, page, size, sort))
              expect(total).toBe(expected.length)
              expect([...rows]).toEqual(expected.slice((page - 1) * size, page * size))
            }
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  it.each([
    ['loaded whole', false],
    ['amended', true],
  ])(
    'find the same where thousands match, with and without another filter, %s',
    { tags: 'long' },
    async (_, amends) => {
      const monitors = Array.from({ length: 13_000 }, (_, number) => ({
        id: `m-${number}`,
        name: `${number % 2 ? 'East' : 'West'} ${(number * 7) % 13_000}`,
        type: number % 3 ? 'tcp' : 'http',
        status: number % statuses.length,
        code: 0,
        openedAt: 0,
        tellsNobody: false,
        isSnoozed: false,
        tags: [],
      }))
      const under = new FleetUnderTest()
      await using queries = under.queries
      under.load(monitors)
      // Some leave, so that there are rows without a monitor among the others.
      under.load(
        monitors.filter((_, number) => number % 7 !== 0),
        amends,
      )
      for (const words of [
        { q: 'eAst' },
        { q: 'st 1' },
        { q: 'e' },
        { q: 'e', type: 'tcp' },
        { status: 'up' },
      ]) {
        const expected = rowsOf(under.matching(words))
        const last = Math.ceil(expected.length / 90)
        for (const page of [1, 2, last - 1, last, last + 1, 2 ** 32]) {
          const { total, rows } = await answered(queries.find(words, page, 90))
          expect(total).toBe(expected.length)
          expect([...rows], JSON.stringify(words)).toEqual(expected.slice((page - 1) * 90, page * 90))
        }
      }
      for (const by of ['status', 'pulse_type'] as const)
        for (const words of [{}, { q: 'st 1' }]) {
          const sort = { by, isDescending: false }
          const expected = rowsOf(under.sorted(words, sort))
          for (const page of [1, 20, 60, 2 ** 32]) {
            const { total, rows } = await answered(queries.find(words, page, 90, sort))
            expect(total).toBe(expected.length)
            expect([...rows]).toEqual(expected.slice((page - 1) * 90, page * 90))
          }
        }
    },
  )

  it('give incidents by the time they were opened, then by id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fleets,
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 1, max: 9 }),
        async (generations, page, size) => {
          const under = new FleetUnderTest()
          for (const { monitors, amends } of generations) under.load(monitors, amends)
          const expected = rowsOf(under.incidents())
          const { total, rows } = await answered(under.queries.incidents(page, size))
          expect(total).toBe(expected.length)
          expect([...rows]).toEqual(expected.slice((page - 1) * size, page * size))
        },
      ),
      { numRuns: 150 },
    )
  })

  it('pack the map by first tag, name and id, as its layout says', async () => {
    await fc.assert(
      fc.asyncProperty(fleets, filters, async (generations, words) => {
        const under = new FleetUnderTest()
        for (const { monitors, amends } of generations) under.load(monitors, amends)
        const tagOf = ({ tags }: Monitor) => tags[0] ?? ''
        // Stable: within a tag, the order of the list.
        const expected = under
          .matching(words)
          .sort((left, right) => compare(inCodePoints(tagOf(left)), inCodePoints(tagOf(right))))
        const { bytes, etag } = await answered(under.queries.map(words))
        const { table, ...lists } = unpack(bytes)
        expect(lists).toEqual({
          statuses: expected.map(({ status }) => status),
          ids: expected.map(({ numericId }) => numericId),
        })
        expect(table.flatMap(({ tag, count }) => Array(count).fill(tag))).toEqual(expected.map(tagOf))
        expect(new Set(table.map(({ tag }) => tag)).size).toBe(table.length)
        expect(etag).toBe(`"${createHash('sha256').update(bytes).digest('base64url')}"`)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a query', () => {
  const plain: Monitor = {
    id: 'a',
    name: 'a',
    type: 'tcp',
    status: statusNumber.up,
    code: 0,
    openedAt: 0,
    tellsNobody: false,
    isSnoozed: false,
    tags: [],
  }
  const under = new FleetUnderTest()
  under.load([
    { ...plain, id: 'a', name: 'Straße' },
    { ...plain, id: 'b', name: 'STRASSE' },
    { ...plain, id: 'c', name: 'Cafe\u0301' },
    { ...plain, id: 'd', name: 'tail', code: 1 },
  ])
  const names = async (words: FilterWords) =>
    [...(await answered(under.queries.find(words, 1, 50))).rows].map((row) => under.fleet.nameOf(row))

  it('takes ß for ß and not for ss', async () => {
    expect(await names({ q: 'STRAß' })).toEqual(['Straße'])
    expect(await names({ q: 'strasse' })).toEqual(['STRASSE'])
  })

  it('takes composed and combining characters for the same', async () => {
    expect(await names({ q: 'CAFÉ' })).toEqual(['Cafe\u0301'])
    expect(await names({ q: 'e\u0301' })).toEqual(['Cafe\u0301'])
    expect(await names({ q: 'cafe' })).toEqual([])
  })

  it('finds everything with an empty text and nothing with a value that nobody has', async () => {
    expect(await names({ q: '' })).toHaveLength(4)
    for (const words of [{ status: 'none' }, { type: '' }, { code: 'mauve' }])
      expect(await names(words)).toEqual([])
  })

  it('tells a page that is far past the end from no page', async () => {
    const { total, rows } = await answered(under.queries.find({}, Number.MAX_SAFE_INTEGER, 500))
    expect([total, rows.length]).toEqual([4, 0])
  })

  it('sees a status as it is now', async () => {
    under.fleet.setStatus(0, statusNumber.down)
    expect(await names({ status: 'down' })).toEqual(['Straße'])
    under.fleet.setStatus(0, statusNumber.up)
    expect(await names({ status: 'down' })).toEqual([])
  })

  it('gives the map another tag as soon as anything in it changes, and the same one otherwise', async () => {
    const etag = async () => (await answered(under.queries.map({}))).etag
    const before = await etag()
    expect(await etag()).toBe(before)
    under.fleet.setStatus(1, statusNumber.down)
    expect(await etag()).not.toBe(before)
    under.fleet.setStatus(1, statusNumber.up)
    expect(await etag()).toBe(before)
  })
})
