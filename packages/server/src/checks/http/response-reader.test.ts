import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_HEAD_BYTES } from './head-parser.ts'
import { ResponseReader } from './response-reader.ts'

const LIMIT = 100_000

function read(pieces: readonly Buffer[], reader = new ResponseReader('GET', () => true, LIMIT)) {
  for (const piece of pieces) reader.push(piece)
  reader.end()
  const { complete, problem, status, headers, body, bodyCut } = reader
  return { complete, problem, status, headers, body: body.toString('latin1'), bodyCut }
}

/** Cuts bytes at any set of positions. */
function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const positions = [...new Set(at.map((position) => position % (bytes.length + 1)))].sort((a, b) => a - b)
  const pieces: Buffer[] = []
  let from = 0
  for (const position of [...positions, bytes.length]) {
    pieces.push(bytes.subarray(from, position))
    from = position
  }
  return pieces
}

const headers = fc.array(
  fc.tuple(fc.stringMatching(/^X-[A-Za-z]{1,8}$/), fc.stringMatching(/^[!-~]([ -~]{0,10}[!-~])?$/)),
  { maxLength: 5 },
)
const body = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
const chunks = fc.array(fc.tuple(body, fc.constantFrom('', ';a', ';b=c', ';d="e;f"')), { maxLength: 6 })

/** A valid response of any framing, as bytes, with the body it carries. */
const response = fc
  .tuple(
    fc.integer({ min: 200, max: 599 }).filter((status) => status !== 204 && status !== 304),
    headers,
    fc.constantFrom('length', 'close', 'chunked'),
    body,
    chunks,
    fc.integer({ min: 0, max: 2 }),
    fc.boolean(),
  )
  .map(([status, fields, framing, plain, coded, interims, trailer]) => {
    const lines = fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')
    const parts: Buffer[] = [Buffer.from('HTTP/1.1 103 Early\r\nX-Hint: a\r\n\r\n'.repeat(interims))]
    const head = (framed: string) => Buffer.from(`HTTP/1.1 ${status} Some thing\r\n${framed}${lines}\r\n`)
    if (framing !== 'chunked') {
      parts.push(head(framing === 'length' ? `Content-Length: ${plain.length}\r\n` : ''), plain)
      return { bytes: Buffer.concat(parts), status, body: plain }
    }
    parts.push(head('Transfer-Encoding: chunked\r\n'))
    for (const [piece, extension] of coded) {
      if (piece.length === 0) continue
      parts.push(Buffer.from(`${piece.length.toString(16)}${extension}\r\n`), piece, Buffer.from('\r\n'))
    }
    parts.push(Buffer.from(trailer ? '0\r\nX-Trailer: a\r\n\r\n' : '0\r\n\r\n'))
    return { bytes: Buffer.concat(parts), status, body: Buffer.concat(coded.map(([piece]) => piece)) }
  })

describe('the response reader', () => {
  test('reads a valid response the same wherever it is cut', () => {
    fc.assert(
      fc.property(response, fc.array(fc.nat(), { maxLength: 20 }), (sent, positions) => {
        const whole = read([sent.bytes])
        expect(whole).toMatchObject({ complete: true, problem: null, status: sent.status, bodyCut: false })
        expect(whole.body).toBe(sent.body.toString('latin1'))
        expect(read(cut(sent.bytes, positions))).toEqual(whole)
        expect(read(Array.from(sent.bytes, (byte) => Buffer.of(byte)))).toEqual(whole)
      }),
      { numRuns: 500 },
    )
  })

  test('keeps none of the memory that it reads from', () => {
    const memory = Buffer.alloc(65_536)
    fc.assert(
      fc.property(response, fc.array(fc.nat(), { maxLength: 20 }), (sent, positions) => {
        const reader = new ResponseReader('GET', () => true, LIMIT)
        for (const piece of cut(sent.bytes, positions)) {
          piece.copy(memory)
          reader.push(memory.subarray(0, piece.length))
          memory.fill('x')
        }
        expect(read([], reader)).toEqual(read([sent.bytes]))
      }),
      { numRuns: 300 },
    )
  })

  test('says the same of a damaged response wherever it is cut', () => {
    fc.assert(
      fc.property(
        response,
        fc.nat(),
        fc.nat(255),
        fc.array(fc.nat(), { maxLength: 8 }),
        (sent, at, byte, positions) => {
          const damaged = Buffer.from(sent.bytes)
          damaged[at % damaged.length] = byte
          const { complete, status, body: read1 } = read([damaged])
          const again = read(cut(damaged, positions))
          expect([again.complete, again.complete && again.status, again.complete && again.body]).toEqual([
            complete,
            complete && status,
            complete && read1,
          ])
        },
      ),
      { numRuns: 1_000 },
    )
  })

  test('never throws and always ends, whatever the bytes', () => {
    const fragment = fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(
          'HTTP/1.1 200 OK\r\n',
          '\r\n',
          '\n',
          '\r',
          'A: b\r\n',
          'Content-Length: 5\r\n',
          '5\r\n',
          '0\r\n',
          ' x\r\n',
        )
        .map((text) => Buffer.from(text)),
      fc.constant(Buffer.from('Transfer-Encoding: chunked\r\n')),
    )
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 15 }), (pieces) => {
        const result = read(pieces)
        expect(result.complete).toBe(result.problem === null)
        expect(result.body.length).toBeLessThanOrEqual(LIMIT)
      }),
      { numRuns: 3_000 },
    )
  })

  test('ignores what comes after it has decided', () => {
    const reader = new ResponseReader('GET', () => false, LIMIT)
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nbody'))
    expect(reader.complete).toBe(true)
    reader.push(Buffer.from('HTTP/1.1 500 No\r\n\r\n'))
    reader.end()
    expect([reader.status, reader.complete, reader.problem]).toEqual([200, true, null])
  })

  test('stops at the bound of the head when it comes in single bytes, and when interim heads never end', () => {
    const dripping = new ResponseReader('GET', () => true, LIMIT)
    let sent = 0
    const byte = Buffer.from('a')
    dripping.push(Buffer.from('HTTP/1.1 200 OK\r\nX-A: '))
    while (dripping.problem === null && sent < 2 * MAX_HEAD_BYTES) {
      dripping.push(byte)
      sent++
    }
    expect(dripping.problem).toBe('the response head is larger than 64 KiB')
    expect(sent).toBeLessThanOrEqual(MAX_HEAD_BYTES)

    const interim = new ResponseReader('GET', () => true, LIMIT)
    for (let round = 0; round < 4_000; round++) interim.push(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'))
    expect(interim.problem).toBe('the response head is larger than 64 KiB')
  })

  test('holds no more than the limit of a body in the smallest chunks', () => {
    const reader = new ResponseReader('GET', () => true, 1_000)
    reader.push(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'))
    for (let round = 0; round < 2_000; round++) reader.push(Buffer.from('1\r\na\r\n'))
    expect([reader.complete, reader.bodyCut, reader.body.length]).toEqual([true, true, 1_000])
  })
})
