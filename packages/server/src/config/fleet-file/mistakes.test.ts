// What every kind of mistake says, and where: the same mistake in block style, flow style, JSON and NDJSON.
import { mistakesIn } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'
import { notifiers } from '../../notify/registry.ts'
import { recoveries } from '../../recovery/registry.ts'
import { driverShapes } from '../driver-shapes.ts'

const allowedInMonitor =
  'id, name, enabled, tags, labels, depends_on, check, recovery, notify, policy, severity, maintenance'
const allowedInCheck =
  'type, interval, timeout, unhealthy_threshold, healthy_threshold, retries, locations, fails_when, config'
const allowedInHead =
  'version, credentials, endpoints, groups, people, schedules, policies, status_pages, badges, routes, defaults, monitors'

describe('a mistake in a monitor', () => {
  const table: Record<string, [monitor: object, ...mistakes: string[]]> = {
    'an unknown key': [
      { name: 'a', check: tcp(), nmae: 'b' },
      `nmae: the key "nmae" is unknown; allowed: ${allowedInMonitor}. Did you mean "name"?`,
    ],
    'an unknown key that is near nothing': [
      { name: 'a', check: tcp(), zzzzzz: 1 },
      `zzzzzz: the key "zzzzzz" is unknown; allowed: ${allowedInMonitor}.`,
    ],
    'a key in the wrong case': [
      { name: 'a', check: { ...tcp(), unhealthyThreshold: 3 } },
      `check.unhealthyThreshold: the key "unhealthyThreshold" is unknown; allowed: ${allowedInCheck}. Did you mean "unhealthy_threshold"?`,
    ],
    'an unknown option of a driver': [
      { name: 'a', check: { type: 'tcp', config: { host: 'a', prot: 1 } } },
      'check.config.prot: the key "prot" is unknown; allowed: host, port, family, send, expect, max_latency. Did you mean "port"?',
      'check.config: "port" is missing; expected: a whole number from 1 to 65535.',
    ],
    'an unknown driver': [
      { name: 'a', check: { type: 'htpt', config: {} } },
      `check.type: there is no check of type "htpt"; allowed: ${Object.keys(driverShapes.checks).join(', ')}. Did you mean "http"?`,
    ],
    'an unknown recovery': [
      { name: 'a', check: tcp(), recovery: { type: 'comand' } },
      `recovery.type: there is no recovery of type "comand"; allowed: ${Object.keys(recoveries).join(', ')}. Did you mean "command"?`,
    ],
    'no name and no check': [
      {},
      '"name" is missing; expected: what people call it: at most 256 characters, no control characters.',
      `"check" is missing; expected: a mapping with ${allowedInCheck}.`,
    ],
    'no configuration where one is needed': [
      { name: 'a', check: { type: 'tcp' } },
      'check.config: "host" is missing; expected: a host name or an IP address alone, with the port in "port" and without brackets.',
      'check.config: "port" is missing; expected: a whole number from 1 to 65535.',
    ],
    'a duration without a unit': [
      { name: 'a', check: { ...tcp(), interval: 30 } },
      'check.interval: 30 needs a unit: write 30s if seconds are meant.',
    ],
    'a duration with a unit that is none': [
      { name: 'a', check: { ...tcp(), interval: '30 sec' } },
      'check.interval: "30 sec" is not allowed here; expected: a duration such as 250ms, 30s, 5m or 1h.',
    ],
    'a number out of range': [
      { name: 'a', check: { type: 'tcp', config: { host: 'a', port: 65_536 } } },
      'check.config.port: must be a whole number from 1 to 65535, not 65536.',
    ],
    'a broken number': [
      { name: 'a', check: { ...tcp(), retries: 1.5 } },
      'check.retries: must be a whole number from 0 to 10, not 1.5.',
    ],
    'a word for a switch': [
      { name: 'a', enabled: 'yes', check: tcp() },
      'enabled: must be true or false, not "yes".',
    ],
    'a word for a list': [{ name: 'a', tags: 'b', check: tcp() }, 'tags: must be a list, not "b".'],
    'a list for a mapping': [
      { name: 'a', check: [] },
      `check: must be a mapping with the keys ${allowedInCheck}, not a list.`,
    ],
    'a wrong entry of a list': [
      { name: 'a', tags: ['b', 'c', 5], check: tcp() },
      'tags[2]: must be text, not 5; expected: text.',
    ],
    'a label that is no label': [
      { name: 'a', labels: { 'a b': 'c' }, check: tcp() },
      'labels["a b"]: the key "a b" is not allowed: it must match ^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$.',
    ],
    'a value of a closed list': [
      { name: 'a', check: { type: 'http', config: { url: 'http://a/', method: 'GTE' } } },
      'check.config.method: "GTE" is not allowed here; use one of GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS. Did you mean "GET"?',
    ],
    'a URL that cannot be one': [
      { name: 'a', check: { type: 'http', config: { url: 'http://a:99999/' } } },
      'check.config.url: must be an http or https URL with a valid host and port.',
    ],
    'an expression that cannot be searched': [
      { name: 'a', check: { type: 'http', config: { url: 'http://a/', expect: { body: { regex: '(' } } } } },
      'check.config.expect.body.regex: must be a regular expression that can be searched in linear time: a "(" is never closed.',
    ],
    'a value of none of several kinds': [
      { name: 'a', check: { type: 'http', config: { url: 'http://a/', expect: { status: [true] } } } },
      'check.config.expect.status[0]: true is not allowed here; expected: a whole number from 100 to 999 or a range of statuses with both ends, such as 300-399.',
    ],
    'mistakes of several kinds at once': [
      {
        name: '',
        check: { ...tcp(), interval: '10ms', tiemout: '1s' },
        maintenance: [{ cron: '0 3 * * 0' }],
      },
      'name: must not be empty.',
      `check.tiemout: the key "tiemout" is unknown; allowed: ${allowedInCheck}. Did you mean "timeout"?`,
      'check.interval: "10ms" is too short; write 1s or more.',
      'maintenance[0]: needs either cron and duration, or start and end.',
    ],
  }

  for (const [title, [monitor, ...mistakes]] of Object.entries(table)) {
    const first = { name: 'the first', check: tcp() }
    const inFile = mistakes.map((mistake) =>
      /^"(name|check)" is/.test(mistake) ? `: ${mistake}` : `.${mistake}`,
    )

    it(`is explained in NDJSON: ${title}`, async () => {
      const lines = [first, monitor].map((value) => JSON.stringify(value)).join('\n')
      expect(await mistakesIn({ 'fleet.ndjson': lines })).toEqual(mistakes.map((mistake) => `2: ${mistake}`))
    })

    it(`is explained in compact JSON: ${title}`, async () => {
      const text = `{"monitors":[\n${JSON.stringify(first)},\n${JSON.stringify(monitor)}]}`
      expect(await mistakesIn({ 'fleet.json': text })).toEqual(
        inFile.map((mistake) => `3: monitors[1]${mistake}`),
      )
    })

    it(`is explained in flow style: ${title}`, async () => {
      const text = `monitors: [\n  ${JSON.stringify(first)},\n  ${JSON.stringify(monitor)},\n]\n`
      expect(await mistakesIn(text)).toEqual(inFile.map((mistake) => `3: monitors[1]${mistake}`))
    })
  }
})

describe('a mistake in block style', () => {
  it('is shown at its own line', async () => {
    const text = `# A comment.
version: 1

monitors:
  - name: first
    check: { type: tcp, config: { host: a, port: 1 } }

  # Between two.
  - name: second
    tags:
      - fine
      - 7
    check:
      type: tcp
      intervall: 30s
      retries: many
      config:
        host: "two words"
        port: 443
`
    expect(await mistakesIn(text)).toEqual([
      '12: monitors[1].tags[1]: must be text, not 7; expected: text.',
      `15: monitors[1].check.intervall: the key "intervall" is unknown; allowed: ${allowedInCheck}. Did you mean "interval"?`,
      '16: monitors[1].check.retries: must be a whole number from 0 to 10, not "many".',
      '18: monitors[1].check.config.host: "two words" is not allowed here; expected: a host name or an IP address alone, with the port in "port" and without brackets.',
    ])
  })
})

describe('a mistake in the head of a document', () => {
  const table: Record<string, [text: string, ...mistakes: string[]]> = {
    'an unknown section': [
      'version: 1\nmonitor: []\n',
      `2: monitor: the key "monitor" is unknown; allowed: ${allowedInHead}. Did you mean "monitors"?`,
    ],
    'another version': ['version: 2\n', '1: version: 2 is not allowed here; the only value is 1.'],
    'monitors that are no list': ['\nmonitors: {}\n', '2: monitors: must be a list, not a mapping.'],
    'a document that is no mapping': [
      '- a\n- b\n',
      `1: must be a mapping with the keys ${allowedInHead}, not a list.`,
    ],
    'an endpoint of an unknown type': [
      'endpoints:\n  ops:\n    type: slak\n',
      `3: endpoints.ops.type: there is no notification of type "slak"; allowed: ${Object.keys(notifiers).join(', ')}. Did you mean "slack"?`,
    ],
    'a mistake in the options of an endpoint': [
      'endpoints:\n  ops:\n    type: email\n    config:\n      to: []\n      from: me\n      server: { host: a, prot: 1 }\n',
      '5: endpoints.ops.config.to: must have at least 1 entry.',
      '6: endpoints.ops.config.from: "me" is not allowed here; expected: a mail address.',
      '7: endpoints.ops.config.server.prot: the key "prot" is unknown; allowed: host, port, security, username, password. Did you mean "port"?',
    ],
    'an empty group': ['groups:\n  ops: []\n', '2: groups.ops: must have at least 1 entry.'],
    'a name that is no name': [
      'groups:\n  "on call": [a]\n',
      '2: groups["on call"]: the key "on call" is not allowed: it must match ^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$.',
    ],
    'a color that is none': [
      'endpoints: { ops: { type: log } }\nroutes:\n  - match: { team: a }\n    colors: [red, grene]\n    endpoints: [ops]\n',
      '4: routes[0].colors[1]: "grene" is not allowed here; use one of red, yellow, green, cyan, gray. Did you mean "green"?',
    ],
    'a default that is too short': [
      'defaults:\n  check:\n    interval: 500ms\n',
      '3: defaults.check.interval: "500ms" is too short; write 1s or more.',
    ],
  }
  for (const [title, [text, ...mistakes]] of Object.entries(table)) {
    it(`is explained: ${title}`, async () => expect(await mistakesIn(text)).toEqual(mistakes))
  }
})

describe('messages', () => {
  it('show foreign characters so that a terminal neither obeys nor hides them', async () => {
    const text = 'monitors:\n  - name: a\n    enabled: "\\e[31m\\u202e\\x9b"\n    check: 1\n'
    expect((await mistakesIn(text))[0]).toBe(
      '3: monitors[0].enabled: must be true or false, not "\\u001b[31m\\u202e\\u009b".',
    )
  })

  it('stay short whatever was written', async () => {
    const [mistake] = await mistakesIn(`version: ${'x'.repeat(100_000)}\n`)
    expect(mistake).toMatch(/^1: version: "x{76}… is not allowed here; the only value is 1\.$/)
  })
})

function tcp() {
  return { type: 'tcp', config: { host: 'a', port: 1 } }
}
