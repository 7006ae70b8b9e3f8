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
      "FLEET_SHOP_PASSWORD='hunter2 '\\''x'\\'''\n",
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
    ['push', { type: 'push' }, 'nothing can be pushed to a monitor here'],
    ['steam', { type: 'steam' }, 'there is no check for monitors of type "steam"'],
    ['upside down', { upsideDown: true }, 'a check here cannot be turned around'],
    ['OAuth', { authMethod: 'oauth2-cc' }, 'checks here cannot log in by OAuth'],
    [
      'several servers',
      { type: 'mongodb', databaseConnectionString: 'mongodb://a,b/' },
      'names several servers',
    ],
    ['no host', { type: 'port', hostname: 'two words', port: 1 }, 'no check can be made of it'],
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
      'The groups stand in each other in a circle: "B" in "A" in "B".',
    ],
  ])('is refused with a sentence when the file %s', async (_, files, sentence) => {
    const [code, stderr] = await refused('uptime-kuma', files)
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  })
})
