// No form in which the other side may send a secret back gets through.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { withoutSecrets } from './redaction.ts'

const secret = 'p@ss "wörd"+1/2 <&>'

const percent = (text: string): string =>
  Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const form = (text: string): string => new URLSearchParams({ k: text }).toString().slice(2)
const json = (text: string): string => JSON.stringify(text).slice(1, -1)
const unicode = (text: string): string =>
  Array.from(
    { length: text.length },
    (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('')
const named: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": '#39' }
const html = (text: string): string => text.replace(/[&<>"']/g, (character) => `&${named[character]};`)
const numeric = (text: string): string =>
  Array.from(text, (character) => `&#x${character.codePointAt(0)!.toString(16)};`).join('')

const encodings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  'in a URL': (text) => encodeURIComponent(text),
  'in a URL, in lower case': (text) => encodeURIComponent(text).replace(/%../g, (code) => code.toLowerCase()),
  'in a URL, every byte of it': percent,
  'in a form': form,
  'in JSON': json,
  'in JSON, every character of it': unicode,
  'in JSON with escaped slashes': (text) => json(text).replaceAll('/', '\\/'),
  'in HTML': html,
  'in HTML, every character of it': numeric,
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 for URLs': (text) => Buffer.from(text).toString('base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'in JSON in a URL': (text) => encodeURIComponent(json(text)),
  'in base64 in a URL': (text) => encodeURIComponent(Buffer.from(text).toString('base64')),
  'in a URL in HTML': (text) => html(encodeURIComponent(text)),
}

describe('withoutSecrets', () => {
  it.each(Object.entries(encodings))('takes out a secret %s', (_, encode) => {
    expect(withoutSecrets(`the key is ${encode(secret)}: refused`, [secret])).toBe(
      'the key is [redacted]: refused',
    )
  })

  it.each(['', 'u', 'us', 'use', 'user'])(
    'takes a password out of Basic credentials of the user %j',
    (user) => {
      for (const alphabet of ['base64', 'base64url'] as const) {
        const said = Buffer.from(`${user}:${secret}`).toString(alphabet)
        const shown = withoutSecrets(`refused Basic ${said}.`, [secret])
        expect(shown).toMatch(/^refused Basic [\w+/-]{0,7}\[redacted\]\.$/)
      }
    },
  )

  it('takes out a password that stands in a secret URL', () => {
    const url = 'postgres://ward:hun%2Fter2@db.test/shop'
    expect(withoutSecrets('no user with hun/ter2 or hun%2Fter2', [url])).toBe(
      'no user with [redacted] or [redacted]',
    )
  })

  it.each([
    ['its beginning', 'it said "Bearer correct-ho…"', 'it said "Bearer [redacted]…"'],
    ['its end', '…rse-battery is wrong', '…[redacted] is wrong'],
    ['a quoted part', 'it said "horse-battery"', 'it said "[redacted]"'],
    ['its beginning in a URL', 'no page "/?k=correct%2Dho…"', 'no page "/?k=[redacted]…"'],
  ])('takes out %s', (_, text, shown) => {
    expect(withoutSecrets(text, ['correct-horse-battery'])).toBe(shown)
  })

  it('takes out the longer of two that overlap, and is not fooled by special characters', () => {
    expect(withoutSecrets('a.b.c and axb', ['a.b', 'a.b.c', ''])).toBe('[redacted] and axb')
  })

  it('takes out a secret that lies in the word put in its place', () => {
    expect(withoutSecrets('redacted: no', ['redacted'])).toBe('[redacted]: no')
  })

  it.each([
    'connection refused by 127.0.0.1:80',
    'status 500 & 100 % + "no reason" \\o/ &amp; %zz',
    'the answer … is cut',
  ])('leaves %j alone', (text) => {
    expect(withoutSecrets(text, [secret, ''])).toBe(text)
  })

  it('lets no encoding of any secret through, and keeps the words around it', () => {
    const anySecret = fc.oneof(
      fc.string({ minLength: 6, maxLength: 40 }),
      fc.string({ minLength: 6, maxLength: 40, unit: 'binary' }),
    )
    fc.assert(
      fc.property(anySecret, fc.constantFrom(...Object.values(encodings)), (any, encode) => {
        const value = any.toWellFormed()
        const shown = withoutSecrets(`<< ${encode(value)} >>`, [value])
        // What is around it may belong to the secret itself, such as a space.
        expect(shown).toMatch(/^<?<?.*\[redacted\].*>?>?$/s)
        expect(shown).not.toContain(encode(value))
      }),
    )
  })

  it('lets no Basic credentials of any user through', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 20 }),
        fc.string({ minLength: 6, maxLength: 40 }),
        fc.string({ maxLength: 5 }),
        (user, password, tail) => {
          const said = Buffer.from(`${user}:${password}${tail}`).toString('base64')
          const shown = withoutSecrets(said, [password])
          expect(Buffer.from(shown.replaceAll('[redacted]', ''), 'base64').toString('latin1')).not.toContain(
            Buffer.from(password).toString('latin1'),
          )
          expect(shown).toContain('[redacted]')
        },
      ),
    )
  })
})
