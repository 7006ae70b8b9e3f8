// api/event-hub.ts: the listeners of the event stream. Collects events once per second while there are
// listeners, and keeps the last few hundred for clients that reconnect. The buffer of a listener that does
// not read is bounded: beyond it, the listener is told to start over when it reads again.
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ResetNotice } from '@pulseward/contract'
import type { Static } from 'typebox'
import { concerns, type EventSource, type StreamEvent } from '../projection/live-events.ts'
import type { FilterWords } from '../projection/query/fleet-queries.ts'

const everyMs = 1_000
const keptEvents = 512
/** The most that is buffered for one listener. */
const waitingBytes = 256 * 1024
/** So that a page notices within seconds that the service is silent. It also keeps quiet connections open. */
const beatEveryMs = 2_000
const beat = `event: beat\ndata: ${JSON.stringify({ every_ms: beatEveryMs })}\n\n`
export const listenersAtMost = 256

interface KeptEvent {
  readonly number: number
  readonly event: StreamEvent
  readonly text: string
}

interface Listener {
  readonly response: ServerResponse
  readonly filter: FilterWords
  /** The owner whose loss of access ends the stream; null if only the client or the service can end it. */
  readonly owner: string | null
  hasMissed: boolean
}

/** Ends the streams of tokens and sessions that may no longer read. */
export interface StreamAccess {
  /** The token or session that opened the stream; null if it was not opened by a principal. */
  ownerOf(request: IncomingMessage): string | null
  /** Returns a function that unsubscribes. */
  onEnded(end: (owners: ReadonlySet<string>) => void): () => void
}

export class EventHub {
  readonly #source: EventSource
  readonly #access: StreamAccess | null
  readonly #forgetAccess: (() => void) | undefined
  /** Event numbers of the previous process are not valid in this one. */
  readonly #run = randomBytes(4).toString('hex')
  readonly #listeners = new Set<Listener>()
  #kept: KeptEvent[] = []
  #count = 0
  #timer: NodeJS.Timeout | null = null
  #sinceBeatMs = 0

  constructor(source: EventSource, access: StreamAccess | null = null) {
    this.#source = source
    this.#access = access
    this.#forgetAccess = access?.onEnded((owners) => this.#endThoseOf(owners))
  }

  get isFull(): boolean {
    return this.#listeners.size >= listenersAtMost
  }

  /** Answers with a stream that lasts until either side ends it or its principal may no longer read. */
  listen(
    request: IncomingMessage,
    response: ServerResponse,
    filter: FilterWords,
    lastId: string | null,
  ): void {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'x-accel-buffering': 'no',
    })
    if (request.method === 'HEAD') {
      response.end()
      return
    }
    const owner = this.#access?.ownerOf(request) ?? null
    const listener: Listener = { response, filter, owner, hasMissed: false }
    this.#begin()
    this.#listeners.add(listener)
    response.on('close', () => this.#leave(listener))
    // At once: it also shows the client that the stream is open.
    response.write(beat)
    if (lastId !== null) this.#resume(listener, lastId)
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#forgetAccess?.()
    for (const { response } of this.#listeners) response.end()
  }

  #endThoseOf(owners: ReadonlySet<string>): void {
    for (const { owner, response } of this.#listeners) {
      if (owner === null || !owners.has(owner)) continue
      // What is still buffered must not be sent: its listener may no longer read.
      if (response.writableLength > 0) response.destroy()
      else response.end()
    }
  }

  #begin(): void {
    if (this.#timer !== null) return
    this.#source.watch(true)
    this.#timer = setInterval(() => this.#look(), everyMs)
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener)
    if (this.#listeners.size > 0 || this.#timer === null) return
    clearInterval(this.#timer)
    this.#timer = null
    this.#source.watch(false)
    // Without listeners no events are collected, so no client can resume from here.
    this.#kept = []
  }

  #look(): void {
    const events = this.#source.collect().map((event) => this.#keep(event))
    for (const listener of this.#listeners) for (const kept of events) send(listener, kept)
    this.#sinceBeatMs += everyMs
    if (this.#sinceBeatMs < beatEveryMs) return
    this.#sinceBeatMs = 0
    for (const listener of this.#listeners) if (hasRoom(listener)) listener.response.write(beat)
  }

  #keep(event: StreamEvent): KeptEvent {
    const number = ++this.#count
    const text = `id: ${this.#run}-${number}\nevent: ${event.name}\ndata: ${JSON.stringify(event.data)}\n\n`
    const kept = { number, event, text }
    this.#kept.push(kept)
    if (this.#kept.length > keptEvents) this.#kept = this.#kept.slice(-keptEvents / 2)
    return kept
  }

  #resume(listener: Listener, lastId: string): void {
    const [run, text] = lastId.split('-')
    const number = Number(text)
    const first = this.#kept[0]?.number ?? this.#count + 1
    const canResume = run === this.#run && Number.isSafeInteger(number) && number >= first - 1
    if (!canResume) reset(listener, 'cannot_resume')
    else for (const kept of this.#kept) if (kept.number > number) send(listener, kept)
  }
}

function send(listener: Listener, { event, text }: KeptEvent): void {
  if (!concerns(event, listener.filter)) return
  if (!hasRoom(listener)) listener.hasMissed = true
  else if (listener.hasMissed) reset(listener, 'slow_client')
  else listener.response.write(text)
}

function reset(listener: Listener, reason: Static<typeof ResetNotice>['reason']): void {
  listener.hasMissed = false
  listener.response.write(`event: reset\ndata: ${JSON.stringify({ reason })}\n\n`)
}

function hasRoom({ response }: Listener): boolean {
  return response.writableLength < waitingBytes
}
