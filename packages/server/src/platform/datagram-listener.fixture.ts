// platform/datagram-listener.fixture.ts: a local datagram socket that collects what is sent to it, like that
// of systemd. Linux only.
import { dlopen } from 'node:ffi'
import { socketAddress } from './notify-socket.ts'

const AF_UNIX = 1
const SOCK_DGRAM = 2
const MSG_DONTWAIT = 0x40

export class DatagramListener implements Disposable {
  readonly #library = dlopen(null, {
    socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    bind: { arguments: ['int32', 'buffer', 'uint32'], return: 'int32' },
    recv: { arguments: ['int32', 'buffer', 'uint64', 'int32'], return: 'int64' },
    close: { arguments: ['int32'], return: 'int32' },
  })
  readonly #descriptor: number
  readonly #into = Buffer.alloc(4_096)
  readonly #received: string[] = []

  /** A path that begins with @ is in the abstract namespace. */
  constructor(path: string) {
    const { socket, bind } = this.#library.functions
    this.#descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
    const address = socketAddress(path)!
    if (bind(this.#descriptor, address, address.length) !== 0) throw new Error(`${path} cannot be bound`)
  }

  /** Everything received so far. */
  received(): readonly string[] {
    const { recv } = this.#library.functions
    for (;;) {
      const length = Number(recv(this.#descriptor, this.#into, BigInt(this.#into.length), MSG_DONTWAIT))
      if (length < 0) return this.#received
      this.#received.push(this.#into.toString('utf8', 0, length))
    }
  }

  [Symbol.dispose](): void {
    this.#library.functions.close(this.#descriptor)
  }
}
