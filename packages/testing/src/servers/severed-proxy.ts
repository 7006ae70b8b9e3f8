// servers/severed-proxy.ts: a TCP proxy before a server, which loses what a test wants lost: answers, requests, or the
// connections.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** What the client sends, and what the server sends. */
const ways = ['requests', 'answers'] as const
type Way = (typeof ways)[number]

export class SeveredProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #pairs = new Set<readonly [client: Socket, server: Socket]>()
  #losesAnswers = false
  readonly #silent = new Set<Way>()
  target: number

  private constructor(target: number) {
    this.target = target
    this.#server = createServer((client) => this.#join(client))
  }

  static async before(port: number): Promise<SeveredProxy> {
    const proxy = new SeveredProxy(port)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get connections(): number {
    return this.#pairs.size
  }

  /** The next answer of the server is not passed on, and its connection is closed. */
  loseNextAnswer(): void {
    this.#losesAnswers = true
  }

  /** Nothing is passed on in either direction until it speaks again; nothing is closed. */
  set silent(isSilent: boolean) {
    for (const way of ways) this.silence(way, isSilent)
  }

  /** The same for one direction. */
  silence(way: Way, isSilent = true): void {
    if (isSilent) this.#silent.add(way)
    else this.#silent.delete(way)
    for (const pair of this.#pairs) this.#apply(pair)
  }

  cutAll(): void {
    for (const sockets of this.#pairs) for (const socket of sockets) socket.destroy()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cutAll()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #apply(pair: readonly [client: Socket, server: Socket]): void {
    for (const [index, way] of ways.entries())
      if (this.#silent.has(way)) pair[index]!.pause()
      else pair[index]!.resume()
  }

  #join(client: Socket): void {
    const server = connect({ host: '127.0.0.1', port: this.target })
    const pair = [client, server] as const
    this.#pairs.add(pair)
    client.on('data', (bytes) => server.write(bytes))
    server.on('data', (bytes) => {
      if (this.#losesAnswers) {
        this.#losesAnswers = false
        client.destroy()
      } else client.write(bytes)
    })
    this.#apply(pair)
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => {
        this.#pairs.delete(pair)
        for (const other of pair) other.destroy()
      })
    }
  }
}
