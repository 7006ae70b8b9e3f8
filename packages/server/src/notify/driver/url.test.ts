import { describe, expect, it } from 'vitest'
import { under, withQuery } from './url.ts'

describe('an address below a base', () => {
  it.each([
    ['https://a.test', 'https://a.test/v2/x'],
    ['https://a.test/', 'https://a.test/v2/x'],
    ['https://a.test/prefix//', 'https://a.test/prefix/v2/x'],
  ])('keeps the path of %s', (base, url) => {
    expect(under(base, 'v2', 'x')).toBe(url)
  })

  it('does not let a value add to the path or the query', () => {
    expect(under('https://a.test', 'a/b?c#d', '!r:s', '\ud800')).toBe(
      'https://a.test/a%2Fb%3Fc%23d/!r:s/%EF%BF%BD',
    )
  })
})

describe('an address with more in its query', () => {
  it('keeps what was there', () => {
    expect(withQuery('https://a.test/x?thread_id=1', { wait: 'true' })).toBe(
      'https://a.test/x?thread_id=1&wait=true',
    )
  })

  it('is unchanged if it is not a URL', () => {
    expect(withQuery('not a url', { wait: 'true' })).toBe('not a url')
  })
})
