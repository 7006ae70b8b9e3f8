// api/exchange.ts: a request and its answer. Headers are collected and sent together with the body, in one
// write; a streaming route takes the response over instead. An exchange is answered once.
import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { chooseEncoding, compress, type Encoding, isCompressible } from './compression.ts'
import { encodedTag } from './entity-tag.ts'
import { type BodyFault, readBytes } from './request-body.ts'
import { isV2, type RequestTarget, readTarget } from './request-path.ts'
import type { UnreadAnswers } from './unread-answers.ts'

type Headers = Readonly<Record<string, string>>

/** Headers of every answer. */
const commonHeaders: Headers = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
}

export class Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly target: RequestTarget
  readonly #unread: UnreadAnswers
  readonly #headers: Record<string, string>
  #isAnswered = false

  constructor(request: IncomingMessage, response: ServerResponse, unread: UnreadAnswers) {
    this.request = request
    this.response = response
    this.id = requestId(request.headers['x-request-id'])
    this.target = readTarget(request.url ?? '')
    this.#unread = unread
    this.#headers = { ...commonHeaders, 'x-request-id': this.id }
  }

  get method(): string {
    return this.request.method ?? ''
  }

  get path(): string {
    return this.target.path
  }

  /** The request's headers. */
  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get isAnswered(): boolean {
    return this.#isAnswered
  }

  /** If the body is not read to its end, the connection cannot be used for another request. */
  async readBody(limit: number): Promise<Uint8Array | BodyFault> {
    const read = await readBytes(this.request, limit)
    if (typeof read === 'string') this.setHeader('connection', 'close')
    return read
  }

  setHeader(name: string, value: string): void {
    this.#headers[name] = value
  }

  setHeaders(headers: Headers): void {
    Object.assign(this.#headers, headers)
  }

  /** Names another request header on which the answer depends, for caches. */
  addVary(header: string): void {
    const before = this.#headers['vary']
    this.#headers['vary'] = before === undefined ? header : `${before}, ${header}`
  }

  sendJson(status: number, text: string): void {
    this.#headers['content-type'] = 'application/json; charset=utf-8'
    this.send(status, text)
  }

  send(status: number, body: string | Uint8Array = ''): void {
    this.#answer()
    if (!this.#isCompressible(body)) {
      this.#write(status, body)
      return
    }
    this.addVary('Accept-Encoding')
    const encoding = chooseEncoding(this.headers['accept-encoding'])
    if (encoding === null) {
      this.#write(status, body)
      return
    }
    compress(encoding, body)
      .then((small) => this.#writeEncoded(status, small, encoding))
      .catch((error: Error) => this.response.destroy(error))
  }

  /**
   * For a client that already has this body: sends the headers that the body would have had, except those
   * that describe content. Caches must still learn on what the answer depends.
   */
  sendNotModified(body: Uint8Array): void {
    if (this.#isCompressible(body)) this.addVary('Accept-Encoding')
    delete this.#headers['content-type']
    this.send(304)
  }

  /** Returns the response, with the headers so far, to a route that writes it itself. */
  takeOver(): ServerResponse {
    this.#answer()
    for (const [name, value] of Object.entries(this.#headers)) this.response.setHeader(name, value)
    return this.response
  }

  #answer(): void {
    if (this.#isAnswered) throw new Error('a request was answered twice')
    this.#isAnswered = true
  }

  #isCompressible(body: string | Uint8Array): boolean {
    return (
      this.#headers['content-encoding'] === undefined && isCompressible(this.#headers['content-type'], body)
    )
  }

  #writeEncoded(status: number, body: Uint8Array, encoding: Encoding): void {
    this.#headers['content-encoding'] = encoding
    const tag = this.#headers['etag']
    // The tag of a v2 resource is its version, whatever the encoding.
    if (tag !== undefined && !isV2(this.path)) this.#headers['etag'] = encodedTag(tag, encoding)
    this.#write(status, body)
  }

  #write(status: number, body: string | Uint8Array): void {
    if (status !== 204 && status !== 304) this.#headers['content-length'] = String(Buffer.byteLength(body))
    this.#unread.watch(this.response, body.length)
    this.response.writeHead(status, this.#headers)
    this.response.end(body)
  }
}

function requestId(incoming: string | string[] | undefined): string {
  return typeof incoming === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(incoming) ? incoming : randomUUID()
}
