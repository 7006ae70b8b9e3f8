import { runCheck } from '@pulseward/testing/checks'
import { HttpTarget, sends } from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

const check = (config: HttpConfig) => runCheck(http, config)

describe('expectations of an http check', () => {
  const json = '{"status":"ok","checks":[{"name":"db","up":true,"lag":1.5}],"none":null,"deep":{"a b":"c"}}'
  const long = `${'x'.repeat(100)}needle`
  const cases: readonly [string, string, HttpConfig['expect'], string | null, Partial<HttpConfig>?][] = [
    ['a status in the list', 'HTTP/1.1 404 No\r\n\r\n', { status: [200, 404] }, null],
    ['a status in a range', 'HTTP/1.1 302 No\r\n\r\n', { status: [200, '300-399'] }, null],
    ['a status outside of the default', 'HTTP/1.1 503 No\r\n\r\n', undefined, 'status 503, expected 200-299'],
    [
      'a status outside of list and range',
      'HTTP/1.1 400 No\r\n\r\n',
      { status: [200, '300-399'] },
      'status 400, expected 200 or 300-399',
    ],
    [
      'a status outside of a long list',
      'HTTP/1.1 400 No\r\n\r\n',
      { status: [200, 201, 202, 203, 204, 205] },
      'status 400, expected 200 or 201 or 202 or 203 or 204 or …',
    ],
    [
      'a redirect that is not followed',
      'HTTP/1.1 301 No\r\nLocation: /a\r\n\r\n',
      {},
      'status 301, expected 200-299 (redirects are not followed)',
    ],
    [
      'a header with its value',
      'HTTP/1.1 200 OK\r\nX-Cache: HIT\r\n\r\n',
      { headers: { 'x-cache': 'HIT' } },
      null,
    ],
    [
      'one of several headers with the value',
      'HTTP/1.1 200 OK\r\nVia: a\r\nvia: b\r\n\r\n',
      { headers: { VIA: 'b' } },
      null,
    ],
    [
      'a header that is missing',
      'HTTP/1.1 200 OK\r\n\r\n',
      { headers: { 'x-cache': 'HIT' } },
      'the header x-cache is missing',
    ],
    [
      'a header with another value',
      'HTTP/1.1 200 OK\r\nX-Cache: MISS\r\n\r\n',
      { headers: { 'x-cache': 'HIT' } },
      'the header x-cache is "MISS", expected "HIT"',
    ],
    [
      'a header that contains',
      'HTTP/1.1 200 OK\r\nX-A: abc\r\n\r\n',
      { headers: { 'x-a': { contains: 'b' } } },
      null,
    ],
    [
      'a header that does not contain',
      'HTTP/1.1 200 OK\r\nX-A: abc\r\n\r\n',
      { headers: { 'x-a': { contains: 'z' } } },
      'the header x-a is "abc", which does not contain "z"',
    ],
    [
      'a header that matches',
      'HTTP/1.1 200 OK\r\nX-A: a1c\r\n\r\n',
      { headers: { 'x-a': { regex: '^a\\dc$' } } },
      null,
    ],
    [
      'a header that does not match',
      'HTTP/1.1 200 OK\r\nX-A: abc\r\n\r\n',
      { headers: { 'x-a': { regex: '\\d' } } },
      'the header x-a is "abc", which does not match "\\d"',
    ],
    ['a body that contains', 'HTTP/1.1 200 OK\r\n\r\nall ok', { body: { contains: 'ok' } }, null],
    [
      'a body that does not contain',
      'HTTP/1.1 200 OK\r\n\r\nbad',
      { body: { contains: 'ok' } },
      'the body does not contain "ok"',
    ],
    ['a body that lacks', 'HTTP/1.1 200 OK\r\n\r\nfine', { body: { not_contains: 'error' } }, null],
    [
      'a body that does not lack',
      'HTTP/1.1 200 OK\r\n\r\nerror 5',
      { body: { not_contains: 'error' } },
      'the body contains "error"',
    ],
    [
      'a body that matches',
      'HTTP/1.1 200 OK\r\n\r\nuptime 12 days',
      { body: { regex: 'uptime \\d+ days' } },
      null,
    ],
    [
      'a body that does not match',
      'HTTP/1.1 200 OK\r\n\r\nuptime x days',
      { body: { regex: 'uptime \\d+ days' } },
      'the body does not match "uptime \\d+ days"',
    ],
    [
      'JSON values',
      `HTTP/1.1 200 OK\r\n\r\n${json}`,
      {
        body: {
          json: [
            { path: '$.status', equals: 'ok' },
            { path: '$.checks[0].up', equals: true },
            { path: "$.checks[0]['lag']", equals: 1.5 },
            { path: '$["none"]', equals: null },
            { path: "$.deep['a b']", equals: 'c' },
          ],
        },
      },
      null,
    ],
    [
      'another JSON value',
      `HTTP/1.1 200 OK\r\n\r\n${json}`,
      { body: { json: [{ path: '$.status', equals: 'down' }] } },
      '$.status is "ok", expected "down"',
    ],
    [
      'a JSON value of another type',
      'HTTP/1.1 200 OK\r\n\r\n{"n":"1"}',
      { body: { json: [{ path: '$.n', equals: 1 }] } },
      '$.n is "1", expected 1',
    ],
    [
      'a JSON object where a value is expected',
      `HTTP/1.1 200 OK\r\n\r\n${json}`,
      { body: { json: [{ path: '$.checks[0]', equals: null }] } },
      '$.checks[0] is an object, expected null',
    ],
    [
      'a JSON list where a value is expected',
      `HTTP/1.1 200 OK\r\n\r\n${json}`,
      { body: { json: [{ path: '$.checks', equals: false }] } },
      '$.checks is a list, expected false',
    ],
    [
      'a JSON path that leads nowhere',
      `HTTP/1.1 200 OK\r\n\r\n${json}`,
      { body: { json: [{ path: '$.checks[7].name', equals: 'db' }] } },
      'there is nothing at $.checks[7].name in the body',
    ],
    [
      'a property that only the prototype has',
      'HTTP/1.1 200 OK\r\n\r\n{}',
      { body: { json: [{ path: '$.constructor.name', equals: 'Object' }] } },
      'there is nothing at $.constructor.name in the body',
    ],
    [
      'a body that is not JSON',
      'HTTP/1.1 200 OK\r\n\r\n<html>',
      { body: { json: [{ path: '$.a', equals: 1 }] } },
      'the body is not JSON: "<html>"',
    ],
    [
      'an empty body',
      'HTTP/1.1 204 No\r\n\r\n',
      { body: { contains: 'ok' } },
      'the body does not contain "ok"',
    ],
    [
      'a body in another charset',
      'HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\ncaf\xe9',
      { body: { contains: 'café' } },
      null,
    ],
    [
      'a body in an unknown charset',
      'HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=x-klingon\r\n\r\nok',
      { body: { contains: 'ok' } },
      null,
    ],
    [
      'what is found before the body limit',
      `HTTP/1.1 200 OK\r\n\r\nneedle${long}`,
      { body: { contains: 'needle', regex: 'needle' } },
      null,
      { max_body_bytes: 50 },
    ],
    [
      'what is found at the very end of the body limit',
      `HTTP/1.1 200 OK\r\n\r\n${long}`,
      { body: { contains: 'needle', not_contains: 'none' } },
      null,
      { max_body_bytes: 106 },
    ],
    [
      'what is not found before the body limit',
      `HTTP/1.1 200 OK\r\n\r\n${long}`,
      { body: { contains: 'needle' } },
      'the body does not contain "needle" in its first 105 bytes (max_body_bytes)',
      { max_body_bytes: 105 },
    ],
    [
      'what does not match before the body limit',
      `HTTP/1.1 200 OK\r\n\r\n${long}`,
      { body: { regex: 'needle$' } },
      'the body does not match "needle$" in its first 1 byte (max_body_bytes)',
      { max_body_bytes: 1 },
    ],
    [
      'what may come after the body limit',
      `HTTP/1.1 200 OK\r\n\r\n${long}`,
      { body: { not_contains: 'needle' } },
      'the body is longer than 50 bytes (max_body_bytes), so it may still contain "needle"',
      { max_body_bytes: 50 },
    ],
    [
      'JSON that is longer than the body limit',
      `HTTP/1.1 200 OK\r\n\r\n${json}`,
      { body: { json: [{ path: '$.status', equals: 'ok' }] } },
      'the body is longer than 50 bytes (max_body_bytes) and cannot be read as JSON',
      { max_body_bytes: 50 },
    ],
    [
      'JSON that is too long to be parsed',
      `HTTP/1.1 200 OK\r\n\r\n"${'x'.repeat(1_048_576)}"`,
      { body: { json: [{ path: '$', equals: 'ok' }] } },
      'the body is longer than 1 MiB and is not read as JSON',
      { max_body_bytes: 2_097_152 },
    ],
    [
      'JSON that is nested beyond reason',
      `HTTP/1.1 200 OK\r\n\r\n${'['.repeat(501)}${']'.repeat(501)}`,
      { body: { json: [{ path: '$[0]', equals: 1 }] } },
      'the body is nested more than 500 deep',
    ],
    [
      'brackets inside of strings for what they are',
      `HTTP/1.1 200 OK\r\n\r\n{"a":"${'['.repeat(501)}\\"[","b":1}`,
      { body: { json: [{ path: '$.b', equals: 1 }] } },
      null,
    ],
    [
      'markup and control characters in a quoted value',
      'HTTP/1.1 200 OK\r\n\r\n{"a":"<b>\\u0007\\u202Ex\\n@here"}',
      { body: { json: [{ path: '$.a', equals: 'y' }] } },
      '$.a is "<b> x @here", expected "y"',
    ],
    [
      'a long quoted value',
      `HTTP/1.1 200 OK\r\n\r\n${'\xc3\xa9'.repeat(3_000)}`,
      { body: { json: [{ path: '$.a', equals: 'y' }] } },
      `the body is not JSON: "${'é'.repeat(80)}…"`,
    ],
  ]
  for (const [title, bytes, expectation, reason, more] of cases) {
    test(`classifies ${title}`, async () => {
      await using target = await HttpTarget.start()
      target.behave(sends([bytes]))
      const expected = expectation === undefined ? {} : { expect: expectation }
      const outcome = await check({ url: target.url(), ...expected, ...more })
      expect([outcome.status, outcome.reason]).toEqual([reason === null ? 'success' : 'failure', reason])
      expect(outcome.evidence).toBe('target')
    })
  }

  test('does not read the body of an answer whose status has decided', async () => {
    await using target = await HttpTarget.start()
    target.behave(sends(['HTTP/1.1 500 No\r\nContent-Length: 100\r\n\r\n'], 'hold'))
    const outcome = await check({ url: target.url(), expect: { body: { contains: 'ok' } } })
    expect(outcome.reason).toBe('status 500, expected 200-299')
  })
})
