// targets/tcp-target.ts: a TCP server on loopback that a test can make misbehave at run time. It counts connections, so
// that a test can prove that none was leaked. Owned: `await using target = await TcpTarget.start()`.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { HeldPort } from './held-port.ts'

export type TcpBehaviour =
  | { readonly kind: 'silent' }
  | { readonly kind: 'reset' }
  | { readonly kind: 'half-close' }
  | { readonly kind: 'banner'; readonly text: string }
  | { readonly kind: 'reply'; readonly text: string }
  | { readonly kind: 'echo' }
  | { readonly kind: 'garbage' }
  | { readonly kind: 'drip'; readonly text: string; readonly everyMs: number }
  | { readonly kind: 'endless' }

const GARBAGE = Buffer.from(Array.from({ length: 4_096 }, (_, index) => (index * 167 + 13) & 0xff))
const ENDLESS_CHUNK = Buffer.alloc(64 * 1024, 0x78)

export class TcpTarget implements AsyncDisposable {
  readonly host: string
  #port = 0
  #server: Server
  #behaviour: TcpBehaviour = { kind: 'silent' }
  #opened = 0
  readonly #open = new Set<Socket>()
  readonly #received: Buffer[] = []
  /** Set while it refuses connections. */
  #held: HeldPort | null = null
  #closeWaiters: (() => void)[] = []

  private constructor(host: string) {
    this.host = host
    this.#server = this.#createServer()
  }

  static async start(
    options: { host?: string; port?: number; behaviour?: TcpBehaviour } = {},
  ): Promise<TcpTarget> {
    const target = new TcpTarget(options.host ?? '127.0.0.1')
    if (options.behaviour !== undefined) target.behaves(options.behaviour)
    await target.#listen(options.port ?? 0)
    return target
  }

  get port(): number {
    return this.#port
  }

  get connectionsOpened(): number {
    return this.#opened
  }

  get connectionsOpen(): number {
    return this.#open.size
  }

  /** Everything that was received so far. */
  get received(): string {
    return Buffer.concat(this.#received).toString('utf8')
  }

  /** Applies to connections that are opened from now on. */
  behaves(behaviour: TcpBehaviour): void {
    this.#behaviour = behaviour
  }

  /** Closes the listener: connecting is refused until accepts() is called, and no other process gets the port. */
  async refuses(): Promise<void> {
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#held = await HeldPort.take(this.host, this.#port, () => this.#close())
    await closed
  }

  async accepts(): Promise<void> {
    if (this.#server.listening) return
    await this.#release()
    this.#server = this.#createServer()
    await this.#listen(this.#port)
  }

  /** Resets every connection that is open. */
  dropAll(): void {
    for (const socket of this.#open) socket.resetAndDestroy()
  }

  /** Resolves when no connection is open. */
  async allClosed(): Promise<void> {
    if (this.#open.size === 0) return
    await new Promise<void>((resolve) => this.#closeWaiters.push(resolve))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#release()
    if (!this.#server.listening) return
    this.#close()
    await once(this.#server, 'close')
  }

  #close(): void {
    this.dropAll()
    this.#server.close()
  }

  async #release(): Promise<void> {
    const held = this.#held
    this.#held = null
    await held?.[Symbol.asyncDispose]()
  }

  #createServer(): Server {
    return createServer({ allowHalfOpen: true }, (socket) => this.#serve(socket))
  }

  async #listen(port: number): Promise<void> {
    this.#server.listen(port, this.host)
    await once(this.#server, 'listening')
    this.#port = (this.#server.address() as AddressInfo).port
  }

  #serve(socket: Socket): void {
    this.#opened++
    this.#open.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => this.#received.push(chunk))
    socket.on('end', () => socket.end())
    socket.on('close', () => {
      this.#open.delete(socket)
      if (this.#open.size > 0) return
      const waiters = this.#closeWaiters
      this.#closeWaiters = []
      for (const resolve of waiters) resolve()
    })
    this.#misbehave(socket, this.#behaviour)
  }

  #misbehave(socket: Socket, behaviour: TcpBehaviour): void {
    switch (behaviour.kind) {
      case 'silent':
        return
      case 'reset':
        socket.resetAndDestroy()
        return
      case 'half-close':
        socket.end()
        return
      case 'banner':
        socket.write(behaviour.text)
        return
      case 'reply':
        socket.once('data', () => socket.write(behaviour.text))
        return
      case 'echo':
        socket.on('data', (chunk: Buffer) => socket.write(chunk))
        return
      case 'garbage':
        socket.write(GARBAGE)
        return
      case 'drip':
        drip(socket, behaviour.text, behaviour.everyMs)
        return
      case 'endless':
        pour(socket)
    }
  }
}

function drip(socket: Socket, text: string, everyMs: number): void {
  let sent = 0
  const timer = setInterval(() => {
    if (sent < text.length) socket.write(text[sent++]!)
    else clearInterval(timer)
  }, everyMs)
  socket.once('close', () => clearInterval(timer))
}

function pour(socket: Socket): void {
  const go = (): void => {
    while (!socket.destroyed && socket.write(ENDLESS_CHUNK)) {}
  }
  socket.on('drain', go)
  go()
}
