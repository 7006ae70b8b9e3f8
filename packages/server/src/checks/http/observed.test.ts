// What a person who tries an http check is shown of its assertions, also after the first that fails.
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { answers, certificates, HttpTarget } from '@pulseward/testing/targets'
import { expect, test } from 'vitest'
import type { Observation } from '../driver.ts'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

async function observed(config: HttpConfig): Promise<{ reason: string | null; seen: string[] }> {
  const run = new LoopbackRun().observed()
  const { reason } = await runCheck(http, config, run)
  return { reason, seen: run.observations.map(inWords) }
}

function inWords({ name, seen, expected, isMet }: Observation): string {
  return expected === null
    ? `${name}: ${seen}`
    : `${isMet ? 'met' : 'not met'}: ${name}: ${seen} / ${expected}`
}

test('shows the status where nothing else is expected', async () => {
  await using target = await HttpTarget.start()
  expect(await observed({ url: target.url() })).toEqual({
    reason: null,
    seen: ['met: status: 200 / 200-299'],
  })
})

test('judges every assertion, and gives the first that fails as the reason', async () => {
  await using target = await HttpTarget.start()
  const body = '{"status":"bad","n":1}'
  target.behave(answers({ body, headers: { 'X-A': 'one' } }))
  const expect_ = {
    headers: { 'X-A': 'two', 'X-B': { contains: 'b' } },
    body: {
      contains: 'status',
      not_contains: 'bad',
      regex: '^nothing',
      json: [
        { path: '$.status', equals: 'ok' },
        { path: '$.gone', equals: 1 },
        { path: '$.n', equals: 1 },
      ],
    },
  }
  expect(await observed({ url: target.url(), expect: expect_ })).toEqual({
    reason: 'the header X-A is "one", expected "two"',
    seen: [
      'met: status: 200 / 200-299',
      'not met: header X-A: "one" / "two"',
      'not met: header X-B: missing / contains "b"',
      `body: "${body}"`,
      'met: body contains: found / "status"',
      'not met: body does not contain: found / "bad"',
      'not met: body matches: not found / "^nothing"',
      'not met: body $.status: "bad" / "ok"',
      'not met: body $.gone: nothing / 1',
      'met: body $.n: 1 / 1',
    ],
  })
})

test('does not read a body after a wrong status', async () => {
  await using target = await HttpTarget.start()
  target.behave(answers({ status: 503, body: 'no' }))
  expect(await observed({ url: target.url(), expect: { body: { contains: 'yes' } } })).toEqual({
    reason: 'status 503, expected 200-299',
    seen: ['not met: status: 503 / 200-299'],
  })
})

test('says what is no JSON, and where a redirect led without what it may hide', async () => {
  await using target = await HttpTarget.start()
  target.behave(answers({ body: '<html>' }))
  const json = [{ path: '$.a', equals: 1 }]
  expect((await observed({ url: target.url(), expect: { body: { json } } })).seen).toEqual([
    'met: status: 200 / 200-299',
    'body: "<html>"',
    'not met: body: not read as JSON / JSON',
  ])
  target.behave(answers({ status: 302, headers: { Location: '/b?key=secret-in-query' } }))
  const redirects = { follow: true, max: 1 }
  const { seen } = await observed({ url: target.url('/a'), redirects })
  expect(seen).toEqual([`redirect: 302 to ${target.url('/b')}`])
})

test('shows the certificate, also one that is refused', async () => {
  await using target = await HttpTarget.start({ tls: { identity: certificates.expired } })
  const { reason, seen } = await observed({
    url: target.url('/', 'shop.test'),
    tls: { ca: certificates.authority },
  })
  expect(reason).toBe('the certificate expired on 2026-01-02')
  expect(seen).toEqual([
    expect.stringMatching(/^certificate subject: .*shop\.test/),
    expect.stringMatching(/^certificate issuer: \S/),
    expect.stringMatching(/^certificate names: .*shop\.test/),
    'certificate expires: 2026-01-02T00:00:00.000Z',
  ])
})

test('keeps what was sent out of what it shows', async () => {
  await using target = await HttpTarget.start()
  const secret = 'bearer-that-nobody-may-see'
  target.behave(answers({ body: `you are ${secret}`, headers: { 'X-Echo': secret } }))
  const { seen } = await observed({
    url: target.url(),
    auth: { bearer: secret },
    expect: { headers: { 'X-Echo': { contains: 'x' } }, body: { contains: 'you' } },
  })
  expect(seen).toHaveLength(4)
  expect(seen.join('\n')).not.toContain(secret)
})
