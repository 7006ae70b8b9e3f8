// The hand-written reader beside Node's own client: the same bytes from the same loopback server, the same answer
// or both refuse. Where the reader differs on purpose, the table says why.
import { request } from 'node:http'
import { connect } from 'node:net'
import { HttpTarget, sends } from '@pulseward/testing/targets'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_HEAD_BYTES } from './head-parser.ts'
import { ResponseReader } from './response-reader.ts'

type Reading = { status: number; headers: readonly string[]; body: string } | 'refused'

interface Case {
  readonly bytes: string
  readonly method?: 'GET' | 'HEAD'
  /** What our reader says where it differs from Node on purpose, and why. */
  readonly differs?: { readonly ours: Reading; readonly because: string }
}

const ok = 'HTTP/1.1 200 OK\r\n'
const chunkedHead = `${ok}Transfer-Encoding: chunked\r\n\r\n`

const cases: Record<string, Case> = {
  'content-length': { bytes: `${ok}Content-Length: 2\r\n\r\nok` },
  'content-length 0': { bytes: `${ok}Content-Length: 0\r\n\r\n` },
  'bytes after the content-length': { bytes: `${ok}Content-Length: 2\r\n\r\nokHTTP/1.1 500 No\r\n\r\n` },
  'a body shorter than its content-length': { bytes: `${ok}Content-Length: 20\r\n\r\nok` },
  'no length': { bytes: `${ok}Server: x\r\n\r\nuntil the end` },
  'no headers at all': { bytes: `${ok}\r\nbody` },
  chunked: { bytes: `${chunkedHead}4\r\nWiki\r\n5\r\npedia\r\n0\r\n\r\n` },
  'chunked with upper-case and zero-padded sizes': {
    bytes: `${chunkedHead}000A\r\n0123456789\r\na\r\n0123456789\r\n00\r\n\r\n`,
  },
  'chunk extensions': { bytes: `${chunkedHead}2;a=b;c="d \\" e";f\r\nok\r\n0;last\r\n\r\n` },
  'a chunk extension after a blank': { bytes: `${chunkedHead}2; a=b\r\nok\r\n0\r\n\r\n` },
  'an empty chunk extension': { bytes: `${chunkedHead}2;\r\nok\r\n0\r\n\r\n` },
  'a control character in a chunk extension': { bytes: `${chunkedHead}2;a=\x01\r\nok\r\n0\r\n\r\n` },
  trailers: { bytes: `${chunkedHead}2\r\nok\r\n0\r\nX-Sum: 1\r\nX-More: 2\r\n\r\n` },
  'a malformed trailer': { bytes: `${chunkedHead}2\r\nok\r\n0\r\nno colon\r\n\r\n` },
  'a content-length in the trailer': { bytes: `${chunkedHead}2\r\nok\r\n0\r\nContent-Length: 2\r\n\r\n` },
  'a chunked body without its last chunk': { bytes: `${chunkedHead}2\r\nok\r\n` },
  'a chunked body without the line after its last chunk': { bytes: `${chunkedHead}2\r\nok\r\n0\r\n` },
  'a chunk size that is not a number': { bytes: `${chunkedHead}zz\r\nok\r\n0\r\n\r\n` },
  'a chunk size with a sign': { bytes: `${chunkedHead}+2\r\nok\r\n0\r\n\r\n` },
  'a chunk size in 0x form': { bytes: `${chunkedHead}0x2\r\nok\r\n0\r\n\r\n` },
  'a chunk size with a blank after it': { bytes: `${chunkedHead}2 \r\nok\r\n0\r\n\r\n` },
  'an empty chunk size': { bytes: `${chunkedHead}\r\nok\r\n0\r\n\r\n` },
  'a chunk size over 64 bits': { bytes: `${chunkedHead}1${'0'.repeat(16)}\r\nok\r\n0\r\n\r\n` },
  'a chunk longer than its size': { bytes: `${chunkedHead}2\r\nokay\r\n0\r\n\r\n` },
  'a chunk size that ends with a bare LF': { bytes: `${chunkedHead}2\nok\r\n0\r\n\r\n` },
  'chunk data that ends with a bare LF': { bytes: `${chunkedHead}2\r\nok\n0\r\n\r\n` },
  'chunked as the last of two codings': {
    bytes: `${ok}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  },
  'chunked as the first of two codings': {
    bytes: `${ok}Transfer-Encoding: chunked, gzip\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  },
  'two transfer-encoding headers': {
    bytes: `${ok}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  },
  'an upper-case transfer coding': { bytes: `${ok}TRANSFER-ENCODING: Chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n` },
  'a no-break space before a transfer coding': {
    bytes: `${ok}Transfer-Encoding: \xa0chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  },
  'an unknown transfer coding': { bytes: `${ok}Transfer-Encoding: nonsense\r\n\r\nuntil the end` },
  'an empty transfer-encoding': { bytes: `${ok}Transfer-Encoding:\r\n\r\nok` },
  'both transfer-encoding and content-length': {
    bytes: `${ok}Transfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  },
  'both content-length and transfer-encoding': {
    bytes: `${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`,
  },
  'conflicting content-lengths': { bytes: `${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok` },
  'the same content-length twice': { bytes: `${ok}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok` },
  'a content-length list': { bytes: `${ok}Content-Length: 2, 2\r\n\r\nok` },
  'a negative content-length': { bytes: `${ok}Content-Length: -2\r\n\r\nok` },
  'a content-length that is not a number': { bytes: `${ok}Content-Length: two\r\n\r\nok` },
  'an empty content-length': { bytes: `${ok}Content-Length:\r\n\r\nok` },
  'a content-length over 64 bits': { bytes: `${ok}Content-Length: 99999999999999999999\r\n\r\nok` },
  'a content-length with blanks after it': { bytes: `${ok}Content-Length: 2 \t \r\n\r\nok` },
  '100 before the final response': { bytes: `HTTP/1.1 100 Continue\r\n\r\n${ok}Content-Length: 2\r\n\r\nok` },
  '103 with headers before the final response': {
    bytes: `HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`,
  },
  'three interim responses': {
    bytes: `${'HTTP/1.1 102 Processing\r\n\r\n'.repeat(3)}${ok}Content-Length: 2\r\n\r\nok`,
  },
  'an interim response of HTTP/1.0': {
    bytes: `HTTP/1.0 100 Continue\r\n\r\n${ok}Content-Length: 2\r\n\r\nok`,
    differs: {
      ours: { status: 200, headers: ['Content-Length', '2'], body: 'ok' },
      because:
        'Node takes the old version for the end of the connection; the final response is there all the same',
    },
  },
  'an interim response alone': { bytes: 'HTTP/1.1 100 Continue\r\n\r\n' },
  '101 without an upgrade asked for': {
    bytes: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nbytes',
    differs: {
      ours: { status: 101, headers: ['Upgrade', 'x', 'Connection', 'Upgrade'], body: '' },
      because: 'Node hangs up without a listener; for a check 101 is a status like any other',
    },
  },
  '204 without a body': { bytes: 'HTTP/1.1 204 No Content\r\n\r\n' },
  '204 with a content-length': { bytes: 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n' },
  '304 with a content-length': { bytes: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n' },
  'HEAD with a content-length': { bytes: `${ok}Content-Length: 5\r\n\r\n`, method: 'HEAD' },
  'HEAD with chunked': { bytes: chunkedHead, method: 'HEAD' },
  '205 with a body': { bytes: 'HTTP/1.1 205 Reset\r\nContent-Length: 2\r\n\r\nok' },
  'HTTP/1.0 until the end': { bytes: 'HTTP/1.0 200 OK\r\n\r\nold' },
  'HTTP/1.0 with a content-length': { bytes: 'HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nold' },
  'HTTP/1.0 with chunked': {
    bytes: 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  },
  'HTTP/0.9 in the status line': { bytes: 'HTTP/0.9 200 OK\r\n\r\nold' },
  'HTTP/2.0 in the status line': { bytes: 'HTTP/2.0 200 OK\r\n\r\nnew' },
  'HTTP/1.2': { bytes: 'HTTP/1.2 200 OK\r\n\r\nok' },
  'HTTP/3.0': { bytes: 'HTTP/3.0 200 OK\r\n\r\nok' },
  'HTTP/11.1': { bytes: 'HTTP/11.1 200 OK\r\n\r\nok' },
  'a lower-case http version': { bytes: 'http/1.1 200 OK\r\n\r\nok' },
  'ICE/1.0': {
    bytes: 'ICE/1.0 200 OK\r\n\r\nradio',
    differs: { ours: 'refused', because: 'a radio stream protocol is not HTTP' },
  },
  'RTSP/1.0': {
    bytes: 'RTSP/1.0 200 OK\r\n\r\nfilm',
    differs: { ours: 'refused', because: 'a film stream protocol is not HTTP' },
  },
  'an empty reason': { bytes: 'HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nok' },
  'no reason and no blank': { bytes: 'HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok' },
  'a reason of bytes over 127': { bytes: 'HTTP/1.1 200 \xe9\xff\x01\r\nContent-Length: 2\r\n\r\nok' },
  'a CR in the reason': { bytes: 'HTTP/1.1 200 O\rK\r\nContent-Length: 2\r\n\r\nok' },
  'status 099': { bytes: 'HTTP/1.1 099 Odd\r\nContent-Length: 2\r\n\r\nok' },
  'status 000': { bytes: 'HTTP/1.1 000 Odd\r\nContent-Length: 2\r\n\r\nok' },
  'status 999': { bytes: 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok' },
  'a status of two digits': { bytes: 'HTTP/1.1 20 OK\r\n\r\nok' },
  'a status of four digits': { bytes: 'HTTP/1.1 2000 OK\r\n\r\nok' },
  'a status that is not a number': { bytes: 'HTTP/1.1 2x0 OK\r\n\r\nok' },
  'two blanks before the status': { bytes: 'HTTP/1.1  200 OK\r\n\r\nok' },
  'no blank after the version': { bytes: 'HTTP/1.1\r\n\r\nok' },
  'a leading CR LF': { bytes: `\r\n\r\n${ok}Content-Length: 2\r\n\r\nok` },
  'a leading bare LF': { bytes: `\n${ok}Content-Length: 2\r\n\r\nok` },
  'a leading blank': { bytes: ` ${ok}Content-Length: 2\r\n\r\nok` },
  'a status line that ends with a bare LF': { bytes: 'HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\nok' },
  'a header that ends with a bare LF': { bytes: `${ok}Content-Length: 2\n\r\nok` },
  'a head that ends with a bare LF': { bytes: `${ok}Content-Length: 2\r\n\nok` },
  'bare LF everywhere': { bytes: 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok' },
  'a bare CR as line end': { bytes: 'HTTP/1.1 200 OK\rContent-Length: 2\r\rok' },
  'a CR in a header value': { bytes: `${ok}X-A: b\rSet-Cookie: c\r\n\r\nok` },
  'a NUL in a header value': { bytes: `${ok}X-A: b\0c\r\n\r\nok` },
  'a DEL in a header value': { bytes: `${ok}X-A: b\x7fc\r\n\r\nok` },
  'bytes over 127 in a header value': { bytes: `${ok}X-A: caf\xe9\r\n\r\nok` },
  'a tab in a header value': { bytes: `${ok}X-A: b\tc\r\n\r\nok` },
  'blanks around a header value': { bytes: `${ok}X-A: \t b c \t \r\n\r\nok` },
  'an empty header value': { bytes: `${ok}X-A:\r\nX-B: \r\n\r\nok` },
  'the same header twice': { bytes: `${ok}Set-Cookie: a\r\nSet-Cookie: b\r\n\r\nok` },
  'a blank before the colon': { bytes: `${ok}X-A : b\r\n\r\nok` },
  'a blank in a header name': { bytes: `${ok}X A: b\r\n\r\nok` },
  'an empty header name': { bytes: `${ok}: b\r\n\r\nok` },
  'a header name of bytes over 127': { bytes: `${ok}X-\xe9: b\r\n\r\nok` },
  'a header without a colon': { bytes: `${ok}nothing\r\n\r\nok` },
  'a blank before the first header': { bytes: `${ok} X-A: b\r\n\r\nok` },
  'a folded header': {
    bytes: `${ok}X-A: one\r\n two\r\n\tthree\r\nX-B: four\r\n\r\nok`,
    differs: {
      ours: { status: 200, headers: ['X-A', 'one two three', 'X-B', 'four'], body: 'ok' },
      because: 'RFC 9112 §5.2 obliges a user agent to read it; old servers that fold are not down',
    },
  },
  'a folded content-length': { bytes: `${ok}Content-Length: 2\r\n 3\r\n\r\nok` },
  'a folded transfer-encoding': { bytes: `${ok}Transfer-Encoding: gzip\r\n chunked\r\n\r\nok` },
  'a head of 60 KiB': { bytes: `${ok}X-A: ${'a'.repeat(60_000)}\r\n\r\nok` },
  'a head over the bound': { bytes: `${ok}X-A: ${'a'.repeat(MAX_HEAD_BYTES)}\r\n\r\nok` },
  'many headers over the bound': { bytes: `${ok}${'X-A: 0123456789\r\n'.repeat(9_000)}\r\nok` },
  'nothing at all': { bytes: '' },
  'half a status line': { bytes: 'HTTP/1.' },
  'half a head': { bytes: `${ok}Content-Le` },
  'an SSH banner': { bytes: 'SSH-2.0-OpenSSH_9.6\r\n' },
  'a mail greeting': { bytes: '220 mail.test ESMTP\r\n' },
  'a TLS alert': { bytes: '\x15\x03\x01\x00\x02\x02\x46' },
  'a page without a head': { bytes: '<html><body>hello</body></html>' },
  'an HTTP/2 settings frame': { bytes: '\0\0\0\x04\0\0\0\0\0' },
}

let target: HttpTarget
beforeAll(async () => {
  target = await HttpTarget.start()
})
afterAll(() => target[Symbol.asyncDispose]())

describe('the response reader and node:http read the same', () => {
  for (const [title, { bytes, method = 'GET', differs }] of Object.entries(cases)) {
    test(differs === undefined ? title : `${title}, but for a reason`, async () => {
      target.behave(sends([Buffer.from(bytes, 'latin1')], 'close'))
      const [ours, nodes] = await Promise.all([readOurselves(method), readWithNode(method)])
      if (differs === undefined) {
        expect(ours).toEqual(nodes)
      } else {
        expect(ours).toEqual(differs.ours)
        expect(nodes).not.toEqual(differs.ours)
      }
    })
  }

  test('also when ordinary responses are damaged at random', { tags: 'long' }, async () => {
    const ordinary = Object.values(cases).filter(
      ({ bytes, differs }) => differs === undefined && bytes.length < 300,
    )
    const damage = fc.record({
      bytes: fc.constantFrom(...ordinary.map(({ bytes }) => bytes)),
      at: fc.nat(),
      with: fc.oneof(
        fc.constantFrom('\r', '\n', ' ', ':', '\t', '0', ';', ',', ''),
        fc.nat(255).map((n) => String.fromCharCode(n)),
      ),
    })
    await fc.assert(
      fc.asyncProperty(damage, async ({ bytes, at, with: replacement }) => {
        const position = bytes.length === 0 ? 0 : at % bytes.length
        const damaged = bytes.slice(0, position) + replacement + bytes.slice(position + 1)
        // Folding and interim responses of another version are read on purpose, as the table says.
        fc.pre(!/\r\n[ \t]|HTTP\/(?!1\.1)\d\.\d 1/.test(damaged))
        const sent = withoutRest(damaged)
        target.behave(sends([sent], 'close'))
        const [ours, nodes] = await Promise.all([readOurselves('GET'), readWithNode('GET')])
        expect([sent, ours]).toEqual([sent, nodes])
      }),
      { numRuns: 1_500 },
    )
  })

  test('most of the table is accepted and much of it refused, so that agreement means something', async () => {
    const readings = Object.values(cases).map(({ bytes, method = 'GET' }) => {
      const reader = new ResponseReader(method, () => true, 1_048_576)
      reader.push(Buffer.from(bytes, 'latin1'))
      reader.end()
      return reader.complete
    })
    expect(readings.filter((complete) => complete).length).toBeGreaterThan(35)
    expect(readings.filter((complete) => !complete).length).toBeGreaterThan(40)
  })
})

/** Without what follows a whole response: Node reads on for the next one, a check is over. */
function withoutRest(bytes: string): string {
  const reader = new ResponseReader('GET', () => true, 1_048_576)
  for (let length = 0; length < bytes.length; length++) {
    reader.push(Buffer.from(bytes.charAt(length), 'latin1'))
    if (reader.complete) return bytes.slice(0, length + 1)
  }
  return bytes
}

function readOurselves(method: string): Promise<Reading> {
  return new Promise((resolve) => {
    const reader = new ResponseReader(method, () => true, 1_048_576)
    const socket = connect(target.port, '127.0.0.1')
    socket.write(`${method} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    const settle = (): void => {
      if (!reader.complete && reader.problem === null) return
      socket.destroy()
      const { status, headers, body } = reader
      resolve(reader.complete ? { status, headers, body: body.toString('latin1') } : 'refused')
    }
    socket.on('data', (bytes: Buffer) => {
      reader.push(bytes)
      settle()
    })
    socket.on('end', () => {
      reader.end()
      settle()
    })
    socket.on('error', () => resolve('refused'))
  })
}

function readWithNode(method: string): Promise<Reading> {
  return new Promise((resolve) => {
    const options = {
      port: target.port,
      host: '127.0.0.1',
      method,
      agent: false,
      maxHeaderSize: MAX_HEAD_BYTES,
    }
    const sent = request(options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('error', () => resolve('refused'))
      response.on('end', () => {
        const body = Buffer.concat(pieces).toString('latin1')
        resolve({ status: response.statusCode!, headers: response.rawHeaders, body })
      })
    })
    sent.on('error', () => resolve('refused'))
    // Node hangs up without an error on an upgrade without a listener.
    sent.on('close', () => resolve('refused'))
    sent.end()
  })
}
