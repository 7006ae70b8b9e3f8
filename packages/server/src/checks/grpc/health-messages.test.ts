import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { healthRequest, readHealthResponse } from './health-messages.ts'

const framed = (...message: number[]): Buffer => Buffer.from([0, 0, 0, 0, message.length, ...message])

describe('a health request', () => {
  it('is written as the definition of the protocol says', () => {
    expect(healthRequest('')).toEqual(Buffer.from([0, 0, 0, 0, 0]))
    expect(healthRequest('a.B').toString('hex')).toBe('00000000050a03612e42')
    expect(healthRequest('x'.repeat(300)).subarray(0, 8).toString('hex')).toBe('000000012f0aac02')
  })
})

describe('a health response', () => {
  it.each([
    [framed(), 'UNKNOWN'],
    [framed(0x08, 0), 'UNKNOWN'],
    [framed(0x08, 1), 'SERVING'],
    [framed(0x08, 2), 'NOT_SERVING'],
    [framed(0x08, 3), 'SERVICE_UNKNOWN'],
    // The last one counts, and fields that are not known are passed over: a text, and numbers of 8 and 4 bytes.
    [framed(0x08, 2, 0x08, 1), 'SERVING'],
    [framed(0x12, 2, 0x61, 0x62, 0x08, 1), 'SERVING'],
    [framed(0x19, 0, 0, 0, 0, 0, 0, 0, 0, 0x25, 0, 0, 0, 0, 0x08, 1), 'SERVING'],
    [framed(0x08, 9), null],
    [framed(0x08), null],
    [framed(0x12, 200, 1), null],
    [framed(0x0b), null],
    [framed(0x08, 0xff, 0xff, 0xff, 0xff, 0xff), null],
    [framed(0x08, 1).subarray(0, 6), null],
    [Buffer.from([1, 0, 0, 0, 2, 0x08, 1]), null],
    [Buffer.alloc(0), null],
  ])('%j says %s', (bytes, status) => {
    expect(readHealthResponse(bytes)).toBe(status)
  })

  it('is read to an end whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        readHealthResponse(framed(...bytes))
      }),
    )
  })
})
