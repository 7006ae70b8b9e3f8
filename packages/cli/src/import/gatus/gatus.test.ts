import { describe, expect, it } from 'vitest'
import { imported, refused } from '../import.fixture.ts'
import { parseCondition, StatusExpectation } from './conditions.ts'

const endpoint = (more: string) => ({
  'config.yaml': `endpoints:\n  - name: shop\n${more.replaceAll(/^(?=.)/gm, '    ')}`,
})

describe('the page of Gatus', () => {
  it('becomes a status page with a component for each endpoint', async () => {
    const { fleet } = await imported('gatus', {
      'config.yaml': `
endpoints:
  - { name: shop, group: core, url: "https://shop.example/", conditions: ["[STATUS] == 200", "[CERTIFICATE_EXPIRATION] > 48h"] }
  - { name: shop, group: edge, url: "tcp://shop.example:443", conditions: ["[CONNECTED] == true"] }
  - { name: mail, url: "tcp://mail.example:25", conditions: ["[CONNECTED] == true"] }
`,
    })
    expect(fleet.status_pages).toEqual({
      status: {
        title: 'Status',
        groups: [
          {
            name: 'core',
            components: [{ id: 'shop', name: 'shop', monitors: expect.arrayContaining(['core-shop']) }],
          },
          { name: 'edge', components: [{ id: 'shop-2', name: 'shop', monitors: ['edge-shop'] }] },
          { name: 'Others', components: [{ id: 'mail', name: 'mail', monitors: ['mail'] }] },
        ],
      },
    })
  })

  it('is not made where nothing is in a group', async () => {
    const { fleet } = await imported(
      'gatus',
      endpoint('url: "tcp://shop.example:25"\nconditions: ["[CONNECTED] == true"]\n'),
    )
    expect(fleet.status_pages).toBeUndefined()
  })
})

describe('a configuration of Gatus', () => {
  it('becomes a fleet with conditions, alerts, maintenance and labels', async () => {
    const { fleet, secrets, stdout, stderr } = await imported('gatus', {
      'config.yaml': `
metrics: true
maintenance: { start: "23:00", duration: 1h, timezone: Europe/Amsterdam, every: [Monday, Thursday] }
alerting:
  slack:
    webhook-url: "https://hooks.slack.com/services/T0/B0/hunter2"
    default-alert: { send-on-resolved: true, failure-threshold: 5 }
  pagerduty: { integration-key: "\${PAGERDUTY_KEY}" }
  zulip: { bot-email: a@example.org }
endpoints:
  - name: front end
    group: core
    url: "https://shop.example/health"
    interval: 1m30s
    headers: { Authorization: "Bearer \${SHOP_TOKEN}", X-Trace: "on" }
    extra-labels: { team: payments }
    client: { timeout: 5s, insecure: true, ignore-redirect: true }
    conditions: ["[STATUS] == 200", "[BODY].status == UP", "[BODY].users[0].id == 7", "[RESPONSE_TIME] < 300", "[CERTIFICATE_EXPIRATION] > 50h"]
    maintenance-windows: [{ start: "07:30", duration: 40m }]
    alerts:
      - { type: slack, minimum-reminder-interval: 30m }
      - { type: pagerduty, success-threshold: 4 }
    ui: { hide-url: true }
`,
    })
    expect(fleet.monitors).toEqual([
      {
        id: 'core-front-end',
        name: 'front end',
        labels: { group: 'core', team: 'payments' },
        check: {
          type: 'http',
          interval: '90s',
          timeout: '5s',
          unhealthy_threshold: 3,
          healthy_threshold: 2,
          config: {
            url: 'https://shop.example/health',
            headers: { 'X-Trace': 'on' },
            auth: { bearer: { credential: 'shop-token' } },
            expect: {
              status: [200],
              body: {
                json: [
                  { path: '$.status', equals: 'UP' },
                  { path: '$.users[0].id', equals: 7 },
                ],
              },
            },
            max_latency: '300ms',
            tls: { verify: false },
          },
        },
        notify: {
          red: { endpoints: ['slack', 'pagerduty'] },
          green: { endpoints: ['slack'] },
          repeat: '30m',
        },
        maintenance: [
          { cron: '0 23 * * 1,4', duration: '1h', timezone: 'Europe/Amsterdam' },
          { cron: '30 7 * * *', duration: '40m' },
        ],
      },
      expect.objectContaining({
        id: 'core-front-end-certificate',
        check: expect.objectContaining({
          type: 'tls',
          config: {
            host: 'shop.example',
            port: 443,
            critical_days: 3,
            verify: { chain: false, name: false },
          },
        }),
      }),
    ])
    expect(fleet.credentials).toEqual({
      'slack-webhook-url': { env: 'FLEET_SLACK_WEBHOOK_URL' },
      'pagerduty-key': { env: 'PAGERDUTY_KEY' },
      'shop-token': { env: 'SHOP_TOKEN' },
    })
    expect(secrets).toContain('FLEET_SLACK_WEBHOOK_URL=https://hooks.slack.com/services/T0/B0/hunter2\n')
    expect(secrets).toContain('# SHOP_TOKEN=\n')
    expect(stdout + stderr).not.toContain('hunter2')
    for (const note of [
      '"the configuration": metrics: is about the program',
      '"alerting.zulip": is not carried over: there is no notifier for "zulip"',
      '"core/front end": ui: is about how Gatus shows it',
      '"core/front end": alerts: have different thresholds',
    ])
      expect(stderr).toContain(note)
  })

  const kinds: Record<string, [more: string, type: string, config: object]> = {
    tcp: [
      'url: tcp://cache.example:6379\nbody: PING\nconditions: ["[BODY] == pat(*PONG*)"]',
      'tcp',
      { host: 'cache.example', port: 6379, send: 'PING', expect: 'PONG' },
    ],
    icmp: ['url: icmp://shop.example\nconditions: ["[CONNECTED] == true"]', 'icmp', { host: 'shop.example' }],
    dns: [
      'url: 8.8.8.8\ndns: { query-name: example.org., query-type: A }\nconditions: ["[BODY] == 192.0.2.1", "[DNS_RCODE] == NOERROR"]',
      'dns',
      { host: 'example.org', record_type: 'A', server: '8.8.8.8', expect: ['192.0.2.1'], rcode: 'NOERROR' },
    ],
    starttls: [
      'url: starttls://mail.example:587\nconditions: ["[CERTIFICATE_EXPIRATION] > 48h"]',
      'tls',
      { starttls: 'smtp', host: 'mail.example', port: 587, critical_days: 2 },
    ],
    grpcs: [
      'url: grpcs://shop.example\nconditions: ["[BODY].status == SERVING"]',
      'grpc',
      { host: 'shop.example', port: 443, tls: {} },
    ],
    wss: [
      'url: wss://shop.example/live\nbody: status',
      'websocket',
      { url: 'wss://shop.example/live', send: 'status' },
    ],
    ssh: [
      `url: ssh://shop.example:2222\nssh: { username: ward, password: hunter2 }\nbody: '{"command": "uptime"}'\nconditions: ["[STATUS] == 0"]`,
      'ssh',
      {
        host: 'shop.example',
        port: 2222,
        username: 'ward',
        password: { credential: 'shop-password' },
        command: 'uptime',
      },
    ],
    'a variable for a host': [
      'url: tcp://$SHOP_HOST:80',
      'tcp',
      { host: { credential: 'shop-host' }, port: 80 },
    ],
    'an escaped dollar': [
      'url: "https://shop.example/$$price"',
      'http',
      { url: 'https://shop.example/$price' },
    ],
    'a GET with a body': ['url: https://shop.example/\nbody: hi', 'http', { method: 'GET', body: 'hi' }],
    'a truth value of YAML 1.1': [
      'url: https://shop.example/\nclient: { insecure: yes, ignore-redirect: On }',
      'http',
      { tls: { verify: false } },
    ],
    'a network that does not exist': [
      'url: icmp://shop.example\nclient: { network: constructor }',
      'icmp',
      { host: 'shop.example' },
    ],
    graphql: [
      'url: https://shop.example/graphql\ngraphql: true\nbody: "{ ok }"',
      'http',
      { body: '{"query":"{ ok }"}', headers: { 'Content-Type': 'application/json' } },
    ],
  }
  it.each(Object.entries(kinds))(
    'carries over an endpoint of another kind: %s',
    async (_, [more, type, config]) => {
      const { fleet, stderr } = await imported('gatus', endpoint(more))
      expect(fleet.monitors[0]?.check).toMatchObject({ type, config })
      expect(stderr).not.toContain('hunter2')
    },
  )

  it('switches off what YAML 1.1 calls off, and shows names with variables as they stand', async () => {
    const { fleet, stderr } = await imported('gatus', {
      'config.yaml': 'endpoints: [{ name: a $STAGE, enabled: off, url: http://a/ }]\n',
    })
    expect(fleet.monitors).toEqual([expect.objectContaining({ name: 'a $STAGE', enabled: false })])
    expect(stderr).toContain('"a $STAGE": name: has variables, which are shown as they stand')
  })

  it('notes an override of an alert that is not a mapping', async () => {
    const { stderr } = await imported('gatus', {
      'config.yaml': `
alerting: { discord: { webhook-url: https://discord.example/a } }
endpoints: [{ name: a, url: http://a/, alerts: [{ type: discord, provider-override: hunter2 }] }]
`,
    })
    expect(stderr).toContain('"a": alerts[0].provider-override: is not a mapping')
  })

  it('takes a timeout without a unit for none, as Gatus does with nanoseconds', async () => {
    const { fleet } = await imported('gatus', endpoint('url: http://a/\nclient: { timeout: 5 }'))
    expect(fleet.monitors[0]?.check).not.toHaveProperty('timeout')
  })

  it('names a variable that has to be put together', async () => {
    const { fleet, stderr } = await imported('gatus', endpoint('url: "https://$HOST/health?k=$KEY"'))
    expect(fleet.monitors[0]?.check.config).toMatchObject({ url: { credential: 'shop-url' } })
    expect(stderr).toContain('FLEET_SHOP_URL, put together from HOST, KEY')
  })

  it('gives groups of endpoints and single alerts their own destinations', async () => {
    const { fleet } = await imported('gatus', {
      'config.yaml': `
alerting:
  discord:
    webhook-url: https://discord.example/a
    overrides: [{ group: core, webhook-url: https://discord.example/b }]
endpoints:
  - { name: a, group: core, url: http://a/, alerts: [{ type: discord }] }
  - { name: b, url: http://b/, alerts: [{ type: discord }] }
  - { name: c, url: http://c/, alerts: [{ type: discord, provider-override: { webhook-url: https://discord.example/c } }] }
`,
    })
    const told = fleet.monitors.map(
      ({ notify }) => (notify as { red: { endpoints: string[] } }).red.endpoints,
    )
    expect(told).toEqual([['discord-core'], ['discord'], ['discord-2']])
  })

  it.each([
    ['a condition that no check has', '[IP] == 192.0.2.7', 'the one on [IP] is not carried over'],
    ['a length', 'len([BODY].items) > 4242', 'the one on len([BODY].items) is not carried over'],
    ['something that is not a condition', 'hello 4242', 'have one that cannot be read'],
    ['a condition that begins with its value', '4242 == [BODY].pin', 'one that begins with a value'],
    ['a condition with a variable', '[BODY].pin == $PIN', 'the one on [BODY].pin is not carried over'],
    ['a status from a variable', '[STATUS] == $PIN', 'the one on [STATUS] is not carried over'],
    ['a number in JSON', '[BODY].pin == 4242', 'the one on [BODY].pin wants a number, not a text'],
  ])('notes %s without its value', async (_, condition, note) => {
    const { stderr } = await imported('gatus', endpoint(`url: http://a/\nconditions: ["${condition}"]`))
    expect(stderr).toContain(note)
    expect(stderr).not.toMatch(/4242|192\.0\.2\.7/)
  })

  it.each([
    [
      'what is pushed',
      'external-endpoints: [{ name: nightly, token: hunter2 }]',
      '"nightly": external-endpoints: is not',
    ],
    ['a suite', 'suites: [{ name: checkout, endpoints: [] }]', '"checkout": suites: is not carried over'],
    ['an unknown key', 'quantum: false', '"the configuration": quantum: is not known to this import'],
  ])('leaves %s behind by name and reason', async (_, line, note) => {
    const { stderr } = await imported('gatus', {
      'config.yaml': `${line}\nendpoints: [{ name: a, url: http://a/ }]\n`,
    })
    expect(stderr).toContain(note)
    expect(stderr).not.toContain('hunter2')
  })

  it.each([
    [
      'OAuth',
      'url: http://a/\nclient: { oauth2: { client-secret: hunter2 } }',
      'client.oauth2: keeps it from being carried over',
    ],
    ['SCTP', 'url: sctp://a:1', 'there is no check for sctp://'],
    [
      'a turned condition',
      'url: http://a/\nconditions: ["[CONNECTED] == false"]',
      'no connection can be made',
    ],
    ['no URL', 'group: x', 'url: keeps it from being carried over: it is missing'],
  ])('has nothing to carry over with only %s', async (_, more, reason) => {
    const [code, stderr] = await refused('gatus', endpoint(more))
    expect(code).toBe(1)
    expect(stderr).toContain(reason)
    expect(stderr).not.toContain('hunter2')
  })

  it.each([
    [
      'is something else',
      'monitors: []\n',
      'config.yaml is not a configuration of Gatus: it has no list of endpoints.',
    ],
    ['is of an old version', 'services: [{ name: a }]\n', 'is of a version of Gatus before 4'],
    ['is a list', '- a\n', 'config.yaml is not a configuration'],
    ['is empty', '\n', 'config.yaml is empty.'],
    [
      'is not YAML',
      'a: [hunter2\n',
      'config.yaml cannot be read as YAML or JSON: there is a mistake in line 2.',
    ],
  ])('is refused with a sentence when the file %s', async (_, text, sentence) => {
    const [code, stderr] = await refused('gatus', { 'config.yaml': text })
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    expect(stderr).not.toContain('hunter2')
  })
})

describe('conditions on the status', () => {
  it.each([
    [['[STATUS] < 300'], ['100-299']],
    [
      ['[STATUS] >= 200', '[STATUS] <= 204', '[STATUS] != 203'],
      ['200-202', 204],
    ],
    [['[STATUS] == any(200, 429)'], [200, 429]],
    [['[STATUS] == pat(2*)'], ['200-299']],
    [[], ['100-999']],
  ])('%j allow %j', (conditions, expected) => {
    const status = new StatusExpectation()
    for (const condition of conditions) expect(status.take(parseCondition(condition)!)).toBeNull()
    expect(status.written()).toEqual(expected)
  })
})
