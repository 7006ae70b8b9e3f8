// api/probes/probe-gateway.ts: the door for probes elsewhere: a WebSocket that principals with the role probe may open, and
// nobody else. Whoever is turned away gets a sentence; it is logged and counted.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { problemMediaType } from '@pulseward/contract'
import { WebSocketServer } from 'ws'
import type { Principals } from '../../access/principals.ts'
import type { Principal } from '../../access/principals-format.ts'
import { mostBytesFromProbe } from '../../locations/frame.ts'
import type { ProbeRefusal } from '../../locations/location-counts.ts'
import { probePath } from '../../locations/probe-path.ts'
import type { RemoteProbes } from '../../locations/remote-probes.ts'
import type { Clock } from '../../platform/clock.ts'
import { V2Problem } from '../../requests/v2-problem.ts'
import type { Log } from '../../telemetry/log.ts'
import type { TrustedProxies } from '../client-address.ts'
import { clientKey } from '../client-key.ts'
import type { Upgrades } from '../http-listener.ts'
import { transportFault } from '../v2/secure-transport.ts'
import { WrongGuesses } from '../wrong-guesses.ts'
import { ProbeConnection } from './probe-connection.ts'

export interface ProbeGatewayOptions {
  readonly remote: RemoteProbes
  readonly principals: Principals
  readonly proxies: TrustedProxies
  readonly clock: Clock
  readonly log: Log
  /** How long a probe may be silent, in looks that are made at this interval. */
  readonly watch?: { readonly everyMs: number; readonly missedLooks: number }
}

const mostConnections = 256
const patientWatch = { everyMs: 1_000, missedLooks: 10 }

export class ProbeGateway implements Upgrades, Disposable {
  readonly #options: ProbeGatewayOptions
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: mostBytesFromProbe,
    perMessageDeflate: false,
  })
  readonly #guesses: WrongGuesses
  readonly #connections = new Set<ProbeConnection>()
  readonly #unsubscribe: () => void
  readonly #looks: NodeJS.Timeout
  #isClosed = false

  constructor(options: ProbeGatewayOptions) {
    const { principals, clock, watch = patientWatch } = options
    this.#options = options
    this.#guesses = new WrongGuesses(clock)
    this.#unsubscribe = principals.onChange(({ ended }) => this.#endThoseOf(ended))
    this.#looks = setInterval(() => {
      for (const connection of this.#connections) connection.look(watch.missedLooks)
    }, watch.everyMs).unref()
  }

  isFor({ url = '', headers }: IncomingMessage): boolean {
    return url.split('?', 1)[0] === probePath && headers.upgrade?.toLowerCase() === 'websocket'
  }

  take(request: IncomingMessage, socket: Socket, head: Buffer): void {
    socket.on('error', () => {})
    let principal: Principal
    try {
      principal = this.#admit(request)
    } catch (error) {
      if (!(error instanceof V2Problem)) throw error
      this.#turnAway(request, socket, error)
      return
    }
    this.#server.handleUpgrade(request, socket, head, (webSocket) => {
      const { remote, clock, log } = this.#options
      const connection = new ProbeConnection({
        webSocket,
        principal,
        remote,
        clock,
        log,
        refused: (why, sentence, about) => this.#note(why, sentence, about),
        ended: () => this.#connections.delete(connection),
      })
      this.#connections.add(connection)
    })
  }

  [Symbol.dispose](): void {
    this.#isClosed = true
    clearInterval(this.#looks)
    this.#unsubscribe()
    for (const connection of [...this.#connections]) connection.serviceStops()
  }

  /** Throws a problem unless the caller is a probe that may connect. */
  #admit(request: IncomingMessage): Principal {
    const { principals, proxies, clock, remote } = this.#options
    const fault = transportFault(request, proxies)
    if (fault !== null) throw new V2Problem('insecureTransport', fault)
    const [, token = ''] = /^Bearer +([^ ]+)$/i.exec(request.headers.authorization ?? '') ?? []
    const principal = principals.principalOf(token, clock.wallMs())
    if (principal === null) throw new V2Problem('unauthorized', 'The token is not one of a principal.')
    if (principal === 'expired') throw new V2Problem('unauthorized', 'The token has expired.')
    if (principal.role !== 'probe')
      throw new V2Problem('forbidden', `${principal.name} has the role ${principal.role}, which is no probe.`)
    if (this.#isClosed || this.#connections.size >= mostConnections) {
      remote.counts.noteRefusal('full')
      throw new V2Problem('tooBusy', 'The service takes no further probes now.')
    }
    return principal
  }

  #turnAway(request: IncomingMessage, socket: Socket, problem: V2Problem): void {
    const peer = this.#options.proxies.clientOf(socket.remoteAddress ?? '', forwardedFor(request))
    if (problem.code !== 'tooBusy') this.#note('token', problem.message, { peer })
    const delayMs = problem.code === 'unauthorized' ? this.#guesses.delayMs(clientKey(peer)) : 0
    setTimeout(() => refuse(socket, problem), delayMs)
  }

  #note(why: ProbeRefusal, sentence: string, about: object): void {
    this.#options.remote.counts.noteRefusal(why)
    this.#options.log.warn(about, `a probe was refused: ${sentence}`)
  }

  /** Their principals were revoked, have expired, or have other rights now. */
  #endThoseOf(digests: ReadonlySet<string>): void {
    for (const connection of this.#connections)
      if (digests.has(connection.principal.digest))
        connection.refuse('token', 'The token of the probe is no longer valid, or has other rights now.')
  }
}

function refuse(socket: Socket, problem: V2Problem): void {
  const { status, ...rest } = problem.documentFor('')
  const body = JSON.stringify({ ...rest, status })
  socket.end(
    `HTTP/1.1 ${status} ${rest.title}\r\ncontent-type: ${problemMediaType}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  )
}

function forwardedFor({ headers }: IncomingMessage): string | undefined {
  const header = headers['x-forwarded-for']
  return Array.isArray(header) ? header.join(',') : header
}
