// api/status/status-listener.ts: a second listener on which status pages and nothing else are served, so that everything
// else can stay inside.
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { ListenAddress } from '../../config/settings/listen-address.ts'
import type { ServerIdentity } from '../../config/settings/server-identity.ts'
import { answerClientError, rememberAnswer } from '../client-error.ts'
import { createListener } from '../http-listener.ts'
import { type ApiServer, openListener } from '../open-listener.ts'
import type { StatusPaths } from './serve-status.ts'

export interface StatusListenerOptions {
  readonly listen: ListenAddress
  readonly identity: ServerIdentity | null
  readonly paths: StatusPaths
}

export function startStatusListener({ listen, identity, paths }: StatusListenerOptions): Promise<ApiServer> {
  const answer: RequestListener = (request, response) => {
    rememberAnswer(response)
    if (paths.serve(request, response)) return
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end('There is nothing at this address.\n')
  }
  const server = createListener(identity, answer)
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket))
  return openListener(server, { listen, isSecure: identity !== null, setting: 'status.listen' })
}
