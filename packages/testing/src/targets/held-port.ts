// targets/held-port.ts: reserves a TCP port without a listener: it is the local end of a connection, so the
// system gives it to no other process, and connecting to it is refused.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export class HeldPort implements AsyncDisposable {
  readonly #peer: Server
  readonly #near: Socket

  private constructor(peer: Server, near: Socket) {
    this.#peer = peer
    this.#near = near
  }

  /** `letGo` releases the port; it is taken again before anything else can run in this process. */
  static async take(host: string, port: number, letGo: () => void): Promise<HeldPort> {
    const peer = createServer((far) => far.on('error', () => {}).resume())
    peer.listen(0, host)
    await once(peer, 'listening')
    letGo()
    const near = connect({
      host,
      port: (peer.address() as AddressInfo).port,
      localAddress: host,
      localPort: port,
    })
    await once(near, 'connect')
    return new HeldPort(peer, near)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // With a reset: otherwise the port would stay in TIME_WAIT.
    this.#near.resetAndDestroy()
    this.#peer.close()
    await once(this.#peer, 'close')
  }
}
