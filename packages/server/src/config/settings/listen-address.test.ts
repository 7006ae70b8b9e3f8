import { describe, expect, it } from 'vitest'
import { formatAddress, isLoopback, parseListenAddress } from './listen-address.ts'

describe('an address to listen on', () => {
  it.each([
    ['127.0.0.1:8060', '127.0.0.1', 8060, true],
    ['127.8.9.10:80', '127.8.9.10', 80, true],
    ['[::1]:8060', '::1', 8060, true],
    ['[0:0:0:0:0:0:0:1]:1', '0:0:0:0:0:0:0:1', 1, true],
    ['localhost:0', 'localhost', 0, true],
    ['LocalHost:1', 'LocalHost', 1, true],
    ['8060', '127.0.0.1', 8060, true],
    [':8060', '0.0.0.0', 8060, false],
    ['0.0.0.0:8060', '0.0.0.0', 8060, false],
    ['[::]:8060', '::', 8060, false],
    ['192.168.0.1:65535', '192.168.0.1', 65_535, false],
    ['monitor.example:8060', 'monitor.example', 8060, false],
    ['localhost.example:8060', 'localhost.example', 8060, false],
    ['127.0.0.1.example:8060', '127.0.0.1.example', 8060, false],
    ['127.1:8060', '127.1', 8060, false],
  ])('%s is host %s and port %i, and whether it stays on this machine is %s', (text, host, port, stays) => {
    expect(parseListenAddress(text)).toEqual({ host, port, written: text })
    expect(isLoopback(host)).toBe(stays)
  })

  it.each([
    '',
    ':',
    'localhost',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:http',
    '127.0.0.1:65536',
    '127.0.0.1:999999',
    '::1:8060',
    '[::1]',
    '[::1]8060',
    '[localhost]:8060',
    'a b:8060',
    'http://127.0.0.1:8060',
    '-1',
    '127.0.0.1:-1',
  ])('"%s" is none, and the answer says what one looks like', (text) => {
    expect(() => parseListenAddress(text)).toThrow(
      `"${text}" is not an address to listen on; write address:port, such as 127.0.0.1:8060 or [::1]:8060.`,
    )
  })

  it('is written with brackets where it needs them', () => {
    expect(formatAddress({ host: '::1', port: 1 })).toBe('[::1]:1')
    expect(formatAddress({ host: '127.0.0.1', port: 1 })).toBe('127.0.0.1:1')
  })
})
