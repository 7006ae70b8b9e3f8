import { runCheck } from '@pulseward/testing/checks'
import { HttpTarget } from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'
import { withoutSecrets } from './secrets.ts'

const SECRET = 'correct-horse-battery'

describe('a reason', () => {
  const configs: Record<string, Partial<HttpConfig>> = {
    'a bearer token': { auth: { bearer: SECRET } },
    'a password': { auth: { basic: { username: 'me', password: SECRET } } },
    'a header': { headers: { 'X-Api-Key': SECRET } },
    'a body': { body: SECRET },
  }
  for (const [title, config] of Object.entries(configs)) {
    test(`does not repeat ${title} that the target reflects`, async () => {
      await using target = await HttpTarget.start()
      target.behave({
        when: 'request',
        act: (socket, request) => {
          const lines = request.split('\r\n')
          const sent = lines.find((line) => /^(authorization|x-api-key)/i.test(line)) ?? lines.at(-1)
          socket.end(`HTTP/1.1 200 OK\r\n\r\n${sent}`)
        },
      })
      const expected: HttpConfig['expect'] = { body: { json: [{ path: '$', equals: 1 }] } }
      const { reason } = await runCheck(http, { url: target.url(), ...config, expect: expected })
      expect(reason).toMatch(/^the body is not JSON: ".*\[redacted\]"$/)
      expect(reason).not.toContain(SECRET)
      expect(reason).not.toContain(Buffer.from(`me:${SECRET}`).toString('base64'))
    })
  }

  test('does not repeat the user info of the URL or of the proxy', () => {
    const config = { url: `http://me:${SECRET}@shop.test/`, proxy: 'http://me:other-pass@proxy.test/' }
    const encoded = Buffer.from(`me:${SECRET}`).toString('base64')
    const reason = withoutSecrets(`${SECRET} ${encoded} other-pass`, config)
    expect(reason).toBe('[redacted] [redacted] [redacted]')
  })

  test('does not end with the beginning of a secret', () => {
    const config = { url: 'http://shop.test/', auth: { bearer: SECRET } }
    expect(withoutSecrets('it is "Bearer correct-ho…"', config)).toBe('it is "Bearer [redacted]…"')
  })

  test('does not repeat a secret of several lines, which a quotation puts on one', async () => {
    const body = '{\n  "pin": "0451 9982 7734"\n'
    await using target = await HttpTarget.start()
    target.behave({ when: 'request', act: (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`) })
    const expected: HttpConfig['expect'] = { body: { json: [{ path: '$', equals: 1 }] } }
    const { reason } = await runCheck(http, { url: target.url(), body, expect: expected })
    expect(reason).toBe('the body is not JSON: "[redacted]"')
  })

  test('does not quote a part of a secret', () => {
    const config = { url: 'http://shop.test/', body: '{"pin":"0451 9982 7734"}' }
    const reason = '$.pin is "0451 9982 7734", expected "0000"'
    expect(withoutSecrets(reason, config)).toBe('$.pin is "[redacted]", expected "0000"')
  })

  test('is left alone by what is open or too short to be secret', () => {
    const config = { url: 'http://shop.test/', headers: { Accept: 'text/plain', 'X-A': 'no' } }
    const reason = 'the header accept is "text/plain", so no'
    expect(withoutSecrets(reason, config)).toBe(reason)
  })
})
