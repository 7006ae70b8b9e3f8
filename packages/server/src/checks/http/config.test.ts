import { Compile } from 'typebox/compile'
import { describe, expect, test } from 'vitest'
import { http } from './http.ts'

describe('the configuration of an http check', () => {
  const schema = Compile(http.config)
  const secret = { credential: 'name' }
  const url = 'https://example.test/health'

  const accepted: readonly unknown[] = [
    { url },
    { url, expect: { status: [200, '300-399'], body: { contains: 'ok', not_contains: 'no', regex: 'o+' } } },
    { url, expect: { body: { json: [{ path: "$.a[0]['b c']", equals: null }] } } },
    { url, expect: { headers: { 'x-cache': 'HIT', via: { contains: 'a' }, age: { regex: '^\\d+$' } } } },
    { url, method: 'POST', headers: { 'X-Key': secret, Accept: 'text/plain' }, body: '{}' },
    { url, auth: { basic: { username: 'a', password: secret } } },
    { url, auth: { bearer: secret } },
    { url, max_latency: '500ms', redirects: { follow: true, max: 3 } },
    { url, tls: { verify: false, ca: 'PEM', certificate: secret, key: secret, server_name: 'shop.test' } },
    { url, http_version: '2', proxy: 'http://proxy.test:3128', family: 'ipv6', max_body_bytes: 16_777_216 },
    { url, proxy: secret, body: secret },
  ]
  for (const config of accepted) {
    test(`accepts ${JSON.stringify(config)}`, () => expect(schema.Errors(config)).toEqual([]))
  }

  const refused: Record<string, unknown> = {
    'no url': {},
    'another scheme': { url: 'file:///etc/passwd' },
    'a url with a port that is none': { url: 'http://a:99999/' },
    'an unknown key': { url, follow: true },
    'an unknown key inside': { url, tls: { insecure: true } },
    'a range upside down': { url, expect: { status: ['399-300'] } },
    'an empty status list': { url, expect: { status: [] } },
    'a regex that needs backtracking': { url, expect: { body: { regex: '(a)\\1' } } },
    'a broken regex': { url, expect: { headers: { a: { regex: '(' } } } },
    'a JSON path with a wildcard': { url, expect: { body: { json: [{ path: '$.*', equals: 1 }] } } },
    'a framing header': { url, headers: { 'Content-Length': '5' } },
    'a header name with a blank': { url, headers: { 'X A': '5' } },
    'an open password': { url, auth: { basic: { username: 'a', password: 'open' } } },
    'two kinds of auth': { url, auth: { bearer: secret, basic: { username: 'a', password: secret } } },
    'six redirects': { url, redirects: { follow: true, max: 6 } },
    'an open key': { url, tls: { key: 'PEM' } },
    'HTTP/3': { url, http_version: '3' },
    'a body limit over 16 MiB': { url, max_body_bytes: 16_777_217 },
  }
  for (const [title, config] of Object.entries(refused)) {
    test(`refuses ${title}`, () => expect(schema.Check(config)).toBe(false))
  }

  test('says what is wrong with an expression', () => {
    const [error] = schema.Errors({ url, expect: { body: { regex: 'a(?=b)' } } })
    expect(error).toMatchObject({
      instancePath: '/expect/body/regex',
      message:
        'must be a regular expression that can be searched in linear time: look-around and flags inside are not supported',
    })
  })

  test('describes every field', () => {
    const undescribed: string[] = []
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return
      for (const [name, field] of Object.entries((node as { properties?: object }).properties ?? {})) {
        const described = field as { description?: string; properties?: object; anyOf?: unknown[] }
        if (described.description === undefined) undescribed.push(`${path}.${name}`)
        walk(field, `${path}.${name}`)
      }
      for (const option of (node as { anyOf?: unknown[] }).anyOf ?? []) walk(option, path)
      walk((node as { items?: unknown }).items, path)
    }
    walk(http.config, 'config')
    expect(undescribed).toEqual([])
  })
})
