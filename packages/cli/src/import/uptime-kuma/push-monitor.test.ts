import { temporaryFolder } from '@pulseward/testing'
import { expect, it } from 'vitest'
import { readUptimeKuma } from './uptime-kuma.ts'

const token = 'a1B2'.repeat(8)

async function drafted(...monitors: readonly object[]) {
  const common = {
    type: 'push',
    interval: 3_600,
    maxretries: 0,
    retryInterval: 60,
    timeout: 48,
    active: true,
  }
  const monitorList = monitors.map((members, index) => ({
    id: index + 1,
    name: 'Nightly backup',
    ...common,
    pushToken: token,
    ...members,
  }))
  using folder = temporaryFolder({
    'backup.json': JSON.stringify({ version: '1.23.13', notificationList: [], monitorList }),
  })
  return await readUptimeKuma([folder.path('backup.json')])
}

it('waits for signals at the old key, for as long as before', async () => {
  const draft = await drafted({ active: false })
  expect(draft.monitors).toEqual([
    {
      id: 'nightly-backup',
      name: 'Nightly backup',
      enabled: false,
      check: { type: 'push', config: { every: '1h', key: { credential: 'nightly-backup-push-key' } } },
    },
  ])
  expect(draft.secrets.valueOf('nightly-backup-push-key')).toBe(token)
  expect(draft.notes.lines()).toEqual([])
})

it('waits in addition for its retries', async () => {
  const draft = await drafted({ maxretries: 3 }, { maxretries: 2, retryInterval: 0 })
  expect(draft.monitors.map(({ check }) => check.config)).toMatchObject([
    { every: '1h', grace: '3m' },
    { every: '1h', grace: '2h' },
  ])
})

it.each([
  ['short', 'Zf8kQ2wLmN', 'cannot be a key here, which has 22 to 128 letters, digits, - and _'],
  ['missing', '', 'is missing'],
])('gets a new key if the old one is %s, and says so', async (_title, pushToken, why) => {
  const draft = await drafted({ pushToken })
  expect(draft.secrets.valueOf('nightly-backup-push-key')).toMatch(/^[A-Za-z0-9_-]{43}$/)
  expect(draft.notes.lines()).toEqual([
    `"Nightly backup": push_token: ${why}: the monitor has a new key, and its job needs the new address.`,
  ])
})
