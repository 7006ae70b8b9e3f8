// checks/http/http2.ts: one HTTP/2 request over a connected socket, with Node's implementation. The response
// has the same shape and the same bounds as one over HTTP/1.
import type { ClientHttp2Session, ClientHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { http2 } from '../../platform/late-modules.ts'
import { isReset } from '../../platform/network/connect-errors.ts'
import { inUtf8 } from '../../platform/network/outbound-headers.ts'
import { secureFailure } from '../../platform/tls/tls-wording.ts'
import { CheckFailure, UnusableConfig } from '../driver.ts'
import { type Attempt, STOPPED } from './attempt.ts'
import { BodyBuffer } from './body-buffer.ts'
import { MAX_HEAD_BYTES } from './head-parser.ts'
import type { RedirectStep } from './redirect-step.ts'
import type { BodyWanted, Response } from './response.ts'

export async function exchangeHttp2(
  socket: Socket,
  step: RedirectStep,
  fields: readonly string[],
  bodyWanted: BodyWanted,
  maxBodyBytes: number,
  attempt: Attempt,
): Promise<Response> {
  const session = http2().connect(step.url.origin, {
    createConnection: () => socket,
    settings: { enablePush: false, maxHeaderListSize: MAX_HEAD_BYTES },
  })
  try {
    return await ask(session, step, fields, bodyWanted, maxBodyBytes, attempt)
  } finally {
    attempt.run.onStop = undefined
    session.on('error', () => {})
    session.destroy()
  }
}

function ask(
  session: ClientHttp2Session,
  step: RedirectStep,
  fields: readonly string[],
  bodyWanted: BodyWanted,
  maxBodyBytes: number,
  attempt: Attempt,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string): void => reject(new CheckFailure(reason))
    const body = new BodyBuffer(maxBodyBytes)
    let status = 0
    let headers: string[] = []
    const answer = (): void => {
      resolve({ status, headers, body: body.content(), bodyCut: body.cut })
    }
    session.on('error', (error) => reject(brokenSession(error)))
    session.on('close', () => fail('the connection was closed before a response'))
    session.on('goaway', (code) => {
      if (code !== http2().constants.NGHTTP2_NO_ERROR)
        fail(`the server ended the HTTP/2 session (code ${code})`)
    })
    const stop = (): void => {
      if (status !== 0) attempt.awaits('no end of the body', `${body.length} bytes of it received`)
      reject(STOPPED)
    }
    attempt.run.onStop = stop
    attempt.awaits('no response', 'connected, request sent')
    let stream: ClientHttp2Stream
    try {
      stream = send(session, step, fields)
    } catch {
      // Node refuses fields that HTTP/1 would carry; its message may quote a secret value.
      reject(new UnusableConfig('the configured headers cannot be sent by HTTP/2'))
      return
    }
    stream.on('error', (error) => reject(brokenSession(error)))
    stream.on('response', (received) => {
      attempt.run.mark('first_byte')
      status = received[':status'] ?? 0
      headers = flatten(received)
      if (stream.endAfterHeaders || !bodyWanted(status, headers)) answer()
      else attempt.awaits('no complete response', 'the response has begun')
    })
    stream.on('data', (bytes: Buffer) => {
      body.append(bytes, 0, bytes.length)
      if (body.cut) answer()
    })
    stream.on('end', () => {
      // A stream that the server reset ends as if it were complete; only the code shows it.
      if (stream.rstCode === http2().constants.NGHTTP2_NO_ERROR) answer()
      else fail('the server broke off the HTTP/2 request')
    })
    stream.on('close', () => fail('the server ended the request before a response'))
  })
}

function send(session: ClientHttp2Session, step: RedirectStep, fields: readonly string[]): ClientHttp2Stream {
  const headers: Record<string, string> = {
    ':method': step.method,
    ':path': step.url.pathname + step.url.search,
    ':scheme': step.url.protocol.slice(0, -1),
    ':authority': step.url.host,
  }
  for (let index = 0; index < fields.length; index += 2) {
    const name = fields[index]!.toLowerCase()
    headers[name === 'host' ? ':authority' : name] = inUtf8(fields[index + 1]!)
  }
  const stream = session.request(headers, { endStream: step.body === undefined })
  if (step.body !== undefined) stream.end(step.body)
  return stream
}

function flatten(
  headers: Readonly<Record<string, string | readonly string[] | number | undefined>>,
): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (name.startsWith(':') || value === undefined) return []
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [name, String(one)])
  })
}

function brokenSession(error: NodeJS.ErrnoException): CheckFailure {
  const { code = '' } = error
  if (isReset(code)) return new CheckFailure('the server reset the connection before a response')
  if (code === 'ERR_HTTP2_STREAM_ERROR') return new CheckFailure('the server broke off the HTTP/2 request')
  if (code === 'ERR_HTTP2_SESSION_ERROR') return new CheckFailure('the server broke off the HTTP/2 session')
  if (code.startsWith('ERR_SSL_')) return new CheckFailure(secureFailure(code))
  if (code.startsWith('ERR_HTTP2')) {
    return new CheckFailure('the server answered with something that is not HTTP/2')
  }
  return new CheckFailure(`the connection broke (${code === '' ? 'unknown error' : code})`, 'local')
}
