// What never became a request. Most of it is sent over real sockets in hostile-requests.test.ts; these take too long, or
// cannot be answered at all.
import { Socket } from 'node:net'
import { Problem } from '@pulseward/contract'
import { Compile } from 'typebox/compile'
import { expect, it } from 'vitest'
import { answerClientError } from './client-error.ts'

const problemContract = Compile(Problem)

function answerTo(
  code: string,
  isWritable = true,
  { rawPacket, servesV2 = false }: { rawPacket?: Buffer; servesV2?: boolean } = {},
): { said: string; isDestroyed: boolean } {
  let said = ''
  const socket = new Socket()
  const end = (text: string) => {
    said += text
    return socket
  }
  Object.defineProperties(socket, { writable: { value: isWritable }, end: { value: end } })
  answerClientError(Object.assign(new Error('no'), { code, rawPacket }), socket, servesV2)
  const isDestroyed = socket.destroyed
  socket.destroy()
  return { said, isDestroyed }
}

it('answers 408 to a client that takes too long to ask', () => {
  const { said } = answerTo('ERR_HTTP_REQUEST_TIMEOUT')
  expect(said).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  const problem = JSON.parse(said.slice(said.indexOf('\r\n\r\n')))
  expect(problemContract.Errors(problem)).toEqual([])
  expect(problem.code).toBe('request_timeout')
})

it.each(['ECONNRESET', 'ERR_SSL_HTTP_REQUEST', 'ERR_SSL_UNSUPPORTED_PROTOCOL', 'ERR_TLS_HANDSHAKE_TIMEOUT'])(
  'says nothing to a peer that has gone or speaks no TLS with us (%s)',
  (code) => expect(answerTo(code)).toEqual({ said: '', isDestroyed: true }),
)

it('says nothing into a connection that takes nothing any more', () => {
  expect(answerTo('HPE_INVALID_METHOD', false)).toEqual({ said: '', isDestroyed: true })
})

it('speaks v2 to a client that asked for a path of v2, where v2 is served', () => {
  const rawPacket = Buffer.from('GET /api/v2/monitors HTTP/1.1\r\nX-Long: xxx')
  const codeOf = (code: string, servesV2: boolean, packet = rawPacket) => {
    const { said } = answerTo(code, true, { rawPacket: packet, servesV2 })
    return JSON.parse(said.slice(said.indexOf('\r\n\r\n'))).code
  }
  expect(codeOf('HPE_HEADER_OVERFLOW', true)).toBe('headersTooLarge')
  expect(codeOf('ERR_HTTP_REQUEST_TIMEOUT', true)).toBe('requestTimeout')
  expect(codeOf('HPE_INVALID_HEADER_TOKEN', true)).toBe('invalidParameter')
  expect(codeOf('ERR_HTTP_REQUEST_TIMEOUT', false)).toBe('request_timeout')
  expect(codeOf('HPE_HEADER_OVERFLOW', true, Buffer.from('x'.repeat(2_000)))).toBe('header_fields_too_large')
})
