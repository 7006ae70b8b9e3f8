import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { mapReferences } from '../config/fleet-file/credential-places.ts'
import type { Json } from '../platform/json/json.ts'
import { type DriverSchemas, placeholdersIn, redactConfig } from './redact-config.ts'
import { redactSpec } from './redact-spec.ts'

const { checks, notifiers, recoveries } = driverShapes
const byCategory = { check: checks, recovery: recoveries, notification: notifiers }
const schemas: DriverSchemas = (category, type) =>
  Object.hasOwn(byCategory[category], type) ? (byCategory[category][type]?.config ?? null) : null

const schemaOf = (category: keyof typeof byCategory, type: string) => {
  const schema = schemas(category, type)
  if (schema === null) throw new Error(`no driver ${type}`)
  return schema
}

describe('a configuration as readers see it', () => {
  it('shows no header value, no user info, no query value and nothing at a place that takes a credential', () => {
    const config = {
      url: 'https://user:pw@shop.example/health?token=abc',
      method: 'POST',
      headers: { authorization: 'Bearer abc', 'x-key': { credential: 'shop-key' } },
      body: 'login=abc',
      auth: { basic: { username: 'ward', password: { credential: 'shop-password' } } },
      expect: {
        status: [200, '300-399'],
        headers: { 'x-id': 'abc', server: { contains: 'abc' }, via: { regex: 'a.c' } },
        body: { contains: 'welcome', json: [{ path: '$.a', equals: 'ok' }] },
      },
      proxy: 'http://user:pw@proxy.example:3128',
      tls: { server_name: 'shop.example', ca: 'PEM' },
      max_latency: '2s',
      redirects: { follow: true },
    }
    expect(redactConfig(schemaOf('check', 'http'), config)).toEqual({
      url: 'https://[REDACTED]@shop.example/health?token=[REDACTED]',
      method: 'POST',
      headers: { authorization: '[REDACTED]', 'x-key': { credential: 'shop-key' } },
      body: '[REDACTED]',
      auth: { basic: { username: '[REDACTED]', password: { credential: 'shop-password' } } },
      expect: {
        status: [200, '300-399'],
        headers: {
          'x-id': '[REDACTED]',
          server: { contains: '[REDACTED]' },
          via: { regex: '[REDACTED]' },
        },
        body: { contains: 'welcome', json: [{ path: '$.a', equals: 'ok' }] },
      },
      proxy: 'http://[REDACTED]@proxy.example:3128',
      tls: { server_name: 'shop.example', ca: '[REDACTED]' },
      max_latency: '2s',
      redirects: { follow: true },
    })
  })

  it('shows where a server is whose URL may be open or a credential', () => {
    const schema = schemaOf('check', 'postgres')
    const config = { url: 'postgres://ward@db.test:5432/shop', query: 'SELECT 1' }
    expect(redactConfig(schema, config)).toEqual({
      url: 'postgres://[REDACTED]@db.test:5432/shop',
      query: 'SELECT 1',
    })
    expect(redactConfig(schema, { url: { credential: 'db' }, host: 'h' })).toEqual({
      url: { credential: 'db' },
      host: 'h',
    })
  })

  it('hides a secret that was written where only a credential may stand, in whatever form', () => {
    const schema = schemaOf('notification', 'slack')
    for (const hook of ['https://hooks.example/T0/abc', { credential: 'a', value: 'abc' }, ['abc'], 12_345])
      expect(JSON.stringify(redactConfig(schema, { hook }))).not.toMatch(/abc|12345/)
  })

  it('takes what is named like a secret for one where no schema tells', () => {
    const config = {
      address: 'queue.example',
      password: 'abc',
      api_key: 'abc',
      auth: { user: 'abc' },
      Headers: ['X: abc'],
      hook: 'https://hooks.example/abc',
      nested: [{ accessToken: 'abc', port: 5 }],
      url: 'amqp://abc:abc@queue.example?abc',
      missing: null,
    }
    const shown = redactConfig(null, config)
    expect(JSON.stringify(shown)).not.toContain('abc')
    expect(shown).toMatchObject({ address: 'queue.example', nested: [{ port: 5 }], missing: null })
  })

  it('hides the usual names of secrets, however they are written and wherever they stand', () => {
    const words = [
      ...['pwd', 'passphrase', 'dsn', 'connection string', 'conn str', 'api key', 'auth', 'private key'],
      ...['client secret', 'cookie', 'session', 'password', 'access token', 'authorization', 'bearer', 'jwt'],
    ]
    const spellings: ((words: string[]) => string)[] = [
      (parts) => parts.join(''),
      (parts) => parts.join('-'),
      (parts) => parts.join('_').toUpperCase(),
      (parts) => parts.map((part) => part[0]!.toUpperCase() + part.slice(1)).join(''),
      (parts) => ['db', ...parts].join('.'),
    ]
    const names = fc.tuple(fc.constantFrom(...words), fc.constantFrom(...spellings))
    const within = fc.letrec<{ config: Json }>((tie) => ({
      config: fc.oneof(
        { maxDepth: 3 },
        fc.constant<Json>('hunter2'),
        fc.constant<Json>(['hunter2']),
        fc.constant<Json>({ value: 'hunter2' }),
        fc
          .tuple(fc.constantFrom('inner', 'list'), tie('config'))
          .map(([key, inner]): Json => ({ [key]: inner })),
      ),
    })).config
    fc.assert(
      fc.property(names, within, fc.boolean(), ([word, spell], value, isNested) => {
        const config = { host: 'db.test', [spell(word.split(' '))]: value }
        const shown = redactConfig(null, isNested ? { options: [config] } : config)
        expect(JSON.stringify(shown)).not.toContain('hunter2')
        expect(JSON.stringify(shown)).toContain('db.test')
      }),
    )
  })

  it('hides user info and query values of URLs in texts of any name', () => {
    const texts = [
      'postgres://me:SECRET@db/x?password=SECRET',
      'see redis://:SECRET@db, then http://a/?k=SECRET',
    ]
    for (const text of texts)
      expect(JSON.stringify(redactConfig(null, { target: text, list: [text] }))).not.toContain('SECRET')
  })

  it('does the same in options whose form is free', () => {
    const schema = schemaOf('check', 'mongo')
    const command = { find: 'users', filter: { token: 'abc', name: 'x' } }
    expect(redactConfig(schema, { host: 'db.test', command })).toEqual({
      host: 'db.test',
      command: { find: 'users', filter: { token: '[REDACTED]', name: 'x' } },
    })
  })

  it('takes every key for data', () => {
    const config = JSON.parse('{"__proto__":{"password":"abc"},"constructor":{"url":"x://u:p@h"}}')
    expect(JSON.stringify(redactConfig(null, config))).toBe(
      '{"__proto__":{"password":"[REDACTED]"},"constructor":{"url":"x://[REDACTED]@h"}}',
    )
    expect(JSON.stringify(redactConfig(schemaOf('check', 'http'), { toString: 'abc', headers: {} }))).toBe(
      '{"toString":"abc","headers":{}}',
    )
  })

  interface Shape {
    type?: string
    properties?: Record<string, Shape>
    patternProperties?: Record<string, Shape>
    items?: Shape
    anyOf?: Shape[]
    secret?: boolean
  }
  /** Configurations with these texts at every place that takes text, one for each alternative that the schema has. */
  function filled(shape: Shape, open: string, secret: string): Json[] {
    if (shape.secret && shape.properties) return [secret, { credential: 'NAME' }]
    if (shape.anyOf) {
      const text = shape.anyOf.some((alternative) => alternative.secret) ? secret : open
      return shape.anyOf.flatMap((alternative) => filled(alternative, text, secret))
    }
    if (shape.items) return [filled(shape.items, open, secret)]
    const patterned = Object.values(shape.patternProperties ?? {}).map((inner) => ['any', inner] as const)
    const members = [...Object.entries(shape.properties ?? {}), ...patterned].map(
      ([key, inner]) => [key, filled(inner, key === 'headers' ? secret : open, secret)] as const,
    )
    if (members.length === 0) return [shape.type === undefined || shape.type === 'string' ? open : 1]
    const most = Math.max(...members.map(([, values]) => values.length))
    return Array.from({ length: most }, (_, index) =>
      Object.fromEntries(
        members.map(([key, values]) => [key, values[Math.min(index, values.length - 1)] ?? null]),
      ),
    )
  }
  const everyDriver = Object.entries(byCategory).flatMap(([category, drivers]) =>
    Object.entries(drivers).map(([type, driver]) => [category, type, driver.config] as const),
  )

  it.each(everyDriver)(
    'of the %s %s keeps its open texts and references, and gives no secret away',
    (_, __, schema) => {
      for (const config of filled(schema as Shape, 'OPEN', 'SECRET')) {
        const shown = redactConfig(schema, config)
        expect(redactConfig(schema, shown)).toEqual(shown)
        expect(JSON.stringify(shown)).not.toContain('SECRET')
        expect(JSON.stringify(shown).replaceAll('"[REDACTED]"', '"SECRET"')).toBe(JSON.stringify(config))
        // The walk that puts credentials in place finds the same references afterwards.
        const names = (value: unknown) => {
          const found: string[] = []
          mapReferences(schema, value, ({ name, path }) => found.push(`${path.join('.')}=${name}`))
          return found
        }
        expect(names(shown)).toEqual(names(config))
      }
      const url = 'x://SECRET@host?a=SECRET'
      for (const config of filled(schema as Shape, url, url))
        expect(JSON.stringify(redactConfig(schema, config))).not.toContain('SECRET')
    },
  )
})

describe('a spec as readers see it', () => {
  it('has the drivers of a monitor redacted, each by its own schema', () => {
    const spec = {
      enabled: true,
      check: {
        driver: { type: 'tcp', config: { host: 'h', send: 'AUTH abc' } },
        interval: '30s',
        timeout: '5s',
      },
      recovery: {
        driver: { type: 'webhook', config: { url: 'https://a.test/?k=abc', headers: { a: 'abc' } } },
      },
      tags: ['a'],
    }
    expect(redactSpec('Monitor', spec, schemas)).toEqual({
      ...spec,
      check: { ...spec.check, driver: { type: 'tcp', config: { host: 'h', send: '[REDACTED]' } } },
      recovery: {
        driver: {
          type: 'webhook',
          config: { url: 'https://a.test/?k=[REDACTED]', headers: { a: '[REDACTED]' } },
        },
      },
    })
  })

  it('has an endpoint redacted, and shows which credentials it uses', () => {
    const spec = {
      type: 'webhook',
      config: { url: 'https://u:p@a.test' },
      credentialRefs: { 'headers.authorization': 'hook-token' },
    }
    expect(redactSpec('NotificationEndpoint', spec, schemas)).toEqual({
      ...spec,
      config: { url: 'https://[REDACTED]@a.test' },
    })
    expect(redactSpec('NotificationEndpoint', { ...spec, type: 'toString' }, schemas)).toMatchObject({
      config: { url: 'https://[REDACTED]@a.test' },
    })
  })

  it('never has the value of a credential', () => {
    expect(redactSpec('Credential', { value: 'abc', description: 'd' }, schemas)).toEqual({
      value: '[REDACTED]',
      description: 'd',
    })
    expect(redactSpec('Credential', { description: 'd' }, schemas)).toEqual({ description: 'd' })
  })

  it.each(['NotificationGroup', 'JobType'] as const)('shows a %s as it is', (kind) => {
    const spec = { endpointRefs: ['a'], handler: 'x' }
    expect(redactSpec(kind, spec, schemas)).toEqual(spec)
  })

  it.each([null, 'text', [], {}, { check: null }, { check: { driver: 'http' } }, { check: { driver: {} } }])(
    'is not disturbed by a spec such as %j',
    (spec) => {
      expect(redactSpec('Monitor', spec, schemas)).toEqual(spec)
    },
  )
})

describe('placeholders', () => {
  it('are found wherever a redacted answer has been copied', () => {
    const config = redactConfig(schemaOf('check', 'http'), {
      url: 'https://u:p@a.test/?k=v',
      headers: { 'a/b': 'abc', 'm~n': { credential: 'c' } },
      expect: { status: [200] },
    })
    expect(placeholdersIn(config)).toEqual(['/url', '/headers/a~1b'])
    expect(placeholdersIn(['a', new URL('https://[redacted]@a.test').href])).toEqual(['/1'])
    expect(placeholdersIn({ a: 'redacted', b: [1, null, true] })).toEqual([])
  })
})
