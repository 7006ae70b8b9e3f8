// Whatever a file holds: an import ends with a fleet file that is valid, or with a sentence and nothing written; and no
// secret stands in what it says.
import { execFileSync } from 'node:child_process'
import { temporaryFolder } from '@pulseward/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runInProcess, withoutNotes } from '../client/command.fixture.ts'
import { fieldsOfTypes } from './uptime-kuma/unused-fields.ts'

const secret = 'hunter2-4f9c1d7e8b2a60'

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom(
    '',
    '~',
    'null',
    '1e3',
    '- a',
    'a: b',
    '\u0000',
    '\ud800',
    'x'.repeat(400),
    'X-Key'.repeat(60),
    '__proto__',
    'constructor',
    '{{',
    '$HOME',
    '$A-b',
  ),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
)
const value = fc.oneof(
  { weight: 3, arbitrary: text },
  fc.integer({ min: -5, max: 1e12 }),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.oneof(text, fc.integer()), { maxLength: 3 }),
  fc.dictionary(text, text, { maxKeys: 3 }),
)
/** Some of these keys with any values, and a good one for each that must be there. */
const mapping = (keys: readonly string[], good: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 }), fc.record(good))
    .map(([any, right]) => ({ ...right, ...any }))

const kuma = fc
  .array(
    mapping(
      [...fieldsOfTypes, 'name', 'interval', 'timeout', 'maxretries', 'parent', 'tags', 'active', 'novelty'],
      {
        id: fc.integer({ min: 1, max: 5 }),
        name: text,
        type: fc.constantFrom(
          'http',
          'keyword',
          'json-query',
          'port',
          'ping',
          'dns',
          'docker',
          'postgres',
          'mysql',
          'redis',
          'mongodb',
          'mqtt',
          'kafka-producer',
          'rabbitmq',
          'grpc-keyword',
          'websocket-upgrade',
          'smtp',
          'ntp',
          'group',
          'push',
        ),
        url: fc.constantFrom(
          'https://a.example/',
          `https://u:${secret}@a.example/`,
          `http://a/?key=${secret}`,
          'wss://a/',
        ),
        hostname: fc.constantFrom('a.example', '::1', 'mqtts://a'),
        port: fc.constantFrom(443, 0, '80'),
        basic_auth_user: fc.constantFrom('', 'ward'),
        basic_auth_pass: fc.constantFrom('', secret),
        database_connection_string: fc.constantFrom(
          `postgres://a:${secret}@b/c`,
          `mysql://a:${secret}@b/c`,
          `rediss://:${secret}@b`,
          `mongodb://a:${secret}@b/?x=${secret}`,
        ),
      },
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((monitorList) => ({ version: '1.23.0', monitorList, notificationList: [] }))

const gatus = fc.record({
  alerting: mapping(['slack', 'email', 'ntfy', 'custom', 'telegram', 'zulip'], {
    slack: fc.constant({ 'webhook-url': `https://hooks.example/${secret}` }),
  }),
  endpoints: fc.array(
    mapping(
      [
        'url',
        'method',
        'body',
        'headers',
        'conditions',
        'interval',
        'client',
        'alerts',
        'dns',
        'ssh',
        'ui',
        'group',
        'maintenance-windows',
        'novelty',
      ],
      {
        name: text,
        url: fc.constantFrom(
          'https://a.example/',
          'tcp://a:1',
          'udp://a:1',
          'icmp://a',
          'tls://a:1',
          'grpc://a:1',
          'ssh://a',
          'ws://a/',
          `https://u:${secret}@$A/`,
        ),
        headers: fc.constant({ Authorization: `Bearer ${secret}`, 'X-Key': secret }),
        conditions: fc.array(
          fc.constantFrom(
            '[STATUS] == 200',
            '[STATUS] == 42',
            '[BODY].key == 1',
            '[BODY] == pat(*(*)',
            '[RESPONSE_TIME] < 0',
            '[CERTIFICATE_EXPIRATION] > 9999999h',
            `[IP] == ${secret}`,
            `${secret} == [BODY].key`,
            '[BODY].key == $A',
            'nonsense',
          ),
          { maxLength: 3 },
        ),
        alerts: fc.constant([{ type: 'slack' }]),
      },
    ),
    { minLength: 1, maxLength: 4 },
  ),
})

const cpra = fc.record({
  monitors: fc.array(
    mapping(['id', 'tags', 'codes', 'intervention', 'maintenance', 'enabled', 'novelty'], {
      name: text,
      pulse_check: mapping(
        ['interval', 'timeout', 'retries', 'max_failures', 'config', 'groups', 'novelty'],
        {
          type: fc.constantFrom(
            'http',
            'tcp',
            'icmp',
            'dns',
            'udp',
            'grpc',
            'docker',
            'redis',
            'postgres',
            'mysql',
            'mongo',
            'rabbitmq',
            'kafka',
            'tls',
          ),
          config: mapping(
            ['url', 'host', 'port', 'dsn', 'uri', 'addr', 'brokers', 'headers', 'body', 'count'],
            {
              url: fc.constantFrom(`http://u:${secret}@a/`, `amqp://u:${secret}@a`),
              host: fc.constant('a'),
              port: fc.constant(1),
              password: fc.constant(secret),
              uri: fc.constant(`mongodb://u:${secret}@a`),
              dsn: fc.constantFrom(`u:${secret}@tcp(a:1)/b`, `host=a user=u password=${secret}`),
            },
          ),
        },
      ),
      codes: fc.constant({ red: { notify: 'slack', config: { hook: secret } }, pink: { notify: 'log' } }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
})

const blackbox = fc.record({
  modules: fc.record({
    one: mapping(['timeout', 'http', 'tcp', 'dns', 'novelty'], {
      prober: fc.constantFrom('http', 'tcp', 'dns', 'icmp', 'grpc', 'websocket', 'unix'),
      http: mapping(
        ['headers', 'method', 'body', 'valid_status_codes', 'fail_if_body_matches_regexp', 'tls_config'],
        {
          basic_auth: fc.constant({ username: 'u', password: secret }),
          http_headers: fc.constant({ 'X-Key': { secrets: [secret] } }),
        },
      ),
      dns: fc.constant({ query_name: 'a.example', query_type: 'A' }),
    }),
  }),
  scrape_configs: fc.tuple(
    mapping(['scrape_interval', 'scrape_timeout', 'relabel_configs', 'novelty'], {
      job_name: text,
      metrics_path: fc.constant('/probe'),
      params: fc.constant({ module: ['one'] }),
      static_configs: fc.constantFrom(
        [{ targets: ['a:1', `https://u:${secret}@a/${secret}?t=${secret}`] }],
        [{ targets: ['a.example'], labels: { team: 'x', 'not a label': 'y' } }],
      ),
    }),
  ),
})

const moment = fc.constantFrom('2026-03-07T08:00:00Z', '9999-12-31T23:59:59Z', '0001-01-01T00:00:00Z', 'soon')
const zone = fc.constantFrom('Europe/Berlin', 'UTC', 'America/St_Johns', 'Mars/Olympus')
const known = fc.constantFrom('u1', 'u2', 'r1', 's1', 'nobody')
const goalert = fc
  .record({
    users: fc.array(
      mapping(['name', 'contactMethods', 'notificationRules', 'novelty'], {
        id: known,
        name: text,
        contactMethods: fc.constantFrom(
          [
            {
              id: 'm',
              name: 'hook',
              dest: { type: 'builtin-webhook', args: { webhook_url: `https://a/${secret}` } },
            },
          ],
          [{ id: 'm', dest: { type: 'builtin-smtp-email', args: { email_address: 'a@b.example' } } }],
        ),
        notificationRules: fc.constant([{ delayMinutes: 1, contactMethodID: 'm' }]),
      }),
      { minLength: 1, maxLength: 3 },
    ),
    rotations: fc.array(
      mapping(['type', 'shiftLength', 'userIDs', 'activeUserIndex', 'nextHandoffTimes', 'start', 'novelty'], {
        id: fc.constant('r1'),
        name: text,
        type: fc.constantFrom('weekly', 'daily', 'hourly', 'monthly'),
        shiftLength: fc.constantFrom(1, 9_000, 0, 1e9),
        userIDs: fc.constantFrom(['u1', 'u2'], ['u1', 'u1'], []),
        timeZone: zone,
        nextHandoffTimes: fc.tuple(moment),
      }),
      { maxLength: 2 },
    ),
    schedules: fc.array(
      mapping(['targets', 'temporarySchedules', 'novelty'], {
        id: fc.constant('s1'),
        name: text,
        timeZone: zone,
        targets: fc.array(
          fc.record({
            target: fc.record({ id: known, type: fc.constantFrom('user', 'rotation', 'service') }),
            rules: fc.array(
              fc.record({
                start: fc.constantFrom('00:00', '22:30', '24:00', '9'),
                end: fc.constantFrom('00:00', '06:00', '22:30'),
                weekdayFilter: fc.array(fc.boolean(), { minLength: 6, maxLength: 8 }),
              }),
              { maxLength: 40 },
            ),
          }),
          { maxLength: 3 },
        ),
        temporarySchedules: fc.array(
          fc.record({
            shifts: fc.array(fc.record({ userID: known, start: moment, end: moment }), { maxLength: 2 }),
          }),
          { maxLength: 2 },
        ),
      }),
      { maxLength: 2 },
    ),
    userOverrides: fc.array(
      fc.record({
        start: moment,
        end: moment,
        addUserID: known,
        removeUserID: known,
        target: fc.record({ id: known }),
      }),
      { maxLength: 3 },
    ),
    escalationPolicies: fc.array(
      mapping(['repeat', 'steps', 'novelty'], {
        name: text,
        repeat: fc.constantFrom(0, 99, 1.5),
        steps: fc.array(
          fc.record({
            stepNumber: fc.integer(),
            delayMinutes: fc.constantFrom(5, -1, 1e9, 0.001),
            actions: fc.array(
              fc.constantFrom(
                { type: 'builtin-user', args: { user_id: 'u1' } },
                { type: 'builtin-schedule', args: { schedule_id: 's1' } },
                { type: 'builtin-rotation', args: { rotation_id: 'r1' } },
                { type: 'builtin-webhook', args: { webhook_url: `https://u:${secret}@a/` } },
                { type: 'builtin-slack-channel', args: { slack_channel_id: secret } },
                { type: '__proto__', args: [] },
              ),
              { maxLength: 4 },
            ),
          }),
          { maxLength: 4 },
        ),
      }),
      { maxLength: 2 },
    ),
  })
  .map((sections) => ({
    data: Object.fromEntries(
      Object.entries(sections).map(([name, nodes]) => [name, { nodes, pageInfo: { hasNextPage: false } }]),
    ),
  }))

function valuesIn(file: string): Record<string, string> {
  const script = 'set -a; . "$0"; exec env -0'
  const lines = execFileSync('sh', ['-c', script, file], { encoding: 'utf8', env: {} }).split('\0')
  return Object.fromEntries(
    lines
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

describe('an import of any file', () => {
  it.each([
    ['uptime-kuma', kuma],
    ['gatus', gatus],
    ['cpra', cpra],
    ['blackbox', blackbox],
    ['goalert', goalert],
  ] as const)('%s ends with a valid fleet or with a sentence', { tags: 'long' }, async (kind, files) => {
    using folder = temporaryFolder()
    let carriedOver = 0
    let run = 0
    await fc.assert(
      fc.asyncProperty(files as fc.Arbitrary<unknown>, async (content) => {
        const file = folder.write('source.json', JSON.stringify(content))
        const secrets = folder.path(`secrets-${++run}.env`)
        const { code, stdout, stderr } = await runInProcess(['import', kind, file, '--secrets', secrets])
        expect([0, 1], stderr).toContain(code)
        expect(stdout + stderr).not.toContain(secret)
        expect(stderr).not.toMatch(/[\p{Cc}--\n]/v)
        if (code === 1) {
          expect(stdout).toBe('')
          return
        }
        carriedOver++
        const words = ['validate', '--allow-unset', '--allow-empty', folder.write('fleet.yaml', stdout)]
        for (const environment of [{}, valuesIn(secrets)]) {
          const validated = await runInProcess(words, { environment })
          expect([validated.code, withoutNotes(validated.stderr)]).toEqual([0, ''])
        }
      }),
      { numRuns: 60 },
    )
    expect(carriedOver).toBeGreaterThan(8)
  })
})
