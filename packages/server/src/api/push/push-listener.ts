// api/push/push-listener.ts: a second listener with nothing but the paths of signals, so that jobs outside can
// report while the rest of the service stays inside.
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { ListenAddress } from '../../config/settings/listen-address.ts'
import type { ServerIdentity } from '../../config/settings/server-identity.ts'
import { answerClientError, rememberAnswer } from '../client-error.ts'
import { createListener } from '../http-listener.ts'
import { type ApiServer, openListener } from '../open-listener.ts'
import type { PushPaths } from './serve-push.ts'

export interface PushListenerOptions {
  readonly listen: ListenAddress
  readonly identity: ServerIdentity | null
  readonly paths: PushPaths
}

export function startPushListener({ listen, identity, paths }: PushListenerOptions): Promise<ApiServer> {
  const answer: RequestListener = (request, response) => {
    rememberAnswer(response)
    if (paths.serve(request, response)) return
    response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' })
    response.end('There is nothing at this path.\n')
  }
  const server = createListener(identity, answer, undefined, (request) => paths.laneOf(request))
  server.on('clientError', (error, socket: Socket) => answerClientError(error, socket))
  return openListener(server, { listen, isSecure: identity !== null, setting: 'push.listen' })
}
