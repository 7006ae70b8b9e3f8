// Many resources, sets of labels and versions: more than one call reads. The contract suite tries the rest.
import { DatabaseSync } from 'node:sqlite'
import { deletion, resource } from '@pulseward/testing/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ResourceWrite } from '../resource.ts'
import { resourceWriteRow } from '../resource-rows.ts'
import { storeBounds } from '../retention.ts'
import type { Labels, Selector } from '../selector.ts'
import { bringForward } from './format.ts'
import { ManagedResources } from './managed-resources.ts'
import { resourceProblems } from './resource-verification.ts'

let database: DatabaseSync
let resources: ManagedResources
let change: number
let now: number
beforeEach(() => {
  database = new DatabaseSync(':memory:')
  bringForward(database)
  resources = new ManagedResources(database, storeBounds, null)
  change = 0
  now = 1_700_000_000_000
})
afterEach(() => {
  expect([...resourceProblems(database)]).toEqual([])
  database.close()
})

function transact<Result>(work: () => Result): Result {
  database.exec('BEGIN')
  const result = work()
  database.exec('COMMIT')
  resources.settle()
  return result
}

function commit(writes: readonly ResourceWrite[]): void {
  transact(() => resources.write(writes.map(resourceWriteRow), now))
}

const idOf = (number: number) => `m-${String(number).padStart(6, '0')}`
const numbers = (count: number) => Array.from({ length: count }, (_, number) => number)
const create = (count: number, labelsOf: (number: number) => Labels) =>
  commit(numbers(count).map((number) => resource(idOf(number), ++change, { labels: labelsOf(number) })))

/** All pages together, and how many calls they took. */
function list(selector: Selector | null, upToChange = change, limit = 501) {
  const ids: string[] = []
  let calls = 0
  for (let after: string | null = ''; after !== null; calls++) {
    const part = resources.page({ kind: 0, upToChange, after, limit, selector })
    if (part === 'expired') return { ids: 'expired', calls }
    if (part.ids.length > limit) throw new Error(`${part.ids.length} resources on a page of ${limit}`)
    ids.push(...part.ids)
    after = part.upTo
  }
  return { ids, calls }
}

const teamIs = (value: string): Selector => [{ key: 'team', is: 'in', values: [value] }]
const teamIsNot = (value: string): Selector => [{ key: 'team', is: 'notIn', values: [value] }]

describe('many resources', () => {
  it('are found by rare labels, by frequent ones and by missing ones', () => {
    const labelsOf = (number: number): Labels => {
      if (number % 500 === 0) return { team: 'rare' }
      return number % 3 === 0 ? {} : { team: 'frequent', floor: String(number % 7) }
    }
    create(12_000, labelsOf)
    const having = (team: string | undefined) =>
      numbers(12_000)
        .filter((number) => labelsOf(number)['team'] === team)
        .map(idOf)
    expect(list(teamIs('rare')).ids).toEqual(having('rare'))
    expect(list(teamIs('frequent')).ids).toEqual(having('frequent'))
    expect(list([{ key: 'team', is: 'absent' }]).ids).toEqual(having(undefined))
    expect(list(teamIsNot('frequent')).ids).toEqual([...having('rare'), ...having(undefined)].sort())
    expect(list(teamIs('nobody'))).toEqual({ ids: [], calls: 1 })
    expect(list(null).ids).toEqual(numbers(12_000).map(idOf))
  })

  it('are listed as they were, though all of them were changed and many deleted since', {
    tags: 'long',
  }, () => {
    create(6_000, (number) => ({ team: number < 100 ? 'rare' : 'frequent' }))
    const before = change
    commit(numbers(6_000).map((number) => resource(idOf(number), ++change, { labels: { team: 'other' } })))
    const between = change
    commit(numbers(5_000).map((number) => deletion(idOf(number), ++change)))
    for (const limit of [61, 501]) {
      expect(list(null, before, limit).ids).toEqual(numbers(6_000).map(idOf))
      expect(list(teamIs('rare'), before, limit).ids).toEqual(numbers(100).map(idOf))
      expect(list(teamIs('frequent'), before, limit).ids).toEqual(numbers(6_000).slice(100).map(idOf))
      expect(list(teamIs('other'), before, limit).ids).toEqual([])
      expect(list(teamIs('other'), between, limit).ids).toEqual(numbers(6_000).map(idOf))
      expect(list(teamIs('other'), change, limit).ids).toEqual(numbers(6_000).slice(5_000).map(idOf))
    }
  })

  it('are listed in the order of bytes also where the present and the past meet', () => {
    const [smaller, larger] = ['\uffee', '\u{1f600}']
    commit([resource(smaller, 1), resource(larger, 2)])
    commit([deletion(larger, 3)])
    change = 3
    expect(list(null, 2, 1).ids).toEqual([smaller, larger])
  })

  it('do not make a list search a long past in one call', () => {
    create(25_000, () => ({}))
    commit(numbers(25_000).map((number) => deletion(idOf(number), ++change)))
    commit([resource('another', ++change)])
    const { ids, calls } = list(null, change - 1)
    expect(ids).toEqual([])
    expect(calls).toBe(2)
  })

  it('may have labels of their own each, on which a selector is evaluated in parts', { tags: 'long' }, () => {
    create(13_000, (number) => ({ host: idOf(number), team: number % 2 === 0 ? 'even' : 'odd' }))
    const even = numbers(13_000)
      .filter((number) => number % 2 === 0)
      .map(idOf)
    const one: Selector = [{ key: 'host', is: 'in', values: [idOf(12_345)] }]
    const first = list(one)
    expect(first.ids).toEqual([idOf(12_345)])
    expect(first.calls).toBe(2)
    // The next page, or the next list, knows already.
    expect(list(one).calls).toBe(1)
    expect(list(teamIs('even')).ids).toEqual(even)
    // Before the evaluation is complete, what was evaluated already is known of new sets too.
    expect(
      resources.page({ kind: 0, upToChange: change, after: '', limit: 9, selector: teamIs('odd') }),
    ).toMatchObject({ ids: [], upTo: '' })
    commit([resource('a', ++change, { labels: { host: 'a', team: 'odd' } })])
    expect(list(teamIs('odd')).ids).toHaveLength(6_501)
    expect(list(one).ids).toEqual([idOf(12_345)])
  })
})

describe('sets of labels', () => {
  const numbersKept = () =>
    database
      .prepare('SELECT number, body FROM label_set ORDER BY number')
      .all()
      .map((row) => `${row['number']} ${row['body']}`)

  const forgetThePast = () => {
    for (let minute = 0; minute < 9; minute++) {
      now += 60_000
      transact(() => resources.retain(now, 100))
    }
  }

  it('are kept once, in whatever order their labels were given', () => {
    commit([
      resource('a', 1, { labels: { team: 'x', tier: '1' } }),
      resource('b', 2, { labels: { tier: '1', team: 'x' } }),
    ])
    expect(numbersKept()).toEqual(['1 {"team":"x","tier":"1"}'])
  })

  it('are forgotten when neither a resource nor the past has them, and their numbers given to others', () => {
    commit(['x', 'y', 'z'].map((team, index) => resource(team, index + 1, { labels: { team } })))
    commit([resource('x', 4), resource('y', 5, { labels: { team: 'y' } }), deletion('z', 6)])
    expect(numbersKept()).toHaveLength(4)
    forgetThePast()
    expect(numbersKept()).toEqual(['2 {"team":"y"}', '4 {}'])
    // As the next process finds them.
    resources = new ManagedResources(database, storeBounds, now)
    commit(['p', 'q', 'r'].map((team, index) => resource(team, index + 7, { labels: { team } })))
    expect(numbersKept().map((set) => set.split(' ')[0])).toEqual(['1', '2', '3', '4', '5'])
    change = 9
    for (const team of ['p', 'q', 'r', 'y']) expect(list(teamIs(team)).ids).toEqual([team])
  })

  it('that a failed transaction made are made again under the same number', () => {
    database.exec('BEGIN')
    resources.write([resourceWriteRow(resource('a', 1, { labels: { team: 'lost' } }))], now)
    database.exec('ROLLBACK')
    resources.discard()
    commit([resource('a', 1, { labels: { team: 'kept' } })])
    change = 1
    expect(numbersKept()).toEqual(['1 {"team":"kept"}'])
    expect(list(teamIs('lost')).ids).toEqual([])
    expect(list(teamIs('kept')).ids).toEqual(['a'])
    expect(resources.total).toEqual({ present: 1, past: 0 })
  })
})
