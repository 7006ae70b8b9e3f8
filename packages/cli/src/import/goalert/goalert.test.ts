import { readFileSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { runInProcess } from '../../client/command.fixture.ts'
import { imported, refused } from '../import.fixture.ts'
import {
  type AnswerParts,
  always,
  answer,
  method,
  policy,
  rule,
  schedule,
  step,
  target,
  tells,
  user,
  weekend,
  weekly,
  workdays,
} from './goalert.fixture.ts'
import { readGoalert } from './goalert.ts'

async function drafted(...pages: readonly AnswerParts[]) {
  const files = pages.map((parts, index) => [`${index}.json`, JSON.stringify(answer(parts))] as const)
  using folder = temporaryFolder(Object.fromEntries(files))
  return await readGoalert(files.map(([name]) => folder.path(name)))
}

async function notesOf(parts: AnswerParts): Promise<string[]> {
  const lines = (await drafted(parts)).notes.lines()
  return lines.filter((line) => !line.includes('in the form of this service'))
}

const turn = { people: ['bo-chen', 'ana-berg'], start: '2026-03-02T09:00', every: '1w' }
const scheduleOf = async (parts: AnswerParts, id = 'primary') => (await drafted(parts)).schedules.get(id)

describe('an answer of GoAlert', () => {
  it('becomes people, schedules and policies of a valid fleet file', async () => {
    const { fleet, stderr, secrets } = await imported('goalert', { 'a.json': JSON.stringify(answer()) })
    expect(fleet).toEqual({
      version: 1,
      endpoints: {
        'ana-berg-phone': { type: 'webhook', config: { url: 'https://hooks.example/u1' } },
        'bo-chen-phone': { type: 'webhook', config: { url: 'https://hooks.example/u2' } },
      },
      people: {
        'ana-berg': { name: 'Ana Berg', endpoints: ['ana-berg-phone'] },
        'bo-chen': { name: 'Bo Chen', endpoints: ['bo-chen-phone'] },
      },
      schedules: { primary: { timezone: 'Europe/Berlin', layers: [turn] } },
      policies: {
        payments: {
          steps: [
            { notify: [{ schedule: 'primary' }], wait: '5m' },
            { notify: [{ person: 'bo-chen' }], wait: '15m' },
          ],
          repeat: 2,
        },
      },
      monitors: [],
    })
    expect(stderr).toContain('pulseward: 2 people, 1 schedule, 1 policy carried over.\n')
    expect(secrets).toBe('')
  })

  it('says who is on call as GoAlert does, before and after the hand-over', async () => {
    const { stdout } = await imported('goalert', { 'a.json': JSON.stringify(answer()) })
    using folder = temporaryFolder({ 'fleet.yaml': stdout })
    const onCallAt = async (at: string) => {
      const { stdout: said } = await runInProcess([
        'oncall',
        folder.path('fleet.yaml'),
        '--at',
        at,
        '-o',
        'json',
      ])
      return JSON.parse(said)
    }
    expect(JSON.stringify(await onCallAt('2026-03-09T07:59:00Z'))).toMatch(/"person":"bo-chen"/)
    expect(JSON.stringify(await onCallAt('2026-03-09T08:00:00Z'))).toMatch(/"person":"ana-berg"/)
    // Clocks have changed: still at 09:00.
    expect(JSON.stringify(await onCallAt('2026-04-06T07:00:00Z'))).toMatch(/"person":"ana-berg"/)
  })

  it('may come in pages, of which the last has no more', async () => {
    const [first, second] = [
      { users: [user('u1', 'Ana Berg')], hasNextPage: true },
      { users: [user('u1', 'Ana Berg'), user('u2', 'Bo Chen')] },
    ]
    const whole = await drafted(first, second)
    expect([...whole.people.keys()]).toEqual(['ana-berg', 'bo-chen'])
    expect(whole.schedules.size).toBe(1)
    expect((await notesOf({ hasNextPage: true }))[0]).toBe(
      '"the answer": users: have more pages: save the others too, and name all files.',
    )
  })

  it.each([
    ['something else', '{"monitors":[]}'],
    ['an error', '{"errors":[{"message":"access denied"}],"data":null}'],
  ])('is refused if it is %s', async (_, content) => {
    expect(await refused('goalert', { 'a.json': content })).toEqual([
      1,
      'pulseward: a.json is not an answer of GoAlert: save what its GraphQL API answers to the query in docs/moving-in.md.\n',
    ])
  })

  it('is refused without a word of a secret if nothing in it can be used', async () => {
    const broken = method('m', 'webhook', { webhook_url: 'hunter2-4f9c1d7e8b2a60' })
    const [code, stderr] = await refused('goalert', {
      'a.json': JSON.stringify(
        answer({
          users: [
            user('u1', 'Ana', {
              contactMethods: [broken],
              notificationRules: [{ delayMinutes: 0, contactMethodID: 'm' }],
            }),
          ],
        }),
      ),
    })
    expect(code).toBe(1)
    expect(stderr).toContain('nothing was written')
    expect(stderr).not.toContain('hunter2')
  })

  it('has the query that docs/moving-in.md gives', () => {
    const page = readFileSync(new URL('../../../../../docs/moving-in.md', import.meta.url), 'utf8')
    const query = /```graphql\n([\s\S]*?)```/.exec(page)![1]!
    const asked = new Set(query.match(/[A-Za-z]+/g))
    const keysOf = (value: unknown): string[] =>
      typeof value !== 'object' || value === null
        ? []
        : Object.entries(value).flatMap(([key, inner]) =>
            Array.isArray(value) ? keysOf(inner) : [key, ...(key === 'args' ? [] : keysOf(inner))],
          )
    const full = answer({
      userOverrides: [override()],
      schedules: [schedule({ temporarySchedules: [{ start: '', end: '', shifts: [shift] }] })],
      config: [{ id: 'SMTP.From', value: 'a@b' }],
    })
    const answered = new Set(keysOf((full as { data: object }).data))
    expect([...answered].filter((key) => !asked.has(key))).toEqual([])
  })
})

describe('a user of GoAlert', () => {
  const person = async (members: object, config?: readonly object[]) => {
    const parts = { users: [user('u1', 'Ana Berg', members)], ...(config === undefined ? {} : { config }) }
    return await drafted(parts)
  }
  const mail = method('mail', 'smtp-email', { email_address: 'ana@shop.example' })
  const sms = method('sms', 'twilio-sms', { phone_number: '+491701234567' })
  const rules = (...ids: readonly string[]) =>
    ids.map((contactMethodID, index) => ({ delayMinutes: index * 5, contactMethodID }))

  it('has the endpoints of their rules, in the order of the delays', async () => {
    const { people, endpoints, notes } = await person({
      contactMethods: [mail, sms],
      notificationRules: rules('sms', 'mail').toReversed(),
    })
    expect(people.get('ana-berg')).toMatchObject({ endpoints: ['ana-berg-phone', 'ana-berg-phone-2'] })
    expect(endpoints.get('ana-berg-phone')?.type).toBe('twilio')
    expect(notes.lines()).toContain(
      '"Ana Berg": notificationRules: are carried over as an order: the next endpoint is tried if the one before it fails, whatever the delay.',
    )
  })

  it('gets servers as variables to set if the answer does not have them', async () => {
    const { endpoints, secrets } = await person({
      contactMethods: [mail, sms],
      notificationRules: rules('mail', 'sms'),
    })
    expect(endpoints.get('ana-berg-phone')).toEqual({
      type: 'email',
      config: {
        to: ['ana@shop.example'],
        from: { credential: 'goalert-mail-sender' },
        server: {
          host: { credential: 'goalert-mail-host' },
          username: { credential: 'goalert-mail-username' },
          password: { credential: 'goalert-mail-password' },
        },
      },
    })
    expect(secrets.variables.every(({ value }) => value === null)).toBe(true)
    expect(secrets.variables.map(({ name }) => name)).toContain('FLEET_GOALERT_TWILIO_AUTH_TOKEN')
  })

  it('gets the servers of the settings, with their secrets as credentials', async () => {
    const account = `AC${'0'.repeat(32)}`
    const settings = {
      'SMTP.From': 'GoAlert <goalert@shop.example>',
      'SMTP.Address': 'mail.shop.example:465',
      'SMTP.Username': 'ward',
      'SMTP.Password': 'hunter2',
      'Twilio.AccountSID': account,
      'Twilio.AuthToken': 'hunter3',
      'Twilio.FromNumber': '+491700000000',
    }
    const config = Object.entries(settings).map(([id, value]) => ({ id, value }))
    const { endpoints, secrets } = await person(
      { contactMethods: [mail, sms], notificationRules: rules('mail', 'sms') },
      config,
    )
    expect([...endpoints.values()].map((one) => one.config)).toEqual([
      {
        to: ['ana@shop.example'],
        from: 'goalert@shop.example',
        server: {
          host: 'mail.shop.example',
          port: 465,
          security: 'tls',
          username: 'ward',
          password: { credential: 'goalert-mail-password' },
        },
      },
      {
        account_sid: account,
        auth_token: { credential: 'goalert-twilio-auth-token' },
        from: '+491700000000',
        to: '+491701234567',
      },
    ])
    expect(secrets.valueOf('goalert-mail-password')).toBe('hunter2')
  })

  it.each([
    [
      'that calls a phone',
      method('m', 'twilio-voice', { phone_number: '+491701234567' }),
      'there is no notifier for "builtin-twilio-voice"',
    ],
    ['that is disabled', { ...mail, id: 'm', disabled: true }, 'it is disabled or was never verified'],
    ['without an address', method('m', 'smtp-email', {}), 'it is missing'],
  ])('is left behind with a method %s alone', async (_, only, why) => {
    const draft = await person({ contactMethods: [only], notificationRules: rules('m') })
    expect(draft.people.size).toBe(0)
    const notes = draft.notes.lines().join('\n')
    expect(notes).toContain(why)
    expect(notes).toContain(
      '"Ana Berg": contactMethods: keeps it from being carried over: none of them can be used here',
    )
  })

  it('does not get a method that no rule uses', async () => {
    const { people, notes } = await person({ contactMethods: [mail, sms], notificationRules: rules('mail') })
    expect(people.get('ana-berg')).toMatchObject({ endpoints: ['ana-berg-phone'] })
    expect(notes.lines()).toContain(
      '"Ana Berg": contactMethods[1]: is not carried over: no notification rule uses it.',
    )
  })
})

describe('a schedule of GoAlert', () => {
  const withTargets = (...targets: readonly object[]) => ({ schedules: [schedule({ targets })] })

  it('keeps rules as hours, also past midnight and for whole days', async () => {
    const targets = [
      target('rotation', 'r1', rule('22:00', '06:00', workdays), rule('12:00', '12:00', weekend)),
    ]
    expect(await scheduleOf(withTargets(...targets))).toMatchObject({
      layers: [
        {
          ...turn,
          hours: [
            { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '06:00' },
            { days: ['sun', 'sat'], from: '12:00', to: '24:00' },
            { days: ['sun', 'mon'], from: '00:00', to: '12:00' },
          ],
        },
      ],
    })
  })

  it('puts targets whose rules do not overlap into one schedule', async () => {
    const draft = await drafted(
      withTargets(
        target('rotation', 'r1', rule('00:00', '00:00', workdays)),
        target('user', 'u1', rule('00:00', '00:00', weekend)),
      ),
    )
    expect([...draft.schedules.keys()]).toEqual(['primary'])
    expect(draft.schedules.get('primary')).toMatchObject({
      layers: [turn, { people: ['ana-berg'], start: '2000-01-01T00:00' }],
    })
  })

  it('becomes several if targets are on call at the same time, and policies tell them all', async () => {
    const draft = await drafted(
      withTargets(target('rotation', 'r1', always), target('user', 'u1', rule('09:00', '17:00', workdays))),
    )
    expect([...draft.schedules.keys()]).toEqual(['primary', 'primary-2'])
    expect(draft.policies.get('payments')).toMatchObject({
      steps: [{ notify: [{ schedule: 'primary' }, { schedule: 'primary-2' }] }, {}],
    })
    expect(draft.notes.lines().join('\n')).toContain(
      '"Primary": targets: overlap: there is a schedule for each',
    )
  })

  it.each([
    [
      'monthly',
      { type: 'monthly' },
      'type: keeps it from being carried over: turns here are hours, days or weeks; write a layer for it',
    ],
    [
      'of a length that is no number',
      { shiftLength: 0.5 },
      'shiftLength: keeps it from being carried over: it is not a whole number from 1 to 9999',
    ],
    [
      'of strangers',
      { userIDs: ['u9'] },
      'userIDs: keeps it from being carried over: none of these people is carried over',
    ],
    [
      'without a start',
      { nextHandoffTimes: [], start: 'soon' },
      'start: keeps it from being carried over: it is not a time',
    ],
  ])('is left behind with a rotation that is %s', async (_, members, why) => {
    const draft = await drafted({ rotations: [{ ...weekly, ...members }] })
    expect(draft.schedules.size).toBe(0)
    const notes = draft.notes.lines()
    expect(notes).toContain(`"Weekly": ${why}.`)
    expect(notes).toContain(
      '"Primary": targets: keeps it from being carried over: none of them can be carried over.',
    )
    expect(notes.join('\n')).toContain('"Payments": steps[1].actions[0]: is not carried over')
  })

  it('begins a rotation at its start if the answer does not say whose turn it is', async () => {
    const rotations = [{ ...weekly, activeUserIndex: undefined, nextHandoffTimes: undefined }]
    expect(await scheduleOf({ rotations })).toMatchObject({
      layers: [{ people: ['ana-berg', 'bo-chen'], start: '2025-01-06T09:00' }],
    })
    expect(await notesOf({ rotations })).toEqual([
      '"Weekly": nextHandoffTimes: are missing: whose turn it is now is not known.',
    ])
  })

  it('says of a rotation in another zone whose clocks count', async () => {
    expect(await notesOf({ rotations: [{ ...weekly, timeZone: 'America/New_York' }] })).toEqual([
      '"Weekly": timeZone: is not the one of its schedule; hand-overs are on the clocks of the schedule.',
    ])
  })

  it('is left behind if its zone does not exist', async () => {
    const notes = await notesOf({ schedules: [schedule({ timeZone: 'Mars/Olympus' })] })
    expect(notes).toContain('"Primary": timeZone: keeps it from being carried over: it is not a time zone.')
  })

  it('says which rotation nothing uses', async () => {
    expect(await notesOf({ schedules: [schedule({ targets: [target('user', 'u1', always)] })] })).toEqual([
      '"Weekly": is not carried over: no schedule and no policy uses it.',
    ])
  })
})

const override = (members: object = {}) => ({
  id: 'o1',
  start: '2026-03-07T08:00:00Z',
  end: '2026-03-10T08:00:00Z',
  addUserID: 'u1',
  removeUserID: 'u2',
  target: { id: 's1', type: 'schedule', name: 'Primary' },
  ...members,
})
const shift = { userID: 'u1', start: '2026-03-04T08:00:00Z', end: '2026-03-05T08:00:00Z' }

describe('an override of GoAlert', () => {
  it('replaces a person while they are on call, and not after their turn', async () => {
    expect(await scheduleOf({ userOverrides: [override()] })).toMatchObject({
      overrides: [{ from: '2026-03-07T09:00', to: '2026-03-09T09:00', person: 'ana-berg' }],
    })
  })

  it.each([
    ['adds', { removeUserID: '' }, 'it adds a person, and a schedule here has one at a time'],
    ['removes', { addUserID: '' }, 'it removes a person without another in their place'],
    ['ends before it begins', { end: '2026-03-01T00:00:00Z' }, 'it does not begin and end at times'],
    ['names a stranger', { addUserID: 'u9' }, 'one of its people is not'],
    [
      'names another schedule',
      { target: { id: 's9', type: 'schedule', name: 'Primary' } },
      'its schedule is not',
    ],
    [
      'is for a turn of others',
      { start: '2026-03-11T00:00:00Z', end: '2026-03-12T00:00:00Z' },
      'the person whom it replaces is not on call then, or another override holds',
    ],
  ])('is noted if it %s', async (_, members, why) => {
    const parts = { userOverrides: [override(members)] }
    expect(await scheduleOf(parts)).not.toHaveProperty('overrides')
    expect(await notesOf(parts)).toEqual([`"Primary": override: is not carried over: ${why}.`])
  })

  it('gives way to a temporary schedule, and no two of them overlap', async () => {
    const temporary = { start: shift.start, end: shift.end, shifts: [shift, { ...shift, userID: 'u2' }] }
    const parts = {
      schedules: [schedule({ temporarySchedules: [temporary] })],
      userOverrides: [override({ start: '2026-03-04T00:00:00Z', end: '2026-03-06T00:00:00Z' })],
    }
    expect(await scheduleOf(parts)).toMatchObject({
      overrides: [{ from: '2026-03-04T09:00', to: '2026-03-05T09:00', person: 'ana-berg' }],
    })
    expect((await notesOf(parts)).join('\n')).toContain(
      'temporarySchedules[0].shifts[1]: is not carried over',
    )
  })
})

describe('an escalation policy of GoAlert', () => {
  it('may tell a rotation and a channel', async () => {
    const steps = [step(0, 5, tells.rotation('r1'), tells.channel('C1'))]
    const draft = await drafted({ schedules: [], escalationPolicies: [policy({ steps })] })
    expect(draft.schedules.get('weekly')).toMatchObject({ timezone: 'Europe/Berlin', layers: [turn] })
    expect(draft.policies.get('payments')).toMatchObject({
      steps: [{ notify: [{ schedule: 'weekly' }, { endpoint: 'payments-slack-channel' }] }],
    })
    expect(draft.endpoints.get('payments-slack-channel')).toMatchObject({ type: 'slack' })
  })

  it('leaves out a step that tells strangers, and waits as long', async () => {
    const steps = [step(0, 5, tells.user('u1')), step(1, 10, tells.user('u9')), step(2, 1, tells.user('u2'))]
    const draft = await drafted({ escalationPolicies: [policy({ steps })] })
    expect(draft.policies.get('payments')).toMatchObject({ steps: [{ wait: '15m' }, { wait: '1m' }] })
  })

  it('is left behind if it tells strangers only', async () => {
    const notes = await notesOf({ escalationPolicies: [policy({ steps: [step(0, 5, tells.user('u9'))] })] })
    expect(notes).toContain(
      '"Payments": steps: keeps it from being carried over: none of them tells anyone who is carried over.',
    )
  })
})
