// api/push/body-tail.ts: reads what a job sends with a signal, as far as it is worth it: 100 kB at most and for ten
// seconds at most. A signal is not lost because its output is long or slow: what was read by then goes with it.
import type { IncomingMessage } from 'node:http'

const mostBytes = 102_400
const longestMs = 10_000

export interface BodyTail {
  readonly bytes: Uint8Array
  /** `whole`: all was read. `cut`: the rest is not read. `broken`: the client is gone and gets no answer. */
  readonly end: 'whole' | 'cut' | 'broken'
}

const nothing: BodyTail = { bytes: new Uint8Array(0), end: 'whole' }

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

export function readTail(request: IncomingMessage): Promise<BodyTail> {
  if (!hasBody(request)) return Promise.resolve(nothing)
  const { promise, resolve } = Promise.withResolvers<BodyTail>()
  const chunks: Buffer[] = []
  let length = 0
  const finish = (end: BodyTail['end']) => {
    clearTimeout(timer)
    request.off('data', onData).off('end', onEnd).off('close', onClose)
    // An error after this is nobody's business: the connection is closed with the answer.
    request.on('error', () => {})
    if (end === 'cut') request.pause()
    resolve({ bytes: Buffer.concat(chunks).subarray(0, mostBytes), end })
  }
  const onData = (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length >= mostBytes) finish('cut')
  }
  const onEnd = () => finish('whole')
  const onClose = () => finish('broken')
  const timer = setTimeout(() => finish('cut'), longestMs)
  request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  return promise
}
