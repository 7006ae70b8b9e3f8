import { codePoints } from '@pulseward/testing/notify'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { breakTags, escapedWithin, escapeMarkdown } from './markup.ts'

const texts = fc
  .array(fc.constantFrom('a', '*', '<', '\\', '🔥', '[', 'é'), { maxLength: 40 })
  .map((characters) => characters.join(''))

const unescaped = (text: string): string => text.replace(/\\(.)/gu, '$1').replaceAll('\u200b', '')

describe('escaped text', () => {
  it.each([
    ['**bold** _it_ `code` ~~no~~', '\\*\\*bold\\*\\* \\_it\\_ \\`code\\` \\~\\~no\\~\\~'],
    ['[a](https://evil.test)', '\\[a\\](https://evil.test)'],
    ['# a > b | c', '\\# a \\> b \\| c'],
    ['\\*', '\\\\\\*'],
    ['<!channel> <@1>', '<\u200b!channel\\> <\u200b@1\\>'],
    ['shop-api.test:443', 'shop-api.test:443'],
  ])('of %s is not Markdown', (text, escaped) => {
    expect(escapedWithin(text, 1_000, escapeMarkdown)).toBe(escaped)
  })

  it('has no tags where nothing else is markup', () => {
    expect(escapedWithin('<users/all> *a*', 1_000, breakTags)).toBe('<\u200busers/all> *a*')
  })

  it('keeps to the limit including its escapes, and cuts none of them', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, limit) => {
        const escaped = escapedWithin(text, limit, escapeMarkdown)
        expect(codePoints(escaped)).toBeLessThanOrEqual(limit)
        const shown = unescaped(escaped)
        expect(text.startsWith(shown.replace(/…$/u, ''))).toBe(true)
        if (!shown.endsWith('…')) expect(shown).toBe(text)
      }),
    )
  })
})
