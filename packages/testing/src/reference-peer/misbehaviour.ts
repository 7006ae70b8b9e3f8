// reference-peer/misbehaviour.ts: ways in which a peer can be slow, broken or hostile. Each gets the answer that would
// have been right and the raw response to do worse with.
import type { ServerResponse } from 'node:http'
import { createGzip } from 'node:zlib'
import type { PeerAnswer } from './answer.ts'

export type Misbehaviour = (response: ServerResponse, answer: PeerAnswer) => void

/** Takes the request and never answers. */
export const neverAnswers: Misbehaviour = () => {}

/** Takes the request, does it, and closes the connection without a word. */
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

/** The right status and the right body, with another status or other headers around it. */
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

/** A body of spaces around the right one: still valid JSON, and as large as asked for. */
export function pads(byteCount: number): Misbehaviour {
  return (response, { status, headers, body }) => {
    response.writeHead(status, headers)
    pour(response, byteCount, () => response.end(body))
  }
}

/** Little on the wire, much when it is decoded. */
export function unfolds(byteCount: number): Misbehaviour {
  return (response, { status, headers, body }) => {
    response.writeHead(status, { ...headers, 'Content-Encoding': 'gzip' })
    const gzip = createGzip({ level: 1 })
    gzip.pipe(response)
    // The client may hang up on it at any time.
    response.on('close', () => gzip.destroy())
    pour(gzip, byteCount, () => gzip.end(body))
  }
}

interface Target {
  readonly destroyed: boolean
  write(chunk: Buffer, done: (error?: Error | null) => void): boolean
}

const spaces = Buffer.alloc(65_536, ' ')

/** Waits for each chunk to be taken, so a peer that misbehaves keeps its own memory small. */
function pour(target: Target, byteCount: number, done: () => void): void {
  if (target.destroyed) return
  if (byteCount <= 0) return done()
  target.write(spaces.subarray(0, Math.min(byteCount, spaces.length)), (error) => {
    if (!error) pour(target, byteCount - spaces.length, done)
  })
}
