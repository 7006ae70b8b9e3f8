import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { digestOf, holdsToken, isWellFormed, makeToken } from './token.ts'

/** Worked out by another implementation of CRC-32: 3750818892, which is 45q3Ku in base 62. */
const known = 'pw_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA45q3Ku'
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

describe('a token', () => {
  it('has 256 random bits behind its prefix, and a checksum', () => {
    expect(makeToken()).toMatch(/^pw_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/)
    const tokens = Array.from({ length: 1_000 }, makeToken)
    expect(new Set(tokens).size).toBe(1_000)
    for (const token of tokens) expect(isWellFormed(token)).toBe(true)
  })

  it('has the same checksum in every version', () => {
    expect(isWellFormed(known)).toBe(true)
  })

  it('with one character changed, left out, added or swapped is not well-formed', () => {
    const change = fc.record({
      at: fc.nat({ max: 51 }),
      by: fc.constantFrom(...alphabet),
      how: fc.constantFrom('replace', 'insert', 'delete', 'swap'),
    })
    fc.assert(
      fc.property(change, ({ at, by, how }) => {
        const token = makeToken()
        const changed = {
          replace: token.slice(0, at) + by + token.slice(at + 1),
          insert: token.slice(0, at) + by + token.slice(at),
          delete: token.slice(0, at) + token.slice(at + 1),
          swap: token.slice(0, at) + (token[at + 1] ?? '') + token[at] + token.slice(at + 2),
        }[how]
        fc.pre(changed !== token)
        expect(isWellFormed(changed)).toBe(false)
      }),
    )
  })

  it.each(['', 'pw_', 's3cret-of-sixteen', 'PW_', `${'x'.repeat(1_000_000)}`, 'pw_\n'])(
    'is not %j',
    (text) => {
      expect(isWellFormed(text)).toBe(false)
    },
  )

  it('is not well-formed with blanks or a line end around it', () => {
    const token = makeToken()
    for (const text of [` ${token}`, `${token} `, `${token}\n`]) expect(isWellFormed(text)).toBe(false)
  })

  it('is kept as the SHA-256 of the whole of it', () => {
    const token = makeToken()
    expect(digestOf(token)).toBe(`sha256:${createHash('sha256').update(token).digest('hex')}`)
    expect(digestOf('abc')).toBe('sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  it('is found in a text that is about to be shown, also without its checksum', () => {
    const token = makeToken()
    expect(holdsToken(`the name ${token}, please`)).toBe(true)
    expect(holdsToken(token.slice(0, 46))).toBe(true)
    expect(holdsToken('pw_short')).toBe(false)
    expect(holdsToken('first')).toBe(false)
  })
})
