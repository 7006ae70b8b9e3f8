// remote-probe/service-connection.ts: one connection to the service, from the probe's side: says hello, hands what it is asked for to
// the work, and ends with a sentence that says why.
import { Buffer } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import { type RawData, WebSocket } from 'ws'
import { writeResults } from '../locations/batches.ts'
import {
  type Frame,
  FrameReader,
  FrameWriter,
  frameKinds,
  mostBytesFromService,
  ProtocolFault,
} from '../locations/frame.ts'
import {
  type Definition,
  fromJson,
  type Hello,
  type Refused,
  toJson,
  type Welcome,
} from '../locations/messages.ts'
import { probePath } from '../locations/probe-path.ts'
import { onOneLine } from '../platform/wording.ts'
import type { ProbeWork } from './probe-work.ts'

export interface ServiceConnectionOptions {
  /** The address of the service. */
  readonly server: string
  readonly token: string
  readonly hello: Hello
  readonly work: ProbeWork
  /** Called when the service has taken this probe. */
  readonly welcomed: (version: string) => void
}

/** The service pings every second. */
const silentForMs = 10_000
const answerWithinMs = 10_000
const mostProblemBytes = 16_384

export class ServiceConnection {
  /** Resolves with the reason when the connection is over. */
  readonly over: Promise<string>
  readonly #options: ServiceConnectionOptions
  readonly #webSocket: WebSocket
  readonly #writer = new FrameWriter()
  readonly #reader = new FrameReader()
  #why: string | null = null
  #silence: NodeJS.Timeout | undefined

  constructor(options: ServiceConnectionOptions) {
    this.#options = options
    const { server, token, hello, work } = options
    const webSocket = new WebSocket(new URL(probePath, server).href.replace(/^http/, 'ws'), {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: answerWithinMs,
      maxPayload: mostBytesFromService,
      perMessageDeflate: false,
      followRedirects: false,
    })
    this.#webSocket = webSocket
    webSocket.on('unexpected-response', (_, response) => void this.#refusedBy(response))
    webSocket.on('open', () => {
      webSocket.send(this.#writer.frame(frameKinds.hello, toJson(hello)))
      this.#listen()
    })
    webSocket.on('ping', () => this.#listen())
    webSocket.on('message', (data: RawData) => this.#hear(data as Buffer))
    webSocket.on('error', ({ message }) => {
      this.#why ??= `the connection failed: ${message}`
    })
    this.over = new Promise((resolve) => {
      webSocket.on('close', () => {
        clearTimeout(this.#silence)
        work.end()
        resolve(this.#why ?? 'the service has closed the connection')
      })
    })
  }

  close(): void {
    this.#end('it is closed')
  }

  #hear(data: Buffer): void {
    this.#listen()
    try {
      this.#take(this.#reader.open(data))
    } catch (error) {
      if (!(error instanceof ProtocolFault)) throw error
      this.#end(`the service did not keep to the protocol: ${error.message}`)
    }
  }

  #take({ kind, body }: Frame): void {
    const { work } = this.#options
    if (kind === frameKinds.run) work.run(body)
    else if (kind === frameKinds.define) work.define(fromJson<readonly Definition[]>(body))
    else if (kind === frameKinds.forget) work.forget(body)
    else if (kind === frameKinds.refused)
      this.#end(`the service refused this probe: ${onOneLine(fromJson<Refused>(body).sentence)}`)
    else if (kind === frameKinds.welcome) this.#begin(fromJson<Welcome>(body))
  }

  #begin({ version, session }: Welcome): void {
    const id = Buffer.from(session, 'hex')
    this.#writer.begin(id)
    this.#reader.begin(id)
    this.#options.work.begin({
      results: (results) => this.#send(this.#writer.frame(frameKinds.results, writeResults(results))),
      state: (state) => this.#send(this.#writer.frame(frameKinds.state, toJson(state))),
    })
    this.#options.welcomed(version)
  }

  #send(frame: Buffer): void {
    if (this.#webSocket.readyState === WebSocket.OPEN) this.#webSocket.send(frame)
  }

  /** Something was heard: silence begins anew. */
  #listen(): void {
    clearTimeout(this.#silence)
    this.#silence = setTimeout(() => this.#end('the service was silent for 10 s'), silentForMs)
  }

  /** The service answered with an HTTP status: its problem says why. */
  async #refusedBy(response: IncomingMessage): Promise<void> {
    let text = ''
    for await (const chunk of response) {
      text += String(chunk)
      if (text.length > mostProblemBytes) break
    }
    this.#why = `the service answered with status ${response.statusCode}${detailIn(text)}`
    this.#webSocket.terminate()
  }

  #end(why: string): void {
    this.#why ??= why
    this.#webSocket.close()
    // A peer that is gone answers no closing handshake.
    this.#webSocket.terminate()
  }
}

function detailIn(text: string): string {
  try {
    const { detail } = JSON.parse(text) as { readonly detail?: unknown }
    return typeof detail === 'string' ? `: ${onOneLine(detail)}` : ''
  } catch {
    return ''
  }
}
