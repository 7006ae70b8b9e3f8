// bench/bare-epoll.ts: the least that a check over a connection costs without Node's sockets: calls of the C library
// through node:ffi and one epoll descriptor, without an event loop. Linux only. Nothing here validates its arguments: a
// wrong pointer would crash, so the loop holds every buffer for as long as the kernel may write into it.
import { dlopen, getRawPointer } from 'node:ffi'

const AF_INET = 2
const SOCK_STREAM_NONBLOCK_CLOEXEC = 0o2004001
const SOL_SOCKET = 1
const SO_ERROR = 4
const MSG_NOSIGNAL = 0x4000
const EPOLL_CTL_ADD = 1
const EPOLLIN = 1
const EPOLLOUT = 4
const EPOLLET = 0x8000_0000
const eventBytes = 12
const eventsAtOnce = 256
const mostDescriptors = 4096
const patienceMs = 5_000

const { functions: libc } = dlopen(null, {
  socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
  connect: { arguments: ['int32', 'pointer', 'uint32'], return: 'int32' },
  getsockopt: { arguments: ['int32', 'int32', 'int32', 'pointer', 'pointer'], return: 'int32' },
  send: { arguments: ['int32', 'pointer', 'uint64', 'int32'], return: 'int64' },
  recv: { arguments: ['int32', 'pointer', 'uint64', 'int32'], return: 'int64' },
  close: { arguments: ['int32'], return: 'int32' },
  epoll_create1: { arguments: ['int32'], return: 'int32' },
  epoll_ctl: { arguments: ['int32', 'int32', 'int32', 'pointer'], return: 'int32' },
  epoll_wait: { arguments: ['int32', 'pointer', 'int32', 'int32'], return: 'int32' },
})

/** Memory that does not move: small typed arrays may be in the heap and be moved. */
class Fixed {
  readonly bytes: Buffer
  readonly view: DataView
  readonly pointer: bigint
  constructor(size: number) {
    const memory = new ArrayBuffer(size)
    this.bytes = Buffer.from(memory)
    this.view = new DataView(memory)
    this.pointer = getRawPointer(this.bytes)
  }
}

/** Connects to the ports of this machine in turn, and sends one question over each unless it is empty. */
export class BareEpoll implements Disposable {
  readonly #descriptor = libc.epoll_create1(0)
  readonly #event = new Fixed(eventBytes)
  readonly #events = new Fixed(eventBytes * eventsAtOnce)
  readonly #received = new Fixed(64 * 1024)
  readonly #failure = new Fixed(8)
  readonly #question: Fixed
  readonly #questionBytes: bigint
  readonly #addresses: readonly Fixed[]
  readonly #hasAsked = new Uint8Array(mostDescriptors)
  constructor(ports: readonly number[], question: Buffer) {
    this.#question = new Fixed(Math.max(1, question.length))
    question.copy(this.#question.bytes)
    this.#questionBytes = BigInt(question.length)
    this.#addresses = ports.map(addressOf)
  }

  /** Runs this many checks with this many in flight; throws if one of them fails. */
  run(count: number, inFlight: number): void {
    let started = 0
    let ended = 0
    while (started < inFlight && started < count) this.#start(started++)
    while (ended < count) {
      const ready = libc.epoll_wait(this.#descriptor, this.#events.pointer, eventsAtOnce, patienceMs)
      if (ready <= 0) throw new Error('no answer within five seconds')
      for (let index = 0; index < ready; index++) {
        const happened = this.#events.view.getUint32(index * eventBytes, true)
        if (!this.#goOn(this.#events.view.getInt32(index * eventBytes + 4, true), happened)) continue
        ended++
        if (started < count) this.#start(started++)
      }
    }
  }

  [Symbol.dispose](): void {
    libc.close(this.#descriptor)
  }

  #start(number: number): void {
    const socket = libc.socket(AF_INET, SOCK_STREAM_NONBLOCK_CLOEXEC, 0)
    if (socket < 0 || socket >= mostDescriptors) throw new Error('no socket could be opened')
    libc.connect(socket, this.#addresses[number % this.#addresses.length]!.pointer, 16)
    this.#event.view.setUint32(0, (EPOLLIN | EPOLLOUT | EPOLLET) >>> 0, true)
    this.#event.view.setInt32(4, socket, true)
    libc.epoll_ctl(this.#descriptor, EPOLL_CTL_ADD, socket, this.#event.pointer)
    this.#hasAsked[socket] = 0
  }

  /** Whether the check has ended. */
  #goOn(socket: number, happened: number): boolean {
    if (this.#hasAsked[socket] === 0) {
      if ((happened & EPOLLOUT) === 0) return false
      this.#failure.view.setInt32(4, 4, true)
      libc.getsockopt(socket, SOL_SOCKET, SO_ERROR, this.#failure.pointer, this.#failure.pointer + 4n)
      if (this.#failure.view.getInt32(0, true) !== 0) throw new Error('a connection failed')
      if (this.#questionBytes > 0n) {
        this.#hasAsked[socket] = 1
        libc.send(socket, this.#question.pointer, this.#questionBytes, MSG_NOSIGNAL)
        return false
      }
    } else {
      if ((happened & EPOLLIN) === 0) return false
      if (libc.recv(socket, this.#received.pointer, 65_536n, 0) <= 0n)
        throw new Error('a connection ended before its answer')
    }
    libc.close(socket)
    return true
  }
}

function addressOf(port: number): Fixed {
  const address = new Fixed(16)
  address.view.setUint16(0, AF_INET, true)
  address.view.setUint16(2, port)
  address.bytes.set([127, 0, 0, 1], 4)
  return address
}
