// The store command, and what commands on files say of a store in PostgreSQL.
import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

const url = 'postgres://ward:hidden@127.0.0.1:1/fleet'

it('prints the SQL of a store without a secret, the same each time', async () => {
  const { code, stdout } = await runInProcess(['store', 'init', '--store', url, '--print'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^CREATE SCHEMA IF NOT EXISTS "pulseward";\nSET search_path = "pulseward";\n/)
  expect(stdout).not.toContain('hidden')
  expect((await runInProcess(['store', 'init', '--store', url, '--print'])).stdout).toBe(stdout)
  await expect(stdout).toMatchFileSnapshot('golden/store-init.sql')
})

it.for([
  [['store'], /Say what to do/],
  [['store', 'init'], /Name the database/],
  [['store', 'init', '--store', 'postgres://127.0.0.1/x'], /names no user/],
  [['store', 'init', '--from', 'a'], /--from does not apply to store init/],
  [['store', 'init', '--store', 'mysql://a:hidden@b/c'], /--store: .*memory, sqlite or a URL/],
] as const)('refuses %s', async ([words, sentence]) => {
  const { code, stderr } = await runInProcess([...words])
  expect(code).toBe(2)
  expect(stderr).toMatch(sentence)
  expect(stderr).not.toContain('hidden')
})

it('says that the server cannot be reached, without the password', async () => {
  const { code, stderr } = await runInProcess(['store', 'init', '--store', url])
  expect(code).toBe(3)
  expect(stderr).toMatch(/PostgreSQL cannot be reached/)
  expect(stderr).not.toContain('hidden')
})

it.for([
  [
    'backup',
    'monday.dump',
    /pg_dump --format=custom --schema=pulseward --file=monday.dump 'postgres:\/\/ward@127.0.0.1:1\/fleet'$/m,
  ],
  ['restore', 'monday.dump', /pg_restore --dbname='postgres:\/\/ward@127.0.0.1:1\/fleet' monday.dump /],
  ['verify', null, /pg_amcheck/],
] as const)('%s says what to use on PostgreSQL', async ([name, file, sentence]) => {
  using folder = temporaryFolder()
  const settings = folder.write('settings.yaml', `store: ${url}\n`)
  const { code, stderr } = await runInProcess([
    name,
    ...(file === null ? [] : [file]),
    '--settings',
    settings,
  ])
  expect(code).toBe(2)
  expect(stderr).toMatch(sentence)
})

it('never shows the password of the store among the settings', async () => {
  for (const output of ['table', 'json']) {
    const { stdout } = await runInProcess(['settings', '--store', url, '--output', output])
    expect(stdout).toContain('postgres://ward:***@127.0.0.1:1/fleet')
    expect(stdout).not.toContain('hidden')
  }
})
