// api/request-body.ts: reads the body of a request, up to a limit. Only routes that take a body read it; Node
// discards the others.
import type { IncomingMessage } from 'node:http'

export type BodyFault = 'too large' | 'broken off'

export function readBytes(request: IncomingMessage, limit: number): Promise<Uint8Array | BodyFault> {
  return new Promise((resolve) => {
    if (Number(request.headers['content-length']) > limit) {
      resolve('too large')
      return
    }
    const chunks: Buffer[] = []
    let length = 0
    const take = (chunk: Buffer) => {
      length += chunk.length
      if (length <= limit) chunks.push(chunk)
      else stop('too large')
    }
    // Without a listener the stream still flows, so the rest of the body is discarded.
    const stop = (read: Uint8Array | BodyFault) => {
      request.off('data', take)
      resolve(read)
    }
    request.on('data', take)
    request.on('end', () => stop(Buffer.concat(chunks)))
    // Also emitted after the end, when it has no effect.
    request.on('close', () => stop('broken off'))
  })
}
