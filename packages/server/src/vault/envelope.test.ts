import { createDecipheriv, type KeyObject } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { open, rewrap, SecretText, seal, Unreadable, wrappingKeyOf } from './envelope.ts'
import { KeyRing, RingMistake } from './key-ring.ts'

const fixedLine = 'pwkey1.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8.630dcd2966c43366'

function fixedRing(): KeyRing {
  const ring = KeyRing.parse(fixedLine)
  if (ring instanceof RingMistake) throw new Error('not a ring')
  return ring
}

function revealed(opened: SecretText | Unreadable): string {
  return opened instanceof SecretText ? opened.reveal() : `unreadable: ${opened.kind}`
}

function sealedIn(rewrapped: Uint8Array | Unreadable): Uint8Array {
  if (rewrapped instanceof Unreadable) throw new Error(rewrapped.reason)
  return rewrapped
}

/** Another implementation of format 1, from its description alone. */
function openByDescription(key: KeyObject, id: string, version: string, sealed: Uint8Array): string {
  const decrypt = (by: KeyObject | Uint8Array, box: Uint8Array, context: unknown) => {
    const decipher = createDecipheriv('aes-256-gcm', by, box.subarray(0, 12))
    decipher.setAAD(Buffer.from(JSON.stringify(context))).setAuthTag(box.subarray(-16))
    return Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()])
  }
  const keyId = Buffer.from(sealed.subarray(1, 9)).toString('hex')
  const dataKey = decrypt(key, sealed.subarray(9, 69), ['pulseward data key', 1, keyId])
  return decrypt(dataKey, sealed.subarray(69), ['pulseward credential value', 1, id, version]).toString()
}

/** Sealed by the fixed ring once. They must open for ever: stores hold such values. */
const vectors = [
  {
    id: 'db',
    version: '1',
    value: 'hunter2',
    sealed:
      'AWMNzSlmxDNmMprHCDeqSLztwj3Ors/tR+bTXjHgVVxbrqJ+fEczba+HeF9EzmgRTFcK7gk7B3cy+eZvhj8VhqOSrHwlYH8SSX/67qfvucJ9y6Dtcneycem5kCQuw+NlfZiMXyh2mow=',
  },
  {
    id: 'name:grüße',
    version: 'e3.41',
    value: 'p@ss\n"wörd" 🗝',
    sealed:
      'AWMNzSlmxDNmNQG0s8ifkBPa9U1kP73y1WQU13McTFMm34pzMjTSzJBTN4JGNWLcVN2JSim0RHvVHijB6R9e+9JLn/UJjywj0dONuP7NX8HTAqcyyn0QwpWAnyREKixxRcNlhm0h0t4RW5X4LNYmJYue',
  },
  {
    id: 'empty',
    version: '',
    value: '',
    sealed:
      'AWMNzSlmxDNmtM3i2W1JzTVZgIm34qqIaAviPG4jyn5v5TDSVoxqs4D6zqsDTXv4ixyr9+j1w1sIJemTMq3FZGIxG8TG0WchUv36rzRXAkB1LrcR+XDQO515pzLWGvWIfg==',
  },
]

const anyText = fc.string({ unit: 'binary' })

describe('a sealed value', () => {
  it.each(vectors)('of $id in format 1 still opens', ({ id, version, value, sealed }) => {
    expect(revealed(open(fixedRing(), id, version, Buffer.from(sealed, 'base64')))).toBe(value)
  })

  it('has format 1, the id of its key and 97 bytes more than the value', () => {
    const ring = fixedRing()
    const sealed = seal(ring, 'db', '1', 'hunter2')
    expect(sealed).toHaveLength(97 + 'hunter2'.length)
    expect(Buffer.from(sealed.subarray(0, 9)).toString('hex')).toBe(`01${ring.currentId}`)
    const key = ring.keyOf(ring.currentId)
    expect(key && openByDescription(key, 'db', '1', sealed)).toBe('hunter2')
  })

  it('opens as what was sealed, whatever the value, id and version', () => {
    const ring = KeyRing.generate()
    fc.assert(
      fc.property(anyText, anyText, anyText, (id, version, value) => {
        expect(revealed(open(ring, id, version, seal(ring, id, version, value)))).toBe(value)
      }),
    )
  })

  it('is different every time, and holds nothing of the value', () => {
    const ring = KeyRing.generate()
    const sealed = seal(ring, 'db', '1', 'correct horse battery staple')
    const again = seal(ring, 'db', '1', 'correct horse battery staple')
    // Format and key id are the same, everything behind them is random.
    expect(Buffer.from(sealed.subarray(9, 41)).equals(again.subarray(9, 41))).toBe(false)
    expect(Buffer.from(sealed.subarray(69)).equals(again.subarray(69))).toBe(false)
    expect(Buffer.from(sealed).includes('horse')).toBe(false)
  })

  it('lies in memory of its own', () => {
    const ring = KeyRing.generate().withNewKey()
    const sealed = seal(ring.onlyCurrent(), 'db', '1', 'x')
    expect(sealed.buffer.byteLength).toBe(sealed.length)
    const rewrapped = sealedIn(rewrap(ring.withNewKey(), sealed))
    expect(rewrapped.buffer.byteLength).toBe(rewrapped.length)
  })

  it('refuses a value that would not come back as it was', () => {
    expect(() => seal(KeyRing.generate(), 'db', '1', 'half a \ud83d pair')).toThrow(/well-formed/)
  })

  it('does not open as another credential or as another version', () => {
    const ring = KeyRing.generate()
    const different = fc.tuple(anyText, anyText, anyText, anyText)
    fc.assert(
      fc.property(different, ([id, version, otherId, otherVersion]) => {
        fc.pre(id !== otherId || version !== otherVersion)
        const sealed = seal(ring, id, version, 'secret')
        expect(revealed(open(ring, otherId, otherVersion, sealed))).toBe('unreadable: damaged')
      }),
    )
    const sealed = seal(ring, 'a', 'bc', 'secret')
    expect(revealed(open(ring, 'ab', 'c', sealed))).toBe('unreadable: damaged')
  })

  it('does not open with any byte changed', () => {
    const ring = KeyRing.generate()
    const sealed = seal(ring, 'db', '1', 'secret')
    for (let at = 0; at < sealed.length; at++)
      for (const bit of [1, 0x80]) {
        const changed = sealed.slice()
        changed[at] = (changed[at] ?? 0) ^ bit
        const isKeyId = at >= 1 && at < 9
        expect(revealed(open(ring, 'db', '1', changed))).toBe(`unreadable: ${isKeyId ? 'no key' : 'damaged'}`)
      }
  })

  it('does not open when cut, lengthened or put together from two', () => {
    const ring = KeyRing.generate()
    const [sealed, other] = [seal(ring, 'db', '1', 'secret'), seal(ring, 'db', '1', 'others')]
    for (let length = 0; length < sealed.length; length++)
      expect(revealed(open(ring, 'db', '1', sealed.subarray(0, length)))).toBe('unreadable: damaged')
    expect(revealed(open(ring, 'db', '1', Buffer.concat([sealed, Buffer.of(0)])))).toBe('unreadable: damaged')
    for (let at = 10; at < sealed.length; at++) {
      const mixed = Buffer.concat([sealed.subarray(0, at), other.subarray(at)])
      // One byte of them may be the same by chance.
      if (mixed.equals(sealed) || mixed.equals(other)) continue
      expect(revealed(open(ring, 'db', '1', mixed))).toBe('unreadable: damaged')
    }
  })

  it('opens no other bytes', () => {
    const ring = KeyRing.generate()
    const head = Buffer.concat([Buffer.of(1), Buffer.from(ring.currentId, 'hex')])
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), (bytes, hasHead) => {
        const sealed = hasHead ? Buffer.concat([head, bytes]) : bytes
        expect(open(ring, 'db', '1', sealed)).toBeInstanceOf(Unreadable)
        expect(rewrap(ring, sealed)).toBeInstanceOf(Unreadable)
      }),
    )
  })

  it('names the key that it needs when the ring does not hold it', () => {
    const ring = KeyRing.generate()
    const opened = open(KeyRing.generate(), 'db', '1', seal(ring, 'db', '1', 'secret'))
    expect(opened).toEqual(
      new Unreadable(
        'no key',
        `is sealed by the key ${ring.currentId}, which is not in the key file; put that key back`,
      ),
    )
  })

  it('does not open by another key that goes by the same id', () => {
    const ring = KeyRing.generate()
    const sealed = seal(ring, 'db', '1', 'secret')
    const renamed = Buffer.from(sealed)
    const other = KeyRing.generate()
    renamed.write(other.currentId, 1, 'hex')
    expect(revealed(open(other, 'db', '1', renamed))).toBe('unreadable: damaged')
  })
})

describe('rewrapping', () => {
  it('wraps the same data by the current key, which then opens it alone', () => {
    const before = KeyRing.generate()
    const sealed = seal(before, 'db', '1', 'secret')
    const both = before.withNewKey()
    const rewrapped = sealedIn(rewrap(both, sealed))
    expect(wrappingKeyOf(sealed)).toBe(before.currentId)
    expect(wrappingKeyOf(rewrapped)).toBe(both.currentId)
    expect(Buffer.from(rewrapped.subarray(69)).equals(sealed.subarray(69))).toBe(true)
    expect(revealed(open(both.onlyCurrent(), 'db', '1', rewrapped))).toBe('secret')
    expect(revealed(open(both.onlyCurrent(), 'db', '2', rewrapped))).toBe('unreadable: damaged')
  })

  it('leaves a value alone that the current key wraps', () => {
    const ring = KeyRing.generate()
    const sealed = seal(ring, 'db', '1', 'secret')
    expect(rewrap(ring, sealed)).toBe(sealed)
  })

  it('refuses a value that it cannot unwrap, also under the current key', () => {
    const ring = KeyRing.generate()
    const sealed = seal(ring, 'db', '1', 'secret')
    expect(rewrap(KeyRing.generate(), sealed)).toMatchObject({ kind: 'no key' })
    sealed[30] = (sealed[30] ?? 0) ^ 1
    expect(rewrap(ring, sealed)).toMatchObject({ kind: 'damaged' })
    expect(rewrap(ring.withNewKey(), sealed)).toMatchObject({ kind: 'damaged' })
  })
})

describe('an opened value', () => {
  it('shows itself only when it is asked to', () => {
    const ring = KeyRing.generate()
    const opened = open(ring, 'db', '1', seal(ring, 'db', '1', 'correct horse'))
    const shown = [
      inspect({ opened }, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify({ opened }),
      `${opened}`,
      Object.values(opened).join(),
    ]
    expect(shown.join()).not.toContain('horse')
    expect(shown).toEqual([
      '{ opened: SecretText { [REDACTED] } }',
      '{"opened":"[REDACTED]"}',
      '[REDACTED]',
      '',
    ])
    expect(revealed(opened)).toBe('correct horse')
  })
})
