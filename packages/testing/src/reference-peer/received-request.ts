// reference-peer/received-request.ts: a request as the reference peer got it, read whole.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export interface ReceivedRequest {
  readonly method: string
  /** As it travelled: still percent-encoded, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s)
  return {
    method: message.method ?? '',
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
