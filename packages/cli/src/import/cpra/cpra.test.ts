import { describe, expect, it } from 'vitest'
import { imported, refused } from '../import.fixture.ts'

const manifest = (pulse: string, more = '') => ({
  'monitors.yaml': `monitors:\n  - name: shop\n    pulse_check: ${pulse}\n${more}`,
})

describe('a manifest of CPRa', () => {
  it('becomes a fleet with checks, recoveries, codes, groups and windows', async () => {
    const { fleet, stdout, stderr, secrets } = await imported('cpra', {
      'monitors.yaml': `
version: 1
endpoints:
  ops-slack: { type: slack, config: { hook: "https://hooks.slack.com/services/T0/B0/hunter2" } }
  ops-mail: { type: email, config: { to: ops@example.org, from: cpra@example.org, server: "mail.example:25", allow_insecure: true } }
notification_groups:
  ops: [ops-slack, ops-mail]
monitors:
  - id: shop:api
    name: Shop API
    enabled: false
    tags: [payments]
    pulse_check:
      type: http
      interval: 30s
      timeout: 5s
      retries: 2
      unhealthy_threshold: 4
      healthy_threshold: 2
      config: { url: "http://127.0.0.1:8080/health", expected_status: [200], insecure_skip_verify: true }
    intervention:
      action: docker
      retries: 3
      target: { type: docker, container: shop, timeout: 20s }
    codes:
      red: { dispatch: true, notify_group: ops }
      green: { notify: log, config: { file: alerts.jsonl } }
      yellow: { dispatch: false, notify: log, config: { file: alerts.jsonl } }
    maintenance: [{ cron: "0 3 * * 0", duration: 1h30m, timezone: Europe/Berlin }]
  - name: By name
    pulse_check: { type: icmp, max_failures: 5, config: { host: 192.0.2.1, count: 2 } }
`,
    })
    expect(fleet.monitors).toEqual([
      {
        id: 'shop:api',
        name: 'Shop API',
        enabled: false,
        tags: ['payments'],
        check: {
          type: 'http',
          interval: '30s',
          timeout: '5s',
          unhealthy_threshold: 4,
          healthy_threshold: 2,
          retries: 2,
          config: { url: 'http://127.0.0.1:8080/health', expect: { status: [200] }, tls: { verify: false } },
        },
        recovery: { type: 'docker', timeout: '20s', config: { container: 'shop' } },
        notify: { red: { groups: ['ops'] }, green: { endpoints: ['log'] } },
        maintenance: [{ cron: '0 3 * * 0', duration: '5400s', timezone: 'Europe/Berlin' }],
      },
      {
        name: 'By name',
        check: {
          type: 'icmp',
          interval: '1m',
          unhealthy_threshold: 5,
          config: { host: '192.0.2.1', count: 2 },
        },
      },
    ])
    expect(fleet.groups).toEqual({ ops: ['ops-slack', 'ops-mail'] })
    expect(fleet.endpoints?.['ops-mail']?.config).toEqual({
      to: ['ops@example.org'],
      from: 'cpra@example.org',
      server: { host: 'mail.example', port: 25, security: 'none' },
    })
    expect(secrets).toBe('FLEET_OPS_SLACK_HOOK=https://hooks.slack.com/services/T0/B0/hunter2\n')
    expect(stdout + stderr).not.toContain('hunter2')
    for (const note of [
      'intervention.retries: is not carried over',
      'codes.yellow: is not carried over: it is switched off',
      'file: is not carried over',
    ])
      expect(stderr).toContain(note)
  })

  const pulses: Record<string, [pulse: string, type: string, config: object]> = {
    'http of old manifests': [
      '{ type: http, config: { url: http://a/, headers: ["X-Trace: on"] } }',
      'http',
      { headers: { 'X-Trace': 'on' } },
    ],
    udp: [
      '{ type: udp, config: { host: a, port: 53, payload: hi } }',
      'udp',
      { host: 'a', port: 53, send: 'hi', expect: '' },
    ],
    dns: [
      '{ type: dns, config: { host: a.example, server: 9.9.9.9 } }',
      'dns',
      { host: 'a.example', server: '9.9.9.9' },
    ],
    redis: [
      '{ type: redis, config: { addr: "cache:6379", password: hunter2, db: 3 } }',
      'redis',
      { host: 'cache', port: 6379, database: 3, password: { credential: 'shop-password' } },
    ],
    postgres: [
      '{ type: postgres, config: { dsn: "host=db port=5433 user=ward password=hunter2 dbname=shop sslmode=require" } }',
      'postgres',
      { host: 'db', port: 5433, user: 'ward', database: 'shop', tls: { verify: false } },
    ],
    mysql: [
      '{ type: mysql, config: { dsn: "ward:hunter2@tcp(db:3307)/shop" } }',
      'mysql',
      { host: 'db', port: 3307, user: 'ward', database: 'shop' },
    ],
    rabbitmq: [
      '{ type: rabbitmq, config: { url: "amqp://ward:hunter2@mq:5672/" } }',
      'rabbitmq',
      { url: { credential: 'shop-url' } },
    ],
    tls: [
      '{ type: tls, config: { host: a, port: 443, warn_days: 14, insecure_skip_verify: true } }',
      'tls',
      { host: 'a', port: 443, warn_days: 14, verify: { chain: false, name: false } },
    ],
    kafka: ['{ type: kafka, config: { brokers: ["k1:9092"] } }', 'kafka', { brokers: ['k1:9092'] }],
  }
  it.each(Object.entries(pulses))('carries over the pulse check: %s', async (_, [pulse, type, config]) => {
    const { fleet, stdout, stderr } = await imported('cpra', manifest(pulse))
    expect(fleet.monitors[0]?.check).toMatchObject({ type, config })
    expect(stdout + stderr).not.toContain('hunter2')
  })

  it('notes TLS that is left to the server', async () => {
    const { stderr } = await imported(
      'cpra',
      manifest('{ type: postgres, config: { dsn: "host=db user=ward dbname=shop sslmode=prefer" } }'),
    )
    expect(stderr).toContain('"shop": pulse_check.config.sslmode: is not carried over: prefer leaves it')
  })

  it('reads JSON too', async () => {
    const monitor = {
      name: 'a',
      pulse_check: { type: 'tcp', interval: '10s', config: { host: 'a', port: 1 } },
    }
    const { fleet } = await imported('cpra', { 'a.json': JSON.stringify({ monitors: [monitor] }) })
    expect(fleet.monitors[0]?.check).toMatchObject({ type: 'tcp', interval: '10s' })
  })

  it('gives two monitors of one name an id', async () => {
    const one = '{ name: a, pulse_check: { type: icmp, config: { host: a } } }'
    const { fleet, stderr } = await imported('cpra', { 'a.yaml': `monitors: [${one}, ${one}]\n` })
    expect(fleet.monitors.map(({ id }) => id)).toEqual([undefined, 'a'])
    expect(stderr).toContain('"a": id: is another one here')
  })

  it.each([
    [
      'is a fleet file',
      'monitors: [{ name: a, check: { type: icmp } }]\n',
      'is not a manifest of CPRa: it has no monitors with a pulse_check.',
    ],
    [
      'is a resource of the API',
      'apiVersion: cpra.io/v2\nkind: Monitor\n',
      'holds resources of an API (apiVersion)',
    ],
    [
      'is of another version',
      'version: 7\nmonitors: []\n',
      "is of a version of CPRa's manifests that is not known here",
    ],
  ])('is refused with a sentence when the file %s', async (_, text, sentence) => {
    expect(await refused('cpra', { 'a.yaml': text })).toEqual([1, expect.stringContaining(sentence)])
  })
})
