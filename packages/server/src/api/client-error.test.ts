// What never became a request. Most of it is sent over real sockets in hostile-requests.test.ts; these take too long, or
// cannot be answered at all.
import { Socket } from 'node:net'
import { Problem } from '@pulseward/contract'
import { Compile } from 'typebox/compile'
import { expect, it } from 'vitest'
import { answerClientError } from './client-error.ts'

const problemContract = Compile(Problem)

function answerTo(code: string, isWritable = true): { said: string; isDestroyed: boolean } {
  let said = ''
  const socket = new Socket()
  const end = (text: string) => {
    said += text
    return socket
  }
  Object.defineProperties(socket, { writable: { value: isWritable }, end: { value: end } })
  answerClientError(Object.assign(new Error('no'), { code }), socket)
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
