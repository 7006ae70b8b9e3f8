import { createSecretKey } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { KeyRing, RingMistake } from './key-ring.ts'

function parsed(text: string): KeyRing {
  const ring = KeyRing.parse(text)
  if (ring instanceof RingMistake) throw new Error(`line ${ring.line} is not a key`)
  return ring
}

const fixedLine = 'pwkey1.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8.630dcd2966c43366'

describe('a key ring', () => {
  it('reads a line of the fixed form: the key in base64url and the beginning of its SHA-256', () => {
    const ring = parsed(`${fixedLine}\n`)
    expect(ring.ids).toEqual(['630dcd2966c43366'])
    expect(ring.keyOf('630dcd2966c43366')?.equals(createSecretKey(Buffer.from([...Array(32).keys()])))).toBe(
      true,
    )
    expect(ring.fileText()).toBe(`${fixedLine}\n`)
  })

  it('keeps the order of its lines: the first key is current', () => {
    const ring = KeyRing.generate().withNewKey().withNewKey()
    expect(new Set(ring.ids).size).toBe(3)
    expect(ring.currentId).toBe(ring.ids[0])
    expect(parsed(ring.fileText()).ids).toEqual(ring.ids)
  })

  it('puts a new key on top, and drops all but the current one', () => {
    const first = KeyRing.generate()
    const second = first.withNewKey()
    expect(second.ids).toEqual([second.currentId, first.currentId])
    expect(second.onlyCurrent().ids).toEqual([second.currentId])
    expect(second.onlyCurrent().keyOf(first.currentId)).toBeNull()
  })

  it('retains the keys of an earlier ring behind its own', () => {
    const earlier = KeyRing.generate().withNewKey()
    const later = KeyRing.generate()
    expect(later.retaining(earlier).ids).toEqual([later.currentId, ...earlier.ids])
    expect(earlier.retaining(earlier.onlyCurrent()).ids).toEqual(earlier.ids)
  })

  it('is equal to a ring with the same keys in the same order only', () => {
    const ring = KeyRing.generate().withNewKey()
    const reversed = parsed(ring.fileText().trim().split('\n').reverse().join('\n'))
    expect(ring.equals(parsed(ring.fileText()))).toBe(true)
    expect(ring.equals(reversed)).toBe(false)
    expect(ring.equals(ring.onlyCurrent())).toBe(false)
  })

  it('is not disturbed by what copying does to lines', () => {
    const ring = KeyRing.generate().withNewKey()
    const copied = `\r\n  ${ring.fileText().replaceAll('\n', ' \r\n')}${ring.fileText().trim()}`
    expect(parsed(copied).ids).toEqual(ring.ids)
  })

  it.each(['', '\n', ' \r\n\n'])('finds no key in %j', (text) => {
    expect(KeyRing.parse(text)).toEqual(new RingMistake(null))
  })

  it.each([
    ['a line that is cut off', fixedLine.slice(0, -1)],
    ['a line with something behind it', `${fixedLine}0`],
    ['a key of a later form', fixedLine.replace('pwkey1', 'pwkey2')],
    ['a key without its checksum', fixedLine.slice(0, 50)],
    ['a last character with bits that mean nothing', fixedLine.replace('Hh8.', 'Hh9.')],
    ['something else', 'correct horse battery staple'],
  ])('refuses %s and says which line it is', (_, line) => {
    expect(KeyRing.parse(`${fixedLine}\n${line}\n`)).toEqual(new RingMistake(2))
  })

  it('notices any changed character of a line', () => {
    const character = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.')
    fc.assert(
      fc.property(fc.nat({ max: fixedLine.length - 1 }), character, (at, other) => {
        fc.pre(fixedLine[at] !== other)
        const changed = fixedLine.slice(0, at) + other + fixedLine.slice(at + 1)
        expect(KeyRing.parse(changed)).toBeInstanceOf(RingMistake)
      }),
    )
  })

  it('shows ids and never a key', () => {
    const ring = parsed(fixedLine)
    const shown = [
      inspect(ring, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify(ring),
      String(ring),
      inspect(ring.keyOf(ring.currentId), { depth: 9, showHidden: true }),
    ].join()
    expect(shown).toContain('630dcd2966c43366')
    expect(shown).not.toMatch(/AAECAwQF|000102030405|0, 1, 2, 3/)
  })
})
