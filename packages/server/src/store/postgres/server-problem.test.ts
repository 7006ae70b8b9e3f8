import { expect, it } from 'vitest'
import { type ServerFacts, serverProblem } from './connection.ts'
import { durabilityConcerns } from './durability.ts'

const good: ServerFacts = {
  version: 'PostgreSQL 15.6 (Debian 15.6-1)',
  number: 150_006,
  encoding: 'UTF8',
  inRecovery: false,
  readOnly: false,
  pid: 7,
  announcedPid: 7,
}

it('accepts a PostgreSQL that can be written, and a standby for reads', () => {
  expect(serverProblem(good, true)).toBeNull()
  expect(serverProblem({ ...good, inRecovery: true, readOnly: true }, false)).toBeNull()
})

it.for<[words: string, facts: Partial<ServerFacts>, sentence: RegExp]>([
  ['another database', { version: 'CockroachDB CCL v23.1' }, /is not PostgreSQL; use .* \(CockroachDB/],
  ['a fork of an old version', { version: 'PostgreSQL 15.2-YB-2.25' }, /not PostgreSQL/],
  ['an old version', { number: 130_014 }, /PostgreSQL 13, which is too old; use 14/],
  ['a pool', { announcedPid: 900_001 }, /pool such as PgBouncer/],
  ['another encoding', { encoding: 'LATIN1' }, /encoding LATIN1; create one/],
  ['a standby', { inRecovery: true, readOnly: true }, /standby in recovery/],
  ['a read-only database', { readOnly: true }, /read-only; end/],
])('refuses %s in one sentence', ([, facts, sentence]) => {
  expect(serverProblem({ ...good, ...facts }, true)).toMatch(sentence)
})

it('says what PostgreSQL may lose', () => {
  const safe = { fsync: true, synchronousCommit: 'on', synchronousStandbys: '', standbys: 0 }
  expect(durabilityConcerns(safe)).toEqual([])
  expect(durabilityConcerns({ ...safe, standbys: 1, synchronousStandbys: 'FIRST 1 (two)' })).toEqual([])
  expect(durabilityConcerns({ ...safe, standbys: 1 })).toEqual([
    expect.stringMatching(/failover loses the last/),
  ])
  expect(durabilityConcerns({ ...safe, synchronousCommit: 'off' })).toEqual([
    expect.stringMatching(/before they are on disk/),
  ])
  expect(durabilityConcerns({ ...safe, fsync: false })).toEqual([expect.stringMatching(/fsync/)])
})
