// bench/v2-client.ts: requests to v2 over a few keep-alive connections, written and parsed by hand: the client shares its
// cores with the measured service, and a full HTTP client would need a third of the CPU time of a write.
import { connect, type Socket } from 'node:net'

export interface V2Answer {
  readonly status: number
  readonly etag: string
  readonly text: string
}

interface Body {
  readonly type: 'application/json' | 'application/merge-patch+json'
  readonly value: object
}

export class V2Client implements Disposable {
  readonly #url: URL
  readonly #token: string
  readonly #all: Connection[] = []
  readonly #idle: Connection[] = []
  readonly #waiting: ((connection: Connection) => void)[] = []
  readonly #most: number

  constructor(url: string, token: string, connections: number) {
    this.#url = new URL(url)
    this.#token = token
    this.#most = connections
  }

  get(path: string): Promise<V2Answer> {
    return this.#send('GET', path, '', null)
  }

  create(path: string, value: object): Promise<V2Answer> {
    return this.#send('POST', path, 'if-none-match: *\r\n', { type: 'application/json', value })
  }

  patch(path: string, etag: string, value: object): Promise<V2Answer> {
    return this.#send('PATCH', path, `if-match: ${etag}\r\n`, { type: 'application/merge-patch+json', value })
  }

  delete(path: string, etag: string): Promise<V2Answer> {
    return this.#send('DELETE', path, `if-match: ${etag}\r\n`, null)
  }

  [Symbol.dispose](): void {
    for (const connection of this.#all) connection.end()
  }

  async #send(method: string, path: string, precondition: string, body: Body | null): Promise<V2Answer> {
    const text = body === null ? '' : JSON.stringify(body.value)
    const ofBody =
      body === null ? '' : `content-type: ${body.type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`
    const head = `${method} /api/v2${path} HTTP/1.1\r\nhost: ${this.#url.host}\r\nauthorization: Bearer ${this.#token}\r\n`
    const connection = await this.#take()
    try {
      return await connection.ask(`${head}${precondition}${ofBody}\r\n${text}`)
    } finally {
      this.#giveBack(connection)
    }
  }

  #take(): Connection | Promise<Connection> {
    const idle = this.#idle.pop()
    if (idle !== undefined) return idle
    if (this.#all.length === this.#most) return new Promise((resolve) => this.#waiting.push(resolve))
    const connection = new Connection(this.#url)
    this.#all.push(connection)
    return connection
  }

  #giveBack(connection: Connection): void {
    const next = this.#waiting.shift()
    if (next === undefined) this.#idle.push(connection)
    else next(connection)
  }
}

/** One request at a time. */
class Connection {
  readonly #socket: Socket
  #parts: Buffer[] = []
  #awaited: PromiseWithResolvers<V2Answer> | null = null
  /** The size of the answer with its head; null until it is known. */
  #whole: number | null = null
  #bytes = 0

  constructor({ hostname, port }: URL) {
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true })
    this.#socket.on('data', (part: Buffer) => this.#take(part))
    this.#socket.on('error', (error) => this.#awaited?.reject(error))
    this.#socket.on('close', () => this.#awaited?.reject(new Error('The service closed the connection.')))
  }

  ask(request: string): Promise<V2Answer> {
    this.#awaited = Promise.withResolvers()
    this.#socket.write(request)
    return this.#awaited.promise
  }

  end(): void {
    this.#socket.destroy()
  }

  #take(part: Buffer): void {
    this.#parts.push(part)
    this.#bytes += part.length
    this.#whole ??= wholeLength(this.#parts)
    if (this.#whole === null || this.#bytes < this.#whole) return
    const answer = Buffer.concat(this.#parts)
    this.#parts = []
    this.#bytes = 0
    this.#whole = null
    this.#awaited?.resolve(answerIn(answer))
  }
}

const endOfHead = '\r\n\r\n'

function wholeLength(parts: readonly Buffer[]): number | null {
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts)
  const end = bytes.indexOf(endOfHead)
  if (end === -1) return null
  const head = bytes.toString('latin1', 0, end)
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  if (length === undefined) throw new Error(`An answer does not say how long it is: ${head}`)
  return end + endOfHead.length + Number(length)
}

function answerIn(bytes: Buffer): V2Answer {
  const end = bytes.indexOf(endOfHead)
  const head = bytes.toString('latin1', 0, end)
  return {
    status: Number(head.slice(9, 12)),
    etag: /^etag: (.*)$/im.exec(head)?.[1] ?? '',
    text: bytes.toString('utf8', end + endOfHead.length),
  }
}
