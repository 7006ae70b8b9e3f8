import { temporaryFolder } from '@pulseward/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refused } from '../import.fixture.ts'
import { readHealthchecks } from './healthchecks.ts'

const uuid = '3f0c2c5e-7a11-4f0e-9c53-2b1f5f0a77d1'

/** As the API lists it in version 3 for a key that may write. */
const check = (members: object = {}) => ({
  name: 'Nightly backup',
  slug: 'nightly-backup',
  tags: 'db  prod',
  desc: '',
  grace: 600,
  n_pings: 112,
  status: 'up',
  started: false,
  last_ping: '2026-01-02T03:04:05+00:00',
  next_ping: '2026-01-03T03:04:05+00:00',
  manual_resume: false,
  methods: '',
  subject: '',
  subject_fail: '',
  start_kw: '',
  success_kw: '',
  failure_kw: '',
  filter_subject: false,
  filter_body: false,
  filter_http_body: false,
  filter_default_fail: false,
  badge_url: 'https://hc.example/b/2/x.svg',
  uuid,
  ping_url: `https://hc.example/ping/${uuid}`,
  update_url: `https://hc.example/api/v3/checks/${uuid}`,
  pause_url: `https://hc.example/api/v3/checks/${uuid}/pause`,
  resume_url: `https://hc.example/api/v3/checks/${uuid}/resume`,
  channels: '',
  timeout: 86_400,
  ...members,
})

async function drafted(...checks: readonly unknown[]) {
  using folder = temporaryFolder({ 'checks.json': JSON.stringify({ checks }) })
  return await readHealthchecks([folder.path('checks.json')])
}

describe('a check of Healthchecks', () => {
  it('keeps its period, its grace time and its key', async () => {
    const draft = await drafted(check())
    expect(draft.monitors).toEqual([
      {
        id: 'nightly-backup',
        name: 'Nightly backup',
        tags: ['db', 'prod'],
        check: {
          type: 'push',
          config: {
            every: '24h',
            grace: '10m',
            max_runtime: '10m',
            key: { credential: 'nightly-backup-push-key' },
          },
        },
      },
    ])
    expect(draft.secrets.valueOf('nightly-backup-push-key')).toBe(uuid)
    expect(draft.notes.lines()).toEqual([])
  })

  it('keeps its schedule in its time zone', async () => {
    const draft = await drafted(check({ schedule: '0 3  * * *', tz: 'Europe/Riga', timeout: undefined }))
    expect(draft.monitors[0]?.check.config).toMatchObject({ cron: '0 3 * * *', timezone: 'Europe/Riga' })
    expect(draft.monitors[0]?.check.config).not.toHaveProperty('every')
  })

  it('is disabled if it was paused, and takes its key from the address in version 1', async () => {
    const draft = await drafted(check({ status: 'paused', uuid: undefined }))
    expect(draft.monitors[0]).toMatchObject({ enabled: false })
    expect(draft.secrets.valueOf('nightly-backup-push-key')).toBe(uuid)
  })

  it('gets a new key if the list was made with a key that only reads', async () => {
    const draft = await drafted(check({ uuid: undefined, ping_url: undefined, unique_key: 'a6c7b0a8' }))
    expect(draft.secrets.valueOf('nightly-backup-push-key')).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(draft.notes.lines()).toEqual([
      '"Nightly backup": ping_url: is missing: the monitor has a new key, and its job needs the new address.',
    ])
  })

  it.each([
    ['desc', 'What it saves', 'is not carried over: monitors have no description here'],
    ['channels', '0f1e2d3c', 'are not carried over: the list has only their ids'],
    ['methods', 'POST', 'is not carried over: the setting push.methods is for all monitors'],
    ['manual_resume', true, 'is not carried over: a monitor here recovers with its next signal'],
    ['filter_body', true, 'has no counterpart in a fleet file'],
    ['novelty', 7, 'is not known to this import'],
  ])('leaves %s behind, and says so', async (field, value, reason) => {
    const draft = await drafted(check({ [field]: value }))
    expect(draft.monitors).toHaveLength(1)
    expect(draft.notes.lines()).toEqual([`"Nightly backup": ${field}: ${reason}.`])
  })

  it.each([
    [
      'schedule',
      { schedule: 'Mon..Fri *-*-* 08:00' },
      'it is not a cron expression of five fields; write it as one',
    ],
    ['timeout', { timeout: null }, 'there is neither a period nor a schedule'],
  ])('is left behind for its %s', async (field, members, reason) => {
    const draft = await drafted(check(members))
    expect(draft.monitors).toEqual([])
    expect(draft.notes.lines()).toEqual([
      `"Nightly backup": ${field}: keeps it from being carried over: ${reason}.`,
    ])
  })

  it('has a name of its own also without one', async () => {
    const draft = await drafted(check({ name: '' }), check({ name: '', slug: '' }), 'x')
    expect(draft.monitors.map(({ name }) => name)).toEqual(['nightly-backup', 'checks[1]'])
    expect(draft.notes.lines()).toEqual(['"the list": checks[2]: is not carried over: it is not a mapping.'])
  })

  it('takes any JSON without a crash, and shows no key', async () => {
    const odd = fc.dictionary(fc.constantFrom(...Object.keys(check())), fc.jsonValue(), { maxKeys: 8 })
    await fc.assert(
      fc.asyncProperty(odd, async (members) => {
        const draft = await drafted(check(members))
        expect(draft.notes.lines().join('\n')).not.toContain(uuid)
      }),
    )
  })
})

it('refuses a file that is not a list of checks', async () => {
  expect(await refused('healthchecks', { 'a.json': '{"monitors":[]}' })).toEqual([
    1,
    'pulseward: a.json is not a list of checks of Healthchecks: save the answer of its API at /api/v3/checks/.\n',
  ])
})
