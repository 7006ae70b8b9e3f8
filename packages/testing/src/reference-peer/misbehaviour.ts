// reference-peer/misbehaviour.ts: ways in which a peer can be slow, broken or hostile. Each gets the right
// answer and the raw response, and does something worse.
import type { ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import type { PeerAnswer } from './answer.ts'

export type Misbehaviour = (response: ServerResponse, answer: PeerAnswer) => void

/** Reads the request and never answers. */
export const neverAnswers: Misbehaviour = () => {}

/** Carries out the request and closes the connection without an answer. */
export const dropsConnection: Misbehaviour = (response) => {
  response.socket?.destroy()
}

/** Breaks off in the middle of the body. */
export const cutsOff: Misbehaviour = (response, { status, headers, body }) => {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
  response.write(body.slice(0, body.length / 2), () => response.socket?.destroy())
}

/** Sends half of the body and then nothing more. */
export const stalls: Misbehaviour = (response, { status, headers, body }) => {
  response.writeHead(status, headers)
  response.write(body.slice(0, body.length / 2))
}

/** Changes some parts of the right answer, such as its status or headers. */
export function answersInstead(instead: Partial<PeerAnswer>): Misbehaviour {
  return (response, answer) => {
    const { status, headers, body } = { ...answer, ...instead }
    response.writeHead(status, headers).end(body)
  }
}

export function hasContentType(contentType: string): Misbehaviour {
  return (response, { status, headers, body }) => {
    response.writeHead(status, { ...headers, 'Content-Type': contentType }).end(body)
  }
}

export function redirects(status: number, location: string): Misbehaviour {
  return (response) => {
    response.writeHead(status, { Location: location }).end()
  }
}

/** Pads the right body with spaces: it stays valid JSON, and gets as large as asked for. */
export function pads(byteCount: number): Misbehaviour {
  return (response, { status, headers, body }) => {
    response.writeHead(status, headers)
    pour(response, byteCount, () => response.end(body))
  }
}

/** Small on the wire, large when decoded. */
export function unfolds(byteCount: number): Misbehaviour {
  return (response, { status, headers, body }) => {
    response.writeHead(status, { ...headers, 'Content-Encoding': 'gzip' })
    const gzip = createGzip({ level: 1 })
    gzip.pipe(response)
    // The client may close the connection at any time.
    response.on('close', () => gzip.destroy())
    pour(gzip, byteCount, () => gzip.end(body))
  }
}

interface Target {
  readonly destroyed: boolean
  write(chunk: Buffer, done: (error?: Error | null) => void): boolean
}

const spaces = Buffer.alloc(65_536, ' ')

/** Waits until each chunk is sent, so that the peer's own memory stays small. */
function pour(target: Target, byteCount: number, done: () => void): void {
  if (target.destroyed) return
  if (byteCount <= 0) return done()
  target.write(spaces.subarray(0, Math.min(byteCount, spaces.length)), (error) => {
    if (!error) pour(target, byteCount - spaces.length, done)
  })
}
