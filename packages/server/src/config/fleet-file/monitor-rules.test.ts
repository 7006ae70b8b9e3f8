import { loadFleetFiles, mistakesIn, monitorsOf } from '@pulseward/testing/fleet'
import { describe, expect, it } from 'vitest'

const check = { type: 'tcp', config: { host: 'a', port: 1 } }

function mistakesOf(monitor: object, head: object = {}): Promise<string[]> {
  const document = { ...head, monitors: [{ name: 'a', check, ...monitor }] }
  return mistakesIn({ 'fleet.json': JSON.stringify(document) }).then((mistakes) =>
    mistakes.map((mistake) => mistake.replace(/^1: (monitors\[0\]\.?)?/, '')),
  )
}

async function policyOf(written: object, defaults?: object): Promise<unknown> {
  const document = {
    defaults: { check: defaults ?? {} },
    monitors: [{ name: 'a', check: { ...check, ...written } }],
  }
  const { definition } = await loadFleetFiles({ 'fleet.json': JSON.stringify(document) })
  return monitorsOf(definition)[0]!['policy']
}

describe('the name of a monitor', () => {
  const names: Record<string, string> = {
    markup: '<script>alert(1)</script> & "quotes"',
    'emoji, counted as one character each': '🛰'.repeat(256),
    'combining marks': 'e\u0301'.repeat(100),
    'right-to-left letters': 'שלום',
    'only blanks between letters': 'a  b',
  }
  for (const [title, name] of Object.entries(names)) {
    it(`may have ${title}`, async () => {
      const { definition } = await loadFleetFiles({
        'a.json': JSON.stringify({ monitors: [{ name, check }] }),
      })
      expect(monitorsOf(definition)[0]!.name).toBe(name)
    })
  }

  it('has at most 256 code points', async () => {
    expect(await mistakesOf({ name: '🛰'.repeat(257) })).toEqual([
      'name: has 257 characters; at most 256 are allowed.',
    ])
  })

  it('has no control characters', async () => {
    for (const [name, shown] of [
      ['a\u0000b', 'a\\u0000b'],
      ['a\nb', 'a\\nb'],
      ['a\u001b[2J', 'a\\u001b[2J'],
      ['a\u007f', 'a\\u007f'],
    ]) {
      expect(await mistakesOf({ name })).toEqual([
        `name: "${shown}" is not allowed here; expected: what people call it: at most 256 characters, no control characters.`,
      ])
    }
  })
})

describe('the id of a monitor', () => {
  it('may have 128 letters, digits and . _ : -, beginning with a letter or digit', async () => {
    for (const id of ['a', '0', 'Checkout.api_v2:eu-1', `x${'-'.repeat(127)}`]) {
      expect(await mistakesOf({ id })).toEqual([])
    }
    for (const id of ['', '-a', '.a', 'a b', 'a/b', 'ä', `x${'-'.repeat(128)}`]) {
      expect(await mistakesOf({ id })).toEqual([
        expect.stringMatching(/^id: ".* is not allowed here; expected: an id: at most 128 letters/),
      ])
    }
  })

  it('may not look like one that is made from a name', async () => {
    expect(await mistakesOf({ id: 'name:a' })).toEqual([
      'id: must not begin with "name:": those identities are made from names.',
    ])
  })

  it('is made from the name when there is none', async () => {
    const { definition } = await loadFleetFiles({
      'a.json': JSON.stringify({ monitors: [{ name: 'grün', check }] }),
    })
    // SHA-256 of the UTF-8 bytes of the name.
    expect(monitorsOf(definition)[0]!.id).toBe(
      'name:fe263064ba02eaeac482aaf1309553779bdb78e385cb1374654de293e191d785',
    )
  })
})

describe('the timing of a check', () => {
  it('has an interval of at least a second', async () => {
    expect(await mistakesOf({ check: { ...check, interval: '1s', timeout: '1s' } })).toEqual([])
    expect(await mistakesOf({ check: { ...check, interval: '999ms' } })).toEqual([
      'check.interval: "999ms" is too short; write 1s or more.',
    ])
  })

  it('has a timeout of more than nothing', async () => {
    expect(await mistakesOf({ check: { ...check, timeout: '0s' } })).toEqual([
      'check.timeout: must be greater than zero.',
    ])
  })

  it('has a timeout of at most the interval that stands beside it', async () => {
    expect(await mistakesOf({ check: { ...check, interval: '10s', timeout: '10s' } })).toEqual([])
    expect(await mistakesOf({ check: { ...check, interval: '10s', timeout: '10001ms' } })).toEqual([
      'check.timeout: "10001ms" is longer than the interval of 10s; write 10s or less.',
    ])
  })

  it('has a timeout of at most the default interval', async () => {
    const longer = (interval: string) => [
      `check.timeout: is longer than the default interval of ${interval}; write ${interval} or less.`,
    ]
    expect(await mistakesOf({ check: { ...check, timeout: '61s' } })).toEqual(longer('1m'))
    const defaults = { defaults: { check: { interval: '5s' } } }
    expect(await mistakesOf({ check: { ...check, timeout: '6s' } }, defaults)).toEqual(longer('5s'))
    expect(await mistakesOf({ check: { ...check, interval: '6s', timeout: '6s' } }, defaults)).toEqual([])
  })

  it('refuses defaults that contradict each other', async () => {
    expect(await mistakesOf({}, { defaults: { check: { interval: '5s', timeout: '6s' } } })).toEqual([
      'defaults.check.timeout: "6s" is longer than the interval of 5s; write 5s or less.',
    ])
  })

  it('cuts a default timeout to the interval', async () => {
    expect(await policyOf({ interval: '3s' })).toMatchObject({ intervalMs: 3_000, timeoutMs: 3_000 })
    expect(await policyOf({ interval: '3s' }, { timeout: '8s' })).toMatchObject({ timeoutMs: 3_000 })
    expect(await policyOf({ interval: '3s', timeout: '2s' }, { timeout: '8s' })).toMatchObject({
      timeoutMs: 2_000,
    })
  })

  it('has defaults of ours, then of the file, then its own', async () => {
    expect(await policyOf({})).toEqual({
      type: 'tcp',
      enabled: true,
      intervalMs: 60_000,
      timeoutMs: 10_000,
      unhealthyThreshold: 3,
      healthyThreshold: 2,
      retries: 0,
    })
    const defaults = {
      interval: '20s',
      timeout: '4s',
      unhealthy_threshold: 5,
      healthy_threshold: 6,
      retries: 1,
    }
    expect(await policyOf({}, defaults)).toMatchObject({
      intervalMs: 20_000,
      timeoutMs: 4_000,
      unhealthyThreshold: 5,
      healthyThreshold: 6,
      retries: 1,
    })
    const own = { interval: '30s', timeout: '1s', unhealthy_threshold: 1, healthy_threshold: 1, retries: 0 }
    expect(await policyOf(own, defaults)).toMatchObject({
      intervalMs: 30_000,
      timeoutMs: 1_000,
      unhealthyThreshold: 1,
      healthyThreshold: 1,
      retries: 0,
    })
  })
})

describe('a maintenance window', () => {
  const neither = 'maintenance[0]: needs either cron and duration, or start and end.'
  const table: [window: object, ...mistakes: string[]][] = [
    [{ cron: '0 3 * * 0', duration: '1h', timezone: 'Europe/Berlin' }],
    [{ start: '2026-03-29T01:00:00Z', end: '2026-03-29T04:00:00+02:00' }],
    [{}, neither],
    [{ cron: '0 3 * * 0' }, neither],
    [{ duration: '1h' }, neither],
    [{ start: '2026-03-29T01:00:00Z' }, neither],
    [{ cron: '0 3 * * 0', duration: '1h', start: '2026-03-29T01:00:00Z' }, neither],
    [{ cron: '0 3 * * 0', end: '2026-03-29T01:00:00Z' }, neither],
    [{ cron: '0 3 * * 0', duration: '0s' }, 'maintenance[0].duration: must be greater than zero.'],
    [
      { cron: '0 25 * * *', duration: '1h' },
      'maintenance[0].cron: "0 25 * * *" is not a cron expression: Invalid value for hour: 25.',
    ],
    [
      { cron: '0 0 30 2 *', duration: '1h' },
      'maintenance[0].cron: "0 0 30 2 *" is not a cron expression: it never matches.',
    ],
    [
      { cron: '* * * * * *', duration: '1h' },
      'maintenance[0].cron: "* * * * * *" is not a cron expression: it has 6 fields and needs five: minute, hour, day, month and weekday.',
    ],
    [
      { cron: '\u001b[2J', duration: '1h' },
      'maintenance[0].cron: "\\u001b[2J" is not a cron expression: it has characters that are not allowed in one.',
    ],
    [
      { cron: '0 3 * * 0', duration: '1h', timezone: 'Europe/Berlinn' },
      'maintenance[0].timezone: "Europe/Berlinn" is not a time zone; expected a name such as Europe/Berlin.',
    ],
    [
      { start: '2026-02-30T00:00:00Z', end: '2026-03-29T01:00:00Z' },
      'maintenance[0].start: "2026-02-30T00:00:00Z" is not a valid date and time; write one such as 2026-03-29T01:00:00Z.',
    ],
    [
      { start: '2026-02-01T00:00:00Z', end: '2026-13-01T00:00:00Z' },
      'maintenance[0].end: "2026-13-01T00:00:00Z" is not a valid date and time; write one such as 2026-03-29T01:00:00Z.',
    ],
    [
      { start: '2026-03-29T02:00:00+02:00', end: '2026-03-29T00:00:00Z' },
      'maintenance[0].end: must come after start.',
    ],
    [
      { start: '2026-03-29 01:00', end: '2026-03-29T01:00:00Z' },
      'maintenance[0].start: "2026-03-29 01:00" is not allowed here; expected: a moment with its offset, such as 2026-03-29T01:00:00Z.',
    ],
  ]
  for (const [window, ...mistakes] of table) {
    it(`is judged: ${JSON.stringify(window)}`, async () => {
      expect(await mistakesOf({ maintenance: [window] })).toEqual(mistakes)
    })
  }

  it('is judged in one round, whatever is wrong with it and with the others', async () => {
    const windows = [
      { start: '2026-03-29 01:00', end: '2026-13-01T00:00:00Z', timezone: 'Europe/Berlinn' },
      { cron: '0 25 * * *' },
      { cron: '0 3 * * 0', duration: '0s' },
    ]
    expect(await mistakesOf({ maintenance: windows })).toEqual([
      'maintenance[0].start: "2026-03-29 01:00" is not allowed here; expected: a moment with its offset, such as 2026-03-29T01:00:00Z.',
      'maintenance[0].timezone: "Europe/Berlinn" is not a time zone; expected a name such as Europe/Berlin.',
      'maintenance[0].end: "2026-13-01T00:00:00Z" is not a valid date and time; write one such as 2026-03-29T01:00:00Z.',
      'maintenance[1].cron: "0 25 * * *" is not a cron expression: Invalid value for hour: 25.',
      'maintenance[1]: needs either cron and duration, or start and end.',
      'maintenance[2].duration: must be greater than zero.',
    ])
  })

  it('is one of 16 at most', async () => {
    const windows = Array.from({ length: 17 }, () => ({ cron: '0 3 * * 0', duration: '1h' }))
    expect(await mistakesOf({ maintenance: windows.slice(1) })).toEqual([])
    expect(await mistakesOf({ maintenance: windows })).toEqual([
      'maintenance: has 17 entries; at most 16 are allowed.',
    ])
  })
})

describe('a recovery', () => {
  it('has a timeout of more than nothing', async () => {
    const recovery = { type: 'webhook', timeout: '0ms', config: { url: 'http://a/' } }
    expect(await mistakesOf({ recovery })).toEqual(['recovery.timeout: must be greater than zero.'])
  })
})

describe('the locations of a monitor', () => {
  const at = (written: object) => ({ check: { ...check, ...written } })

  it('are the service itself unless others are named', async () => {
    for (const locations of [undefined, ['local']])
      expect(await policyOf(locations === undefined ? {} : { locations })).not.toHaveProperty('places')
  })

  it.each([
    [{ locations: ['fra'] }, {}, ['fra'], 1],
    [{ locations: ['fra', 'iad'] }, {}, ['fra', 'iad'], 2],
    [{ locations: ['local', 'fra', 'iad'] }, {}, ['local', 'fra', 'iad'], 2],
    [{ locations: ['a', 'b', 'c', 'd'] }, {}, ['a', 'b', 'c', 'd'], 3],
    [{ locations: ['a', 'b', 'c'], fails_when: 'any' }, {}, ['a', 'b', 'c'], 1],
    [{ locations: ['a', 'b', 'c'], fails_when: 'all' }, {}, ['a', 'b', 'c'], 3],
    [{ locations: ['a', 'b', 'c'], fails_when: 2 }, {}, ['a', 'b', 'c'], 2],
    [{}, { locations: ['a', 'b'], fails_when: 'any' }, ['a', 'b'], 1],
    // A default is cut to the number of locations.
    [{ locations: ['a', 'b'] }, { fails_when: 3 }, ['a', 'b'], 2],
    [{ fails_when: 'all' }, { locations: ['a', 'b', 'c'] }, ['a', 'b', 'c'], 3],
  ])(
    '%j over the defaults %j are %j, of which %j have to fail',
    async (written, defaults, locations, needed) => {
      expect(await policyOf(written, defaults)).toMatchObject({ places: { locations, needed } })
    },
  )

  it('keep the policies of monitors apart that differ in a later location', async () => {
    const monitors = [['a', 'b'], ['a', 'c'], ['a']].map((locations, index) => ({
      name: `m${index}`,
      check: { ...check, locations },
    }))
    const { definition } = await loadFleetFiles({ 'fleet.json': JSON.stringify({ monitors }) })
    expect(
      monitorsOf(definition).map(
        ({ policy }) => (policy as { places: { locations: string[] } }).places.locations,
      ),
    ).toEqual([['a', 'b'], ['a', 'c'], ['a']])
  })

  it.each([
    [{ locations: ['fra', 'fra'] }, 'check.locations: names fra twice; name it once.'],
    [
      { locations: ['fra'], fails_when: 'any' },
      'check.fails_when: does nothing with one location; name more in locations, or remove it.',
    ],
    [
      { fails_when: 'all' },
      'check.fails_when: does nothing with one location; name more in locations, or remove it.',
    ],
    [
      { locations: ['fra', 'iad'], fails_when: 3 },
      'check.fails_when: is more than its 2 locations; write 2 or less.',
    ],
  ])('%j is a mistake', async (written, mistake) => {
    expect(await mistakesOf(at(written))).toEqual([mistake])
  })

  it('cannot be given in the defaults with a rule that they do not fit', async () => {
    const head = { defaults: { check: { locations: ['fra'], fails_when: 'any' } } }
    const [mistake] = await mistakesIn({ 'fleet.json': JSON.stringify({ ...head, monitors: [] }) })
    expect(mistake).toContain('defaults.check.fails_when: does nothing with one location')
  })
})
