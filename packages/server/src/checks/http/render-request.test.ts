import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { firstStep } from './redirect-step.ts'
import { renderRequest } from './render-request.ts'

function render(config: HttpConfig): string {
  return renderRequest(config, firstStep(config), null) as string
}

describe('a request', () => {
  const hosts: Record<string, string> = {
    'http://shop.test/': 'shop.test',
    'http://shop.test:80/': 'shop.test',
    'https://shop.test:443/': 'shop.test',
    'http://shop.test:443/': 'shop.test:443',
    'http://[::1]/': '[::1]',
    'http://[::1]:8080/': '[::1]:8080',
    'http://BÜCHER.test/': 'xn--bcher-kva.test',
    'http://me:pw@shop.test/': 'shop.test',
  }
  for (const [url, host] of Object.entries(hosts)) {
    test(`to ${url} names the host ${host}`, () => {
      expect(render({ url })).toContain(`\r\nHost: ${host}\r\n`)
    })
  }

  test('is the same whether it is written the short way or the long way', () => {
    const url = 'http://shop.test:8080/a?b#c'
    expect(render({ url, headers: {} })).toBe(render({ url }))
  })

  test('cannot be split by its path', () => {
    expect(render({ url: 'http://shop.test/a\r\nX-Evil: 1 HTTP/1.1' }).split('\r\n')[0]).toBe(
      'GET /aX-Evil:%201%20HTTP/1.1 HTTP/1.1',
    )
  })

  test('takes its own authorization over that of the URL', () => {
    const url = 'http://me:pw@shop.test/'
    expect(render({ url, auth: { bearer: 't' } }).match(/Authorization/g)).toHaveLength(1)
    expect(
      render({ url, headers: { authorization: 'mine' } }).match(/authorization: mine\r\n/gi),
    ).toHaveLength(1)
    expect(render({ url, headers: { authorization: 'mine' } })).not.toContain('Basic')
  })

  test('reads user info with an invalid encoding as it stands', () => {
    expect(render({ url: 'http://a%zz:b@shop.test/' })).toContain(`Basic ${btoa('a%zz:b')}`)
  })
})
