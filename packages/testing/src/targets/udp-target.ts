// targets/udp-target.ts: a datagram socket on loopback that answers as a test tells it.
// Owned: `await using target = await UdpTarget.start({ kind: 'reply', bytes })`.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'

export type UdpBehaviour =
  | { readonly kind: 'silent' }
  /** Nothing listens, and the system says so to the sender. */
  | { readonly kind: 'refusing' }
  | { readonly kind: 'echo' }
  | { readonly kind: 'reply'; readonly bytes: (request: Buffer) => Buffer }
  /** Answers repeatedly until the socket of the sender is closed. */
  | { readonly kind: 'endless'; readonly bytes: Buffer }

const ENDLESS_ANSWERS = 10_000
/** Port 1 (tcpmux): unused for decades. */
const UNUSED_PORT = 1

export class UdpTarget implements AsyncDisposable {
  readonly host: string
  readonly received: Buffer[] = []
  readonly #socket: Socket
  readonly #behaviour: UdpBehaviour

  private constructor(host: string, behaviour: UdpBehaviour) {
    this.host = host
    this.#behaviour = behaviour
    this.#socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    // If the sender has gone, the system reports that our answers are refused.
    this.#socket.on('error', () => {})
    this.#socket.on('message', (request, from) => {
      this.received.push(request)
      this.#answer(request, from)
    })
  }

  static async start(behaviour: UdpBehaviour, host = '127.0.0.1'): Promise<UdpTarget> {
    const target = new UdpTarget(host, behaviour)
    target.#socket.bind(0, host)
    await once(target.#socket, 'listening')
    if (behaviour.kind === 'refusing') {
      // Connected to a peer that never sends, it receives from no other; no other socket gets its port.
      target.#socket.connect(UNUSED_PORT, host)
      await once(target.#socket, 'connect')
    }
    return target
  }

  /** Always 0: datagrams have no connections. Other targets have this field. */
  readonly openSockets = 0

  get port(): number {
    return this.#socket.address().port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#socket.close()
    await once(this.#socket, 'close')
  }

  #answer(request: Buffer, { port, address }: RemoteInfo): void {
    const behaviour = this.#behaviour
    const send = (bytes: Buffer): void => this.#socket.send(bytes, port, address)
    switch (behaviour.kind) {
      case 'silent':
      case 'refusing':
        return
      case 'echo':
        return send(request)
      case 'reply':
        return send(behaviour.bytes(request))
      case 'endless':
        for (let count = 0; count < ENDLESS_ANSWERS; count++) send(behaviour.bytes)
    }
  }
}
