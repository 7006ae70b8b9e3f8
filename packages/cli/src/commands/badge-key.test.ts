// `pulseward badge-key create`: a key that a fleet file takes, each time another one.
import { createHash } from 'node:crypto'
import { loadFleetFiles } from '@pulseward/testing/fleet'
import { expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

it('prints a new key alone, which a fleet file takes', async () => {
  const made = await Promise.all([
    runInProcess(['badge-key', 'create']),
    runInProcess(['badge-key', 'create']),
  ])
  const [one = '', other] = made.map(({ stdout }) => stdout.trimEnd())
  expect(made.map(({ code, stderr }) => [code, stderr])).toEqual([
    [0, ''],
    [0, ''],
  ])
  expect(one).toMatch(/^[A-Za-z0-9_-]{24}$/)
  expect(one).not.toBe(other)
  const monitor = '{ id: a, name: A, check: { type: tcp, config: { host: a, port: 1 } } }'
  const { definition } = await loadFleetFiles(
    `badges: { "${one}": { monitor: a, shows: status } }\nmonitors: [${monitor}]\n`,
  )
  const keyDigest = createHash('sha256').update(one).digest('hex')
  expect([...definition.badges.values()]).toMatchObject([{ subject: { monitor: 'a' }, keyDigest }])
})

it.each([[[]], [['revoke']], [['create', 'more']]])('says what it takes: %j', async (words) => {
  const { code, stderr } = await runInProcess(['badge-key', ...words])
  expect(code).toBe(2)
  expect(stderr).toMatch(/create|not expected/)
})
