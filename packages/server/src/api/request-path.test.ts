import { describe, expect, it } from 'vitest'
import { readTarget } from './request-path.ts'

describe('the target of a request', () => {
  it.each([
    ['/api/v1/healthz', '/api/v1/healthz', ''],
    ['/api/v1/monitors?q=a?b', '/api/v1/monitors', 'q=a?b'],
    ['/%61pi/v1/%6donitors', '/api/v1/monitors', ''],
    ['/metrics#part', '/metrics', ''],
    ['/a%2Fb/c', '/a%2Fb/c', ''],
    ['/%25', '/%', ''],
    ['http://status.example:8060/api?x=1', '/api', 'x=1'],
    ['HTTPS://status.example', '', ''],
    ['ftp://status.example/api', 'ftp://status.example/api', ''],
    ['*', '*', ''],
    ['', '', ''],
  ])('%j has the path %j', (url, path, search) => {
    const target = readTarget(url)
    expect(target).toMatchObject({ path, search })
    expect(target.segments).not.toBeNull()
  })

  it.each(['/%', '/%zz', '/%ff', '/api/v1/%e9', 'http:///api', 'http://status.example:99999/api'])(
    '%j cannot be read, and is shown as it came',
    (url) => {
      const target = readTarget(url)
      expect(target.segments).toBeNull()
      expect(url.endsWith(target.path)).toBe(true)
    },
  )

  it('becomes no other path by decoding: what separates stays, what does not never will', () => {
    expect(readTarget('/api%2Fv1/healthz').segments).toEqual(['', 'api/v1', 'healthz'])
    expect(readTarget('/api%252Fv1').segments).toEqual(['', 'api%2Fv1'])
    expect(readTarget('//a//').segments).toEqual(['', '', 'a', '', ''])
  })
})
