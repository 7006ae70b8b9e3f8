import { readdirSync, readFileSync } from 'node:fs'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { imported, importedFrom, refused } from '../import.fixture.ts'
import { openKumaDatabase, writeKumaDatabase, writeOtherDatabase } from './database.fixture.ts'

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

describe('the database of Uptime Kuma', () => {
  it('gives groups, tags, maintenance, proxies and engines', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, {
      monitor: [
        { name: 'Europe', type: 'group' },
        { name: 'Paused', type: 'group', parent: 1, active: 0 },
        { name: 'Shop', type: 'http', url: 'http://shop.example/', parent: 1, proxy_id: 1 },
        { name: 'Worker', type: 'docker', docker_container: 'worker', docker_host: 1, parent: 2 },
      ],
      tag: [{ name: 'prod' }, { name: 'team' }],
      monitor_tag: [
        { monitor_id: 3, tag_id: 1, value: '' },
        { monitor_id: 3, tag_id: 2, value: 'payments' },
      ],
      proxy: [
        {
          protocol: 'http',
          host: 'proxy.example',
          port: 3128,
          auth: 1,
          username: 'u',
          password: 'hunter2',
          active: 1,
        },
      ],
      docker_host: [{ docker_daemon: '/var/run/docker.sock', docker_type: 'socket', name: 'here' }],
      notification: [
        {
          name: 'Mail',
          active: 1,
          config: JSON.stringify({
            type: 'smtp',
            smtpHost: 'mail.example',
            smtpPort: 587,
            smtpTo: 'Ops <ops@example.org>',
            smtpFrom: 'kuma@example.org',
          }),
        },
      ],
      monitor_notification: [{ monitor_id: 3, notification_id: 1 }],
      maintenance: [
        {
          title: 'Nightly',
          active: 1,
          strategy: 'recurring-weekday',
          cron: '30 2 * * 1,3',
          duration: 3600,
          timezone: 'SAME_AS_SERVER',
        },
        { title: 'By hand', active: 1, strategy: 'manual' },
        {
          title: 'Move',
          active: 1,
          strategy: 'single',
          start_date: '2126-07-01 10:00:00',
          end_date: '2126-07-01 12:00:00',
          timezone: 'Europe/Berlin',
        },
      ],
      monitor_maintenance: [1, 2, 3].map((maintenance_id) => ({ monitor_id: 3, maintenance_id })),
      setting: [{ key: 'serverTimezone', value: '"Asia/Tokyo"' }],
    })
    const { fleet, stderr, secrets } = await importedFrom('uptime-kuma', [file])
    expect(fleet.monitors).toEqual([
      expect.objectContaining({
        name: 'Shop',
        tags: ['prod'],
        labels: { group: 'Europe', team: 'payments' },
        check: expect.objectContaining({
          config: expect.objectContaining({ proxy: { credential: 'shop-proxy-url' } }),
        }),
        notify: { red: { endpoints: ['mail'] }, green: { endpoints: ['mail'] } },
        maintenance: [
          { cron: '30 2 * * 1,3', duration: '3600s', timezone: 'Asia/Tokyo' },
          { start: '2126-07-01T08:00:00Z', end: '2126-07-01T10:00:00Z' },
        ],
      }),
      expect.objectContaining({
        name: 'Worker',
        enabled: false,
        labels: { group: 'Europe / Paused' },
        check: expect.objectContaining({
          config: { container: 'worker', engine: 'unix:///var/run/docker.sock' },
        }),
      }),
    ])
    expect(fleet.endpoints?.['mail']).toMatchObject({ type: 'email', config: { to: ['ops@example.org'] } })
    expect(secrets).toBe('FLEET_SHOP_PROXY_URL=http://u:hunter2@proxy.example:3128\n')
    expect(stderr).toMatch(/"maintenance By hand": is not carried over: it is switched on and off by hand/)
    expect(stderr).toMatch(/"Europe", "Paused": is not carried over: it is a group/)
  })

  it.each(['delete', 'wal'] as const)('leaves nothing beside the file (journal mode %s)', async (journal) => {
    using folder = temporaryFolder()
    writeKumaDatabase(
      folder.path('kuma.db'),
      { monitor: [{ name: 'Shop', type: 'http', url: 'http://a/' }] },
      journal,
    )
    await importedFrom('uptime-kuma', [folder.path('kuma.db')])
    expect(readdirSync(folder.root)).toEqual(['kuma.db'])
  })

  it('is read with what stands in the log beside it', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, { monitor: [{ name: 'Before', type: 'http', url: 'http://a/' }] }, 'wal')
    using _running = openKumaDatabase(file, 'After')
    const { fleet } = await importedFrom('uptime-kuma', [file])
    expect(fleet.monitors.map(({ name }) => name)).toEqual(['After'])
  })

  it('is refused with a sentence when it is another database, or damaged', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeKumaDatabase(file, { monitor: [{ name: 'Shop', type: 'http', url: 'http://a/' }] })
    const whole = readFileSync(file)
    const damaged = Buffer.from(whole).fill(0xaa, 100)
    expect(await refused('uptime-kuma', { 'kuma.db': damaged })).toEqual([
      1,
      expect.stringContaining('kuma.db cannot be read as an SQLite database'),
    ])
    writeOtherDatabase(folder.path('other.db'), 'CREATE TABLE pets (name)')
    expect(await refused('uptime-kuma', { 'other.db': readFileSync(folder.path('other.db')) })).toEqual([
      1,
      expect.stringContaining(
        'not one of Uptime Kuma 1 or 2: its table of monitors lacks id, name, type, interval, active.',
      ),
    ])
  })

  it('is not led astray by a view in the place of a table', async () => {
    using folder = temporaryFolder()
    const file = folder.path('kuma.db')
    writeOtherDatabase(
      file,
      "CREATE VIEW monitor AS SELECT 1 AS id, 'Shop' AS name, 'ping' AS type, 60 AS interval, 1 AS active",
    )
    const [code, stderr] = await refused('uptime-kuma', { 'kuma.db': readFileSync(file) })
    expect([code, stderr]).toEqual([1, expect.stringContaining('its table of monitors lacks')])
  })
})
