// reference-peer/received-request.ts: a complete request as the reference peer received it.
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'

export interface ReceivedRequest {
  readonly method: string
  /** As sent: still percent-encoded, without the query. */
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  /** Parameters that are given more than once; `query` has the last of each. */
  readonly repeated: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export async function receive(message: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  return {
    method: message.method ?? '',
    path,
    query: Object.fromEntries(parameters),
    repeated: [...new Set(parameters.keys())].filter((name) => parameters.getAll(name).length > 1),
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}
