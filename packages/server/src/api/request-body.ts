// api/request-body.ts: the bytes that a request brings, up to a limit. Only a route that wants them reads them; Node
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
    // Without a listener the stream still flows, so what is left of the body is thrown away.
    const stop = (read: Uint8Array | BodyFault) => {
      request.off('data', take)
      resolve(read)
    }
    request.on('data', take)
    request.on('end', () => stop(Buffer.concat(chunks)))
    // Comes after the end too, when it says nothing new.
    request.on('close', () => stop('broken off'))
  })
}
