import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactUrls } from './redact-url.ts'

describe('a URL', () => {
  it.each([
    ['https://shop.example/health', 'https://shop.example/health'],
    ['https://shop.example:8443', 'https://shop.example:8443'],
    ['https://user:pw@shop.example/a', 'https://[REDACTED]@shop.example/a'],
    ['https://user@shop.example', 'https://[REDACTED]@shop.example'],
    ['https://:pw@shop.example', 'https://[REDACTED]@shop.example'],
    ['https://us@er:p@w@shop.example/@x', 'https://[REDACTED]@shop.example/@x'],
    ['https://shop.example/?token=abc&page=2', 'https://shop.example/?token=[REDACTED]&page=[REDACTED]'],
    ['https://shop.example?abc', 'https://shop.example?[REDACTED]'],
    ['https://shop.example/?a=1?b=2&&c', 'https://shop.example/?a=[REDACTED]&&[REDACTED]'],
    ['https://shop.example/?', 'https://shop.example/?'],
    ['https://shop.example/#access_token=abc', 'https://shop.example/#[REDACTED]'],
    ['https://shop.example/#', 'https://shop.example/#'],
    ['HTTPS://user:pw@SHOP.example', 'HTTPS://[REDACTED]@SHOP.example'],
    ['postgres://ward:hun%2Fter2@db.test:5432/shop', 'postgres://[REDACTED]@db.test:5432/shop'],
    [
      'mongodb+srv://a:b@db.test/x?authSource=admin',
      'mongodb+srv://[REDACTED]@db.test/x?authSource=[REDACTED]',
    ],
    ['unix:///var/run/docker.sock', 'unix:///var/run/docker.sock'],
    ['tcp://10.0.0.1:2375', 'tcp://10.0.0.1:2375'],
    ['ws://[::1]:80/?k=v', 'ws://[::1]:80/?k=[REDACTED]'],
  ])('%s is shown as %s', (url, shown) => {
    expect(redactUrls(url)).toBe(shown)
  })

  it.each([
    ['slashes too many', 'https:///user:pw@shop.example', 'https://[REDACTED]@shop.example/'],
    ['one slash', 'https:/user:pw@shop.example', 'https://[REDACTED]@shop.example/'],
    ['no slash', 'ws:shop.example?token=abc', 'ws://shop.example/?token=[REDACTED]'],
    ['backslashes', String.raw`https:\\user:pw@shop.example`, 'https://[REDACTED]@shop.example/'],
    ['a backslash in the user info', String.raw`redis://us\er:pw@db.test`, 'redis://[REDACTED]@db.test'],
    ['a space in front', '  https://user:pw@shop.example', 'https://[REDACTED]@shop.example'],
    ['a line end in the scheme', 'w\ns://shop.example/?token=abc', 'ws://shop.example/?token=[REDACTED]'],
    ['a line end in the user info', 'https://user:p\nw@shop.example', 'https://[REDACTED]@shop.example'],
    ['a space in the user info', 'redis://us er:p w@db.test', 'redis://[REDACTED]@db.test'],
    ['a port that is none', 'https://user:p/w@shop.example', 'https://[REDACTED]'],
    ['several hosts', 'mongodb://a:b@one:1,two:2/db', 'mongodb://[REDACTED]'],
  ])('is recognised with %s', (_, url, shown) => {
    expect(redactUrls(url)).toBe(shown)
  })

  it('is found within other text', () => {
    expect(redactUrls('curl -f --url=https://u:p@a.test/?k=v http://b.test/x')).toBe(
      'curl -f --url=https://[REDACTED]@a.test/?k=[REDACTED] http://b.test/x',
    )
    expect(redactUrls('{"hook":"https://a.test/?k=v"}')).toBe('{"hook":"https://a.test/?k=[REDACTED]')
  })

  it.each([
    '',
    'PONG',
    'user@example.com',
    'http: not found',
    'ws:',
    'a//b',
    'SELECT 1 -- ok?x=1',
    'http:ok',
    '12:30',
  ])('is not seen in %j', (text) => {
    expect(redactUrls(text)).toBe(text)
  })

  it('within other text is hidden as a whole where its scheme cannot be told', () => {
    expect(redactUrls('see 1https://u:p@a.test/x')).toBe('see 1https://[REDACTED]')
  })

  it('is looked for in time that grows with the text, not faster', () => {
    const long = 'a'.repeat(1_048_576)
    for (const text of [long, `${long}:/`, '://'.repeat(100_000), 'a:'.repeat(500_000)])
      expect(redactUrls(text)).toBe(text)
  })

  it('gives away neither user info nor a query value that its parser finds, and is stable', () => {
    // Only some schemes are also understood with other slashes.
    const slashes = fc.constantFrom('//', '/', '', '///', String.raw`\\`, '/\n/', String.raw`/\/`)
    const beginning = fc.oneof(
      fc.tuple(fc.constantFrom('https', 'http', 'ws', 'WSS', 'h\nttp', 'ftp'), slashes),
      fc.tuple(fc.constantFrom('redis', 'postgres', 'amqp', 'x+y.z-1'), fc.constantFrom('//', '/\n/')),
    )
    // Texts that stand nowhere else in the URL.
    const mark = fc.stringMatching(/^Q[0-9]{5}Q$/)
    const odd = fc.constantFrom('', '@', ':', '%40', '\\', ' ', '"', '\n', '\t', '[')
    const around = fc.tuple(odd, odd)
    const spaces = fc.constantFrom('', ' ', '\n', '\u0001')
    fc.assert(
      fc.property(
        spaces,
        beginning,
        fc.array(fc.tuple(mark, around), { minLength: 4, maxLength: 4 }),
        (space, [scheme, slash], marks) => {
          const [user, password, value, token] = marks.map(([text, [before, after]]) => before + text + after)
          const url = `${space}${scheme}:${slash}${user}:${password}@host.test/path?name=${value}&${token}#${value}`
          const parsed = URL.parse(url)
          const shown = redactUrls(url)
          for (const [text] of marks) {
            const found = [parsed?.username, parsed?.password, parsed?.search, parsed?.hash]
            if (found.some((part) => part?.includes(text))) expect(shown).not.toContain(text)
          }
          expect(redactUrls(shown)).toBe(shown)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})
