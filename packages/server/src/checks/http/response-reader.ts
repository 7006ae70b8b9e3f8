// checks/http/response-reader.ts: reads one HTTP/1 response from pieces of bytes, cut anywhere. It never
// throws, never holds more than the head bound plus the body limit, and keeps none of the pieces themselves:
// their memory may be reused at once. It is complete as early as possible: after the head if the body is not
// wanted, otherwise at the end of the body or at its limit.
import { BodyBuffer } from './body-buffer.ts'
import { ChunkedDecoder } from './chunked-decoder.ts'
import { HeadParser } from './head-parser.ts'
import type { BodyWanted, HeaderList, Response } from './response.ts'

const NO_BODY = Buffer.alloc(0)

export class ResponseReader implements Response {
  readonly #method: string
  readonly #bodyWanted: BodyWanted
  readonly #maxBodyBytes: number
  readonly #head = new HeadParser()
  #rest = ''
  #body: BodyBuffer | null = null
  #chunks: ChunkedDecoder | null = null
  #complete = false
  #failure: string | null = null

  constructor(method: string, bodyWanted: BodyWanted, maxBodyBytes: number) {
    this.#method = method
    this.#bodyWanted = bodyWanted
    this.#maxBodyBytes = maxBodyBytes
  }

  get status(): number {
    return this.#head.status
  }
  get headers(): HeaderList {
    return this.#head.headers
  }
  get body(): Buffer {
    return this.#body?.content() ?? NO_BODY
  }
  get bodyCut(): boolean {
    return this.#body?.cut ?? false
  }
  get complete(): boolean {
    return this.#complete
  }
  /** Why there is no response, as a sentence. */
  get problem(): string | null {
    return this.#failure
  }
  /** How much of the body has been read, for the reason of a deadline. */
  get bodyBytes(): number | null {
    return this.#body?.length ?? null
  }

  push(bytes: Buffer): void {
    if (this.#complete || this.#failure !== null) return
    const at = this.#body === null ? this.#readHead(bytes) : 0
    if (this.#body !== null) this.#readBody(this.#body, bytes, at)
  }

  /** The peer closed its side. */
  end(): void {
    if (this.#complete || this.#failure !== null) return
    if (this.#body === null) {
      const begun = this.#rest !== '' || this.#head.status !== 0
      this.#failure = begun
        ? 'the connection was closed in the middle of the response head'
        : 'the connection was closed before a response'
    } else if (this.#chunks !== null || this.#head.contentLength !== -1) {
      this.#failure = 'the connection was closed before the whole body had arrived'
    } else {
      this.#complete = true
    }
  }

  /** Reads heads until a final one; returns where the body begins. */
  #readHead(bytes: Buffer): number {
    const head = this.#head
    const carried = this.#rest.length
    const text = this.#rest + bytes.toString('latin1')
    let at = head.read(text, 0)
    while (head.done && isInterim(head.status)) {
      head.restart()
      at = head.read(text, at)
    }
    this.#failure = head.problem
    if (head.problem === null) {
      this.#rest = head.done ? '' : text.slice(at)
      if (head.done) this.#headIsDone()
    }
    return at - carried
  }

  #headIsDone(): void {
    const { status, headers, contentLength, chunked } = this.#head
    const bodyless =
      this.#method === 'HEAD' ||
      status === 204 ||
      status === 304 ||
      (status >= 100 && status < 200) ||
      contentLength === 0
    if (bodyless || !this.#bodyWanted(status, headers)) {
      this.#complete = true
      return
    }
    this.#body = new BodyBuffer(this.#maxBodyBytes)
    if (chunked) this.#chunks = new ChunkedDecoder(this.#head, this.#body)
  }

  #readBody(body: BodyBuffer, bytes: Buffer, at: number): void {
    if (this.#chunks !== null) {
      this.#chunks.push(bytes, at)
      this.#failure = this.#chunks.problem
      this.#complete = this.#failure === null && (this.#chunks.done || body.cut)
      return
    }
    const { contentLength } = this.#head
    const wanted =
      contentLength === -1 ? bytes.length : Math.min(bytes.length, at + contentLength - body.length)
    body.append(bytes, at, wanted)
    this.#complete = body.cut || body.length === contentLength
  }
}

/** 1xx announces another head, except 101, after which the connection no longer speaks HTTP. */
function isInterim(status: number): boolean {
  return status >= 100 && status < 200 && status !== 101
}
