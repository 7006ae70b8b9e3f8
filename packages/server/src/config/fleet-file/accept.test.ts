// accept.ts decides, validate.ts explains; each walks the schema on its own. Whatever a value looks like, the one
// must refuse it exactly when the other finds a mistake.
import fc from 'fast-check'
import { type TSchema, Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../driver-shapes.ts'
import { mistakesOf } from '../shape/explain.ts'
import { compileAccept } from './accept.ts'
import { FleetHeadSchema, MonitorSchema } from './schema.ts'

const secret = { credential: 'token' }

/** A right value with nearly every option in it. */
const samples: Record<string, [schema: TSchema, value: object]> = {
  monitor: [
    MonitorSchema,
    {
      id: 'a',
      name: '🛰 a',
      enabled: true,
      tags: ['a', 'b'],
      labels: { team: 'a', 'x/y': '' },
      depends_on: ['b'],
      check: { type: 'http', interval: '30s', timeout: '5s', unhealthy_threshold: 3, retries: 0, config: {} },
      recovery: { type: 'webhook', timeout: '5s', settle: '1m', config: { url: 'http://a/' } },
      notify: { red: { groups: ['a'], endpoints: ['b'] }, repeat: '1h' },
      maintenance: [{ cron: '* * * * *', duration: '1h' }, { start: '2026-03-29T01:00:00Z' }],
    },
  ],
  head: [
    FleetHeadSchema,
    {
      version: 1,
      credentials: { a: { env: 'A' }, b: { file: '/b' } },
      endpoints: { a: { type: 'log', config: {} } },
      groups: { a: ['b'] },
      routes: [{ match: { team: 'a' }, colors: ['red'], groups: ['a'] }],
      defaults: { check: { interval: '1s' }, notify: { gray: {} } },
      monitors: [1],
    },
  ],
  http: [
    driverShapes.checks['http']!.config,
    {
      url: 'http://a:80/',
      method: 'GET',
      headers: { a: 'b', c: secret },
      body: secret,
      auth: { basic: { username: 'a', password: secret } },
      expect: {
        status: [200, '300-399'],
        headers: { a: 'b', c: { regex: 'x' }, d: { contains: 'y' } },
        body: {
          contains: 'a',
          regex: 'a+',
          json: [
            { path: '$.a', equals: null },
            { path: '$', equals: 1 },
          ],
        },
      },
      max_latency: '1s',
      redirects: { follow: true, max: 5 },
      tls: { verify: true, ca: 'x', certificate: secret, key: secret, server_name: 'a' },
      http_version: '1.1',
      family: 'any',
      max_body_bytes: 1,
    },
  ],
  tcp: [driverShapes.checks['tcp']!.config, { host: 'a', port: 1, send: 'x', expect: 'y', family: 'ipv4' }],
  dns: [
    driverShapes.checks['dns']!.config,
    { host: 'a', record_type: 'A', expect: ['1.2.3.4'], rcode: 'NOERROR' },
  ],
  icmp: [driverShapes.checks['icmp']!.config, { host: 'a', count: 3, max_loss: 0.5 }],
  webhook: [
    driverShapes.recoveries['webhook']!.config,
    { url: 'http://a/', headers: { a: 'b', c: secret }, body: 'x' },
  ],
  command: [driverShapes.recoveries['command']!.config, { argv: ['a', 'b'] }],
  email: [
    driverShapes.notifiers['email']!.config,
    { to: ['a@b'], from: 'a@b', server: { host: 'a', port: 25, security: 'tls', password: secret } },
  ],
  slack: [driverShapes.notifiers['slack']!.config, { hook: secret }],
  map: [Type.Record(Type.String(), Type.String(), { maxProperties: 3 }), { a: '1', b: '2', c: '3' }],
}

const oddities: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '',
  'a',
  '1s',
  '99999h',
  [],
  {},
  '🛰'.repeat(256),
  '🛰'.repeat(257),
  'a'.repeat(129),
  '\u0000',
  'http://a:99999/',
  '399-300',
  '(',
  secret,
  { credential: 1 },
  { credential: 'a', more: 1 },
  ['a'],
  [1],
  [[]],
  { a: 1 },
  'red',
  'GET',
  300,
]
const oddValues = fc.oneof(fc.constantFrom(...oddities), fc.jsonValue({ maxDepth: 3 }))
const oddKeys = fc.constantFrom(
  'extra',
  '',
  '__proto__',
  'constructor',
  'toString',
  'a b',
  'name',
  'credential',
  'ä',
)

interface Change {
  readonly kind: 'set' | 'remove' | 'add'
  /** Which of the places of the value, counted around. */
  readonly place: number
  readonly key: string
  readonly value: unknown
}

const changes = fc.array(
  fc.record<Change>({
    kind: fc.constantFrom('set', 'remove', 'add'),
    place: fc.nat(200),
    key: oddKeys,
    value: oddValues,
  }),
  { maxLength: 3 },
)

function changed(value: object, list: readonly Change[]): unknown {
  const copy = structuredClone(value)
  for (const { kind, place, key, value } of list) {
    const places = [...placesIn(copy)]
    if (places.length === 0) continue
    const [holder, name] = places[place % places.length]!
    if (kind === 'add') define(holder, key, structuredClone(value))
    else if (kind === 'set') define(holder, name, structuredClone(value))
    else if (Array.isArray(holder)) holder.splice(Number(name), 1)
    else delete holder[name]
  }
  return copy
}

function* placesIn(value: unknown): Generator<[holder: Record<string, unknown>, key: string]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield [value as Record<string, unknown>, key]
    yield* placesIn(inner)
  }
}

/** As JSON.parse does: also __proto__ is a key like any other. */
function define(holder: object, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value)
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

describe.each(Object.entries(samples))('the two validators of %s', (_, [schema, sample]) => {
  const accepts = compileAccept(schema)

  it('accept a right value', () => {
    expect(mistakesOf(schema, sample)).toEqual([])
    expect(accepts(sample)).toBe(true)
  })

  it('agree on every odd value in every place of a right one', () => {
    const places = [...placesIn(sample)].length
    for (let place = 0; place < places; place++) {
      for (const value of oddities) {
        const odd = changed(sample, [{ kind: 'set', place, key: '', value }])
        expect([place, value, accepts(odd)]).toEqual([place, value, mistakesOf(schema, odd).length === 0])
      }
    }
  })

  it('agree on every change of a right value', () => {
    fc.assert(
      fc.property(changes, (list) => {
        const value = changed(sample, list)
        expect(accepts(value)).toBe(mistakesOf(schema, value).length === 0)
      }),
      { numRuns: 300 },
    )
  })

  it('agree on values that have nothing to do with it', () => {
    fc.assert(
      fc.property(oddValues, (value) => {
        expect(accepts(value)).toBe(mistakesOf(schema, value).length === 0)
      }),
      { numRuns: 200 },
    )
  })
})

describe('the explaining validator', () => {
  it('throws on a keyword that it would ignore', () => {
    expect(() => mistakesOf({ type: 'number', multipleOf: 2 } as TSchema, 3)).toThrow(/multipleOf/)
  })
})
