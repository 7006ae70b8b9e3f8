// api/probes/probe-connection.ts: one WebSocket of a probe: waits for its hello, opens its session, and watches that it
// answers. Every connection ends in one place, which tells why.
import type { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import type { RawData, WebSocket } from 'ws'
import type { Principal } from '../../access/principals-format.ts'
import { FrameReader, FrameWriter, frameKinds, ProtocolFault } from '../../locations/frame.ts'
import type { ProbeRefusal } from '../../locations/location-counts.ts'
import { type Hello, readHello, toJson } from '../../locations/messages.ts'
import { ProbeSession } from '../../locations/probe-session.ts'
import type { RemoteProbes } from '../../locations/remote-probes.ts'
import { versionFault } from '../../locations/versions.ts'
import type { Clock } from '../../platform/clock.ts'
import { version } from '../../platform/version.ts'
import type { Log } from '../../telemetry/log.ts'

export interface ProbeConnectionOptions {
  readonly webSocket: WebSocket
  readonly principal: Principal
  readonly remote: RemoteProbes
  readonly clock: Clock
  readonly log: Log
  readonly refused: (why: ProbeRefusal, sentence: string, about: object) => void
  readonly ended: () => void
}

/** A probe that was refused may read why before its connection ends. */
const goodbyeMs = 1_000
const endedByService = 1001

export class ProbeConnection {
  readonly principal: Principal
  readonly #options: ProbeConnectionOptions
  readonly #reader = new FrameReader()
  #session: ProbeSession | null = null
  /** Looks since something was heard. */
  #missed = 0
  #isOver = false

  constructor(options: ProbeConnectionOptions) {
    const { webSocket } = options
    this.principal = options.principal
    this.#options = options
    webSocket.on('message', (data: RawData) => this.#hear(data as Buffer))
    webSocket.on('pong', () => {
      // Before its hello, it has only as long as silence may last.
      if (this.#session !== null) this.#heard()
    })
    webSocket.on('error', ({ message }) => this.#failed(message))
    webSocket.on('close', () => this.#end('has disconnected'))
  }

  /** Called at intervals. */
  look(missedLooks: number): void {
    if (this.#missed++ >= missedLooks) {
      this.#note('silent', 'It has not answered for too long.')
      this.#end('has not answered for too long')
      return
    }
    this.#options.webSocket.ping()
  }

  /** Ends the connection with a sentence. */
  refuse(why: ProbeRefusal, sentence: string): void {
    if (this.#isOver) return
    this.#note(why, sentence)
    if (this.#session !== null) this.#session.refuse(sentence)
    else this.#options.webSocket.send(new FrameWriter().frame(frameKinds.refused, toJson({ sentence })))
    this.#end('was refused', true)
  }

  /** Its checks are left without an end: the next process runs them in their next time slots. */
  serviceStops(): void {
    this.#isOver = true
    this.#options.webSocket.close(endedByService)
    setTimeout(() => this.#options.webSocket.terminate(), goodbyeMs).unref()
    this.#options.ended()
  }

  #heard(): void {
    this.#missed = 0
  }

  #hear(data: Buffer): void {
    if (this.#isOver) return
    this.#heard()
    try {
      if (this.#session === null) this.#open(data)
      else this.#take(this.#session, data)
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error
      this.refuse('protocol', error.message)
    }
  }

  #open(data: Buffer): void {
    const { kind, body } = this.#reader.open(data)
    if (kind !== frameKinds.hello) throw new ProtocolFault('The probe did not say who it is.')
    const hello = readHello(body)
    const { remote, clock, webSocket, log } = this.#options
    const fault = versionFault(version, hello.version)
    if (fault !== null) return this.refuse('version', fault)
    if (this.principal.locations?.includes(hello.location) !== true)
      return this.refuse('location', notIts(this.principal, hello))
    this.#session = new ProbeSession({
      hello,
      principal: this.principal.name,
      id: randomBytes(8),
      reader: this.#reader,
      link: {
        send: (frame) => webSocket.send(frame),
        get unsentBytes() {
          return webSocket.bufferedAmount
        },
      },
      sinceMs: clock.wallMs(),
      nowMs: () => clock.monotonicMs(),
    })
    remote.join(this.#session)
    log.info({ ...this.#about(hello), version: hello.version }, 'a probe has connected')
  }

  #take(session: ProbeSession, data: Buffer): void {
    const { remote } = this.#options
    const results = session.take(data)
    if (results === null) remote.stateChanged(session)
    else remote.takeResults(session, results)
  }

  /** The library ends the connection itself. */
  #failed(message: string): void {
    if (!this.#isOver) this.#note('protocol', `${message}.`)
  }

  #end(how: string, mayRead = false): void {
    if (this.#isOver) return
    this.#isOver = true
    const { webSocket, remote, log, ended } = this.#options
    if (mayRead) {
      webSocket.close()
      setTimeout(() => webSocket.terminate(), goodbyeMs).unref()
    } else webSocket.terminate()
    ended()
    if (this.#session === null) return
    log.info(this.#about(this.#session.hello), `a probe ${how}`)
    remote.leave(this.#session, how)
  }

  #note(why: ProbeRefusal, sentence: string): void {
    const about =
      this.#session === null ? { principal: this.principal.name } : this.#about(this.#session.hello)
    this.#options.refused(why, sentence, about)
  }

  #about({ name: probe, location }: Hello) {
    return { probe, location, principal: this.principal.name }
  }
}

function notIts({ name, locations = [] }: Principal, { location }: Hello): string {
  return `The principal ${name} may serve ${locations.join(', ')}, and not ${location}; make a token with --location ${location}.`
}
