// Markdown of people: what it may become, and that nothing else does.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdown } from './markdown.ts'

describe('markdown', () => {
  it.each([
    ['One.\nTwo.\n\nThree.', '<p>One.<br>\nTwo.</p>\n<p>Three.</p>'],
    ['**bold** and *thin*', '<p><strong>bold</strong> and <em>thin</em></p>'],
    ['**bold *and thin* too**', '<p><strong>bold <em>and thin</em> too</strong></p>'],
    ['2 * 3 * 4, a*b, **', '<p>2 * 3 * 4, a*b, **</p>'],
    ['`a < b *c*`', '<p><code>a &lt; b *c*</code></p>'],
    ['- a\n- b\n  more\n\nc', '<ul><li>a</li><li>b<br>\n  more</li></ul>\n<p>c</p>'],
    ['1. a\n2. b\n- c', '<ol><li>a</li><li>b</li></ol>\n<ul><li>c</li></ul>'],
    ['```\n<b> *x*\n```\nafter', '<pre><code>&lt;b&gt; *x*</code></pre>\n<p>after</p>'],
    ['## Why', '<p><strong>Why</strong></p>'],
    [
      '[our *blog*](https://shop.example/?a=1&b=2)',
      '<p><a href="https://shop.example/?a=1&amp;b=2" rel="noopener nofollow">our <em>blog</em></a></p>',
    ],
    ['[x](javascript:alert(1))', '<p>[x](javascript:alert(1))</p>'],
    ['[x](https://a"onclick="b)', '<p>[x](https://a&quot;onclick=&quot;b)</p>'],
    ['<script>alert(1)</script>', '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>'],
    ['![p](https://a/b.png)', '<p>!<a href="https://a/b.png" rel="noopener nofollow">p</a></p>'],
    ['', ''],
  ])('makes %j into %j', (source, html) => {
    expect(markdown(source)).toBe(html)
  })

  it('makes well-formed markup of the allowed elements from anything', () => {
    const pieces = fc.constantFrom(
      ...[
        '*',
        '**',
        '`',
        '```\n',
        '[',
        '](',
        ')',
        'https://a/',
        'javascript:',
        '\n',
        '\n\n',
        '- ',
        '1. ',
        '# ',
      ],
      ...['<', '>', '"', "'", '&', '<img src=x onerror=alert(1)>', '</p>', 'a', ' ', '\u0000', '\ud800'],
    )
    const sources = fc.oneof(
      fc.array(pieces, { maxLength: 60 }).map((some) => some.join('')),
      fc.string(),
    )
    fc.assert(
      fc.property(sources, (source) => {
        const html = markdown(source)
        const open: string[] = []
        for (const [tag, slash, name] of html.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
          expect(tag).toMatch(
            /^<(\/?(p|ul|ol|li|pre|code|strong|em)|br|\/a|a href="(https?:\/\/|mailto:)[^"<>\s]+" rel="noopener nofollow")>$/i,
          )
          if (name === 'br') continue
          if (slash === '') open.push(name!)
          else expect(open.pop()).toBe(name)
        }
        expect(open).toEqual([])
        expect(html.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>"'\u0000]|&(?!(amp|lt|gt|quot|#39);)/)
        expect(html.match(/<a (?:(?!<\/a>).)*<a /s)).toBeNull()
      }),
    )
  })

  it.each(['*', '**a', '[', '[a](', '`', '`a', '- ', '](', '**a *b ', '[a](https://'])(
    'does not take much longer for much of %j',
    (piece) => {
      const source = piece.repeat(Math.ceil(200_000 / piece.length))
      const startedMs = performance.now()
      markdown(source)
      // A second pass over the rest for each sign would take minutes.
      expect(performance.now() - startedMs).toBeLessThan(20_000)
    },
  )
})
