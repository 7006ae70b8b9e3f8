import { describe, expect, it } from 'vitest'
import { UsageError } from '../../platform/usage-error.ts'
import { parsePostgresUrl } from './address.ts'

describe('the URL of a PostgreSQL store', () => {
  it('says where the database is, who logs in and which schema has the tables', () => {
    expect(parsePostgresUrl('postgres://ward:p%40ss@db.example:5433/fleet?schema=own')).toMatchObject({
      hosts: [{ host: 'db.example', port: 5433 }],
      user: 'ward',
      password: 'p@ss',
      database: 'fleet',
      schema: 'own',
      sslMode: 'verify-full',
    })
  })

  it('has a database of the name of the user, the usual port and our schema unless it says otherwise', () => {
    expect(parsePostgresUrl('postgresql://ward@db')).toMatchObject({
      hosts: [{ host: 'db', port: 5432 }],
      database: 'ward',
      schema: 'pulseward',
      password: null,
    })
  })

  it('may name several hosts, one after the other', () => {
    expect(parsePostgresUrl('postgres://ward@one,two:5433,[::1]:1/x').hosts).toEqual([
      { host: 'one', port: 5432 },
      { host: 'two', port: 5433 },
      { host: '::1', port: 1 },
    ])
  })

  it.for([
    ['postgres://ward@db/x', 'verify-full'],
    ['postgres://ward@localhost/x', 'disable'],
    ['postgres://ward@127.0.0.9/x', 'disable'],
    ['postgres://ward@[::1]/x', 'disable'],
    ['postgres://ward@%2Fvar%2Frun%2Fpostgresql/x', 'disable'],
    ['postgres://ward@/x?host=/var/run/postgresql', 'disable'],
    ['postgres://ward@localhost,db/x', 'verify-full'],
    ['postgres://ward@localhost/x?sslmode=require', 'require'],
    ['postgres://ward@db/x?sslmode=disable', 'disable'],
  ])('%s is secured with %s', ([url, mode]) => {
    expect(parsePostgresUrl(url!).sslMode).toBe(mode)
  })

  it('is shown without its password, its files and its mode', () => {
    const url = 'postgres://ward:hidden@db:5433/x?sslmode=require&sslkey=/keys/hidden&schema=own'
    expect(parsePostgresUrl(url).shown).toBe('postgres://ward@db:5433/x?schema=own')
  })

  it.for([
    ['postgres://db/x', /names no user/],
    ['postgres://ward:hidden@db:99999/x', /host that is not/],
    ['postgres://ward:hidden@db/x?colour=red', /parameter colour/],
    ['postgres://ward:hidden@db/x?sslmode=prefer', /sslmode/],
    ['postgres://ward:hidden%@db/x', /%/],
    ['postgres://ward:hidden@db/x?schema=pg_temp', /schema/],
    ['postgres://ward:hid/den@db/x', /./],
  ] as const)('%s is refused, without telling the password', ([url, sentence]) => {
    const refusal = () => parsePostgresUrl(url)
    expect(refusal).toThrow(UsageError)
    expect(refusal).toThrow(sentence)
    expect(refusal).not.toThrow(/hid/)
  })
})
