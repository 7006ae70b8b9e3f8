import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeMessage, encodeCall, messageLength } from './bus-message.ts'

const call = { destination: 'a.b', path: '/a', interface: 'a.b.C', member: 'D' }

/** Computed by hand from the specification: an answer to call 258, in big endian. */
const bigEndianError = Buffer.concat([
  Buffer.from('B\x03\x01\x01\0\0\0\x06\0\0\0\x07\0\0\0\x1a', 'latin1'),
  Buffer.from('\x05\x01u\0\0\0\x01\x02', 'latin1'),
  Buffer.from('\x04\x01s\0\0\0\0\x09x.y.Wrong\0', 'latin1'),
  Buffer.from('\0\0\0\0\0\0\0\0\0\x01a\0', 'latin1'),
])

describe('a D-Bus message', () => {
  it('is written as the specification lays it out', () => {
    const bytes = encodeCall(5, call, ['xyz'])
    expect(bytes.subarray(0, 16)).toEqual(Buffer.from('l\x01\0\x01\x08\0\0\0\x05\0\0\0\x47\0\0\0', 'latin1'))
    expect(bytes.subarray(16, 32)).toEqual(Buffer.from('\x01\x01o\0\x02\0\0\0/a\0\0\0\0\0\0', 'latin1'))
    expect(bytes.subarray(80, 88)).toEqual(Buffer.from('\x08\x01g\0\x01s\0\0', 'latin1'))
    expect(bytes.subarray(88)).toEqual(Buffer.from('\x03\0\0\0xyz\0', 'latin1'))
    expect(messageLength(bytes)).toBe(bytes.length)
  })

  it('is read in either byte order', () => {
    expect(messageLength(bigEndianError)).toBe(bigEndianError.length)
    expect(decodeMessage(bigEndianError)).toEqual({ type: 'error', replySerial: 258, errorName: 'x.y.Wrong' })
  })

  it('is awaited until its length is known, and refused if that is absurd', () => {
    expect(messageLength(bigEndianError.subarray(0, 15))).toBe(0)
    expect(messageLength(Buffer.from('HTTP/1.1 400 Bad Request'))).toBe(-1)
    expect(messageLength(Buffer.alloc(16, 0x6c))).toBe(-1)
  })

  it('is never read past its end, whatever a peer sends', () => {
    const anyMessage = fc.uint8Array({ minLength: 0, maxLength: 200 }).map((tail) => {
      const bytes = Buffer.concat([Buffer.from('l\x02\0\x01\0\0\0\0\x01\0\0\0', 'latin1'), tail])
      if (bytes.length >= 16) bytes.writeUInt32LE(bytes.length - 16, 12)
      return bytes
    })
    fc.assert(
      fc.property(anyMessage, (bytes) => {
        const length = messageLength(bytes)
        if (length > 0 && length <= bytes.length) decodeMessage(bytes.subarray(0, length))
      }),
    )
  })
})
