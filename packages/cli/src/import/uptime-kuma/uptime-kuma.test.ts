import { describe, expect, it } from 'vitest'
import { imported, refused } from '../import.fixture.ts'

/** As the settings of 1.23 export it: every field, whatever the type. */
const backupMonitor = (members: object) => ({
  id: 1,
  name: 'Shop',
  description: null,
  pathName: 'Shop',
  parent: null,
  childrenIDs: [],
  url: 'https://shop.example/health',
  method: 'GET',
  hostname: null,
  port: null,
  maxretries: 2,
  weight: 2000,
  active: true,
  type: 'http',
  timeout: 48,
  interval: 60,
  retryInterval: 60,
  resendInterval: 0,
  keyword: null,
  invertKeyword: false,
  expiryNotification: false,
  ignoreTls: false,
  upsideDown: false,
  packetSize: 56,
  maxredirects: 3,
  accepted_statuscodes: ['200-299', '401'],
  dns_resolve_type: 'A',
  dns_resolve_server: '1.1.1.1',
  proxyId: null,
  notificationIDList: {},
  tags: [],
  includeSensitiveData: true,
  ...members,
})

const backup = (monitors: object[], notifications: object[] = [], version = '1.23.13') => ({
  'backup.json': JSON.stringify({ version, notificationList: notifications, monitorList: monitors }),
})

const pg = (mode: string) => ({
  type: 'postgres',
  databaseConnectionString: `postgres://u@db.example/x?sslmode=${mode}`,
})
const headerAndLogin = {
  headers: '{"authorization":"Basic aHVudGVyMg=="}',
  authMethod: 'basic',
  basic_auth_user: 'u',
  basic_auth_pass: 'hunter2',
}

describe('a backup of Uptime Kuma', () => {
  it('becomes a fleet with its timing, its expectations and its destinations', async () => {
    const slack = {
      type: 'slack',
      name: 'Ops',
      slackwebhookURL: 'https://hooks.slack.com/services/T0/B0/hunter2',
    }
    const { fleet, secrets, stdout, stderr } = await imported(
      'uptime-kuma',
      backup(
        [
          backupMonitor({ notificationIDList: { 4: true }, resendInterval: 10 }),
          backupMonitor({
            id: 2,
            name: 'Shop',
            type: 'keyword',
            keyword: 'ok',
            invertKeyword: true,
            active: false,
          }),
        ],
        [{ id: 4, name: 'Ops', active: true, userId: 1, isDefault: true, config: JSON.stringify(slack) }],
      ),
    )
    expect(fleet.monitors[0]).toEqual({
      id: 'shop',
      name: 'Shop',
      check: {
        type: 'http',
        interval: '1m',
        timeout: '48s',
        unhealthy_threshold: 3,
        healthy_threshold: 1,
        config: {
          url: 'https://shop.example/health',
          expect: { status: ['200-299', 401] },
          redirects: { follow: true, max: 3 },
        },
      },
      notify: { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] }, repeat: '10m' },
    })
    expect(fleet.monitors[1]).toMatchObject({
      id: 'shop-2',
      enabled: false,
      check: { config: { expect: { body: { not_contains: 'ok' } } } },
    })
    expect(fleet.endpoints).toEqual({
      ops: { type: 'slack', config: { hook: { credential: 'ops-webhook-url' } } },
    })
    expect(secrets).toBe('FLEET_OPS_WEBHOOK_URL=https://hooks.slack.com/services/T0/B0/hunter2\n')
    expect(stdout + stderr).not.toContain('hunter2')
    expect(stderr).not.toContain('Not carried over')
  })

  it.each([
    ['user info', { url: 'https://ward:hunter2@shop.example/' }, 'FLEET_SHOP_PASSWORD=hunter2\n'],
    ['a parameter', { url: 'https://shop.example/?token=hunter2' }, 'FLEET_SHOP_URL='],
    ['a header', { headers: '{"Authorization":"Bearer hunter2"}' }, 'FLEET_SHOP_TOKEN=hunter2\n'],
    ['another header', { headers: '{"X-Api-Key":"hunter2"}' }, 'FLEET_SHOP_HEADER_X_API_KEY=hunter2\n'],
    ['a body', { method: 'POST', body: '{"password":"hunter2"}' }, 'FLEET_SHOP_BODY='],
    [
      'a login',
      { basic_auth_user: 'a', basic_auth_pass: "hunter2 'x'" },
      'FLEET_SHOP_PASSWORD="hunter2 \'x\'"\n',
    ],
    [
      'a connection',
      { type: 'postgres', databaseConnectionString: 'postgres://a:hunter2@db:5432/x' },
      'FLEET_SHOP_PASSWORD=hunter2\n',
    ],
  ])('keeps a secret in %s from what is printed', async (_, members, expected) => {
    const { stdout, stderr, secrets } = await imported('uptime-kuma', backup([backupMonitor(members)]))
    expect(stdout + stderr).not.toContain('hunter2')
    expect(secrets).toContain(expected)
    expect(secrets).toContain('hunter2')
    expect(stderr).toContain(expected.split('=')[0])
  })

  const carried: Record<string, [members: object, type: string, config: object]> = {
    port: [{ type: 'port', hostname: 'db.example', port: 5432 }, 'tcp', { host: 'db.example', port: 5432 }],
    ping: [{ type: 'ping', hostname: 'db.example' }, 'icmp', { host: 'db.example', count: 1 }],
    dns: [
      { type: 'dns', hostname: 'shop.example', port: 5353, dns_resolve_type: 'MX' },
      'dns',
      { host: 'shop.example', record_type: 'MX', server: '1.1.1.1:5353' },
    ],
    redis: [
      { type: 'redis', databaseConnectionString: 'rediss://cache.example:6380/2' },
      'redis',
      { host: 'cache.example', port: 6380, database: 2, tls: {} },
    ],
    mongodb: [
      { type: 'mongodb', databaseConnectionString: 'mongodb://db.example/shop?authSource=admin' },
      'mongo',
      { host: 'db.example', database: 'shop', auth_database: 'admin' },
    ],
    'json-query': [
      { type: 'json-query', jsonPath: 'checks[0].up', expectedValue: 'true' },
      'http',
      { expect: { body: { json: [{ path: '$.checks[0].up', equals: true }] } } },
    ],
    rabbitmq: [
      { type: 'rabbitmq', rabbitmqNodes: ['http://mq.example:15672/'] },
      'http',
      { url: 'http://mq.example:15672/api/health/checks/alarms/' },
    ],
    'kafka-producer': [
      { type: 'kafka-producer', kafkaProducerBrokers: ['k1:9092'], kafkaProducerTopic: 'orders' },
      'kafka',
      { brokers: ['k1:9092'], topic: 'orders' },
    ],
    'websocket-upgrade': [
      { type: 'websocket-upgrade', url: 'wss://shop.example/live', wsSubprotocol: 'chat' },
      'websocket',
      { url: 'wss://shop.example/live', subprotocol: 'chat' },
    ],
  }
  it.each(Object.entries(carried))(
    'carries over a monitor of type %s',
    async (_, [members, type, config]) => {
      const { fleet } = await imported('uptime-kuma', backup([backupMonitor(members)]))
      expect(fleet.monitors[0]?.check).toMatchObject({ type, config })
    },
  )

  it.each([
    ['a GET with a body', { body: '{"a":1}', method: undefined }, { method: 'GET', body: '{"a":1}' }],
    ['prefer, which its driver takes for TLS', pg('prefer'), { tls: {} }],
    ['no TLS', pg('disable'), { tls: undefined }],
    ['no-verify', pg('no-verify'), { tls: { verify: false } }],
    ['require, which its driver verifies', pg('require'), { tls: {} }],
    ['the usual offset of NTP', { type: 'ntp', hostname: 'a' }, { max_offset: '1000ms' }],
    [
      'an encoding of bodies that it does not have',
      { type: 'http', httpBodyEncoding: 'constructor', body: '{}', method: 'POST' },
      { headers: undefined },
    ],
    ['a header beside a login', headerAndLogin, { auth: undefined }],
  ])('asks as Uptime Kuma does: %s', async (_, members, config) => {
    const { fleet } = await imported('uptime-kuma', backup([backupMonitor(members)]))
    const written: Record<string, unknown> = { ...fleet.monitors[0]?.check.config }
    for (const [key, value] of Object.entries(config)) expect([key, written[key]]).toEqual([key, value])
  })

  it.each([
    [
      'a header without a value',
      { headers: '{"X-Empty":""}' },
      'headers: are carried over without those that are empty',
    ],
    [
      'the end of a domain, whatever the type',
      { type: 'ping', hostname: 'a', domainExpiryNotification: true },
      'domain_expiry_notification: is not carried over',
    ],
    [
      'codes with which a WebSocket may close',
      { type: 'websocket-upgrade', url: 'wss://a/', accepted_statuscodes: ['1000', '1006'] },
      'accepted_statuscodes: are not carried over',
    ],
    ['an inverted keyword that is empty', { type: 'keyword', invertKeyword: true }, 'keyword: is empty'],
    ['an interval of centuries', { interval: 1e12 }, 'interval: is set to'],
    ['a header beside a login', headerAndLogin, 'headers: bring a login of their own'],
  ])('notes what is not as it was: %s', async (_, members, note) => {
    const { stderr } = await imported('uptime-kuma', backup([backupMonitor(members)]))
    expect(stderr).toContain(note)
  })

  it('notes headers of a webhook that cannot be read', async () => {
    const webhook = { type: 'webhook', webhookURL: 'http://a/', webhookAdditionalHeaders: 'X-Key: hunter2' }
    const { stderr } = await imported(
      'uptime-kuma',
      backup([backupMonitor({})], [{ id: 4, name: 'Ops', active: true, config: JSON.stringify(webhook) }]),
    )
    expect(stderr).toContain('"notification Ops": webhookAdditionalHeaders: is not carried over')
    expect(stderr).not.toContain('hunter2')
  })

  it('notes entries of its lists that are not monitors or notifications', async () => {
    const { stderr } = await imported(
      'uptime-kuma',
      backup([backupMonitor({}), 'x' as never, null as never], [7 as never]),
    )
    expect(stderr).toContain('"the backup": monitorList: has 2 entries that are not carried over')
    expect(stderr).toContain('"the backup": notificationList: has 1 entry that is not carried over')
  })

  it('follows groups in groups however deep they are', async () => {
    const groups = Array.from({ length: 50_000 }, (_, index) => ({
      id: index + 1,
      name: `g${index}`,
      type: 'group',
      parent: index === 0 ? null : index,
      active: index !== 20_000,
    }))
    const { fleet } = await imported(
      'uptime-kuma',
      backup([...groups, backupMonitor({ id: 99_999, parent: 50_000 })]),
    )
    expect(fleet.monitors).toEqual([expect.objectContaining({ name: 'Shop', enabled: false })])
  })

  it.each([
    ['steam', { type: 'steam' }, 'there is no check for monitors of type "steam"'],
    ['upside down', { upsideDown: true }, 'a check here cannot be turned around'],
    ['OAuth', { authMethod: 'oauth2-cc' }, 'checks here cannot log in by OAuth'],
    [
      'several servers',
      { type: 'mongodb', databaseConnectionString: 'mongodb://a,b/' },
      'names several servers',
    ],
    ['no host', { type: 'port', hostname: 'two words', port: 1 }, 'no check can be made of it'],
    [
      'half a login',
      {
        type: 'kafka-producer',
        kafkaProducerBrokers: ['k:1'],
        kafkaProducerSaslOptions: { mechanism: 'plain', username: 'u' },
      },
      'a login without a password is not possible here',
    ],
  ])('leaves a monitor behind by name and reason: %s', async (_, members, reason) => {
    const left = backupMonitor({ id: 2, name: 'Left behind', ...members })
    const { fleet, stderr } = await imported('uptime-kuma', backup([backupMonitor({}), left]))
    expect(fleet.monitors.map(({ name }) => name)).toEqual(['Shop'])
    expect(stderr).toMatch(new RegExp(`"Left behind": .*${reason}`))
  })

  it('notes a field that it does not know, and no field that the type does not use', async () => {
    const { stderr } = await imported(
      'uptime-kuma',
      backup([backupMonitor({ game: 'chess', mqttTopic: 'x', quantumState: 'both', anotherNewField: null })]),
    )
    expect(stderr).toContain('"Shop": quantum_state: is not known to this import.')
    expect(stderr).not.toMatch(/game|mqtt|another/)
  })

  it('cuts what is longer or shorter than allowed, and says so', async () => {
    const { fleet, stderr } = await imported(
      'uptime-kuma',
      backup([
        backupMonitor({ name: `${'x'.repeat(300)}\u0007`, interval: 20, timeout: 48, maxretries: 5000 }),
      ]),
    )
    expect(fleet.monitors[0]).toMatchObject({
      name: 'x'.repeat(256),
      check: { timeout: '20s', unhealthy_threshold: 1000 },
    })
    expect(stderr).toMatch(/timeout: is set to the interval(.|\n)*needs 1000 failures/)
  })

  it.each([
    ['is no backup', { 'a.json': '{"monitors":[]}' }, 'a.json is neither a backup of Uptime Kuma'],
    ['is not JSON', { 'a.json': '<html>' }, 'a.json is neither a backup of Uptime Kuma'],
    ['is not text', { 'a.json': new Uint8Array([0xff, 0xfe, 0]) }, 'a.json is not a text file'],
    [
      'is of another version',
      backup([backupMonitor({})], [], '3.0.0'),
      'is a backup of Uptime Kuma 3, which is not known',
    ],
    ['has no monitors', backup([]), 'There is no monitor that could be carried over'],
    [
      'has groups in a circle',
      backup([
        backupMonitor({ id: 1, name: 'A', type: 'group', parent: 2 }),
        backupMonitor({ id: 2, name: 'B', type: 'group', parent: 1 }),
      ]),
      'The groups contain each other in a circle: "B" in "A" in "B".',
    ],
  ])('is refused with a sentence when the file %s', async (_, files, sentence) => {
    const [code, stderr] = await refused('uptime-kuma', files)
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  })
})
