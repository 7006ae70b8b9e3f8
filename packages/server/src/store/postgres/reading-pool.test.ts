// A read of a server that accepts connections and says nothing ends when its reader wants, not when the server does.
import { TcpTarget } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'
import { parsePostgresUrl } from './address.ts'
import { ReadingPool } from './reading-pool.ts'

it('ends a read that must be answered soon, also while connections wait for a silent server', async () => {
  await using silent = await TcpTarget.start({ behaviour: { kind: 'silent' } })
  const address = parsePostgresUrl(`postgres://ward@127.0.0.1:${silent.port}/postgres?sslmode=disable`)
  await using pool = new ReadingPool({ address, passwordFile: null, name: 'test', writes: false }, 1)
  const waiting = pool.one('SELECT 1').catch((error: Error) => error.message)
  await expect(pool.oneWithin(50, 'SELECT 1')).rejects.toThrow('PostgreSQL does not answer')
  expect(await waiting).toContain('PostgreSQL')
})
