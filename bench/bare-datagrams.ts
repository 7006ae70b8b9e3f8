// bench/bare-datagrams.ts: the least that Node.js can do for a check by datagrams: a socket and its events,
// with no deadline, policy, resolver, parsing or outcome. Everything beyond this is the cost of the driver.
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type LibcSockets, socketAddress } from '../packages/server/src/platform/network/libc-sockets.ts'
import type { BareProbe, Probe } from './bare-probes.ts'

const host = '127.0.0.1'

/** One datagram and the first answer to it, over a separate socket. */
export function bareDatagram(port: number, payload: Buffer): Probe {
  return () =>
    new Promise((resolve, reject) => {
      const socket = createSocket('udp4')
      socket.on('error', reject)
      socket.on('message', () => {
        socket.close()
        resolve()
      })
      socket.connect(port, host, () => socket.send(payload))
    })
}

/** Questions over one datagram socket, distinguished by their id. */
export class BareDns implements BareProbe {
  readonly #port: number
  readonly #socket: Socket
  readonly #query: Buffer
  readonly #waiting = new Map<number, () => void>()
  #id = 0

  private constructor(socket: Socket, port: number, name: string) {
    this.#socket = socket
    this.#port = port
    const labels = name.split('.').map((label) => `${String.fromCharCode(label.length)}${label}`)
    // Recursion desired, one question, type A, class IN.
    const head = '\0\0\x01\0\0\x01\0\0\0\0\0\0'
    this.#query = Buffer.from(`${head}${labels.join('')}\0\0\x01\0\x01`, 'latin1')
    socket.on('message', (answer) => this.#take(answer.readUInt16BE(0)))
  }

  static async open(port: number, name: string): Promise<BareDns> {
    const socket = createSocket('udp4').bind(0, host)
    await once(socket, 'listening')
    return new BareDns(socket, port, name)
  }

  readonly probe: Probe = () =>
    new Promise((resolve) => {
      this.#id = (this.#id + 1) & 0xffff
      this.#waiting.set(this.#id, resolve)
      const query = Buffer.from(this.#query)
      query.writeUInt16BE(this.#id, 0)
      this.#socket.send(query, this.#port, host)
    });

  [Symbol.dispose](): void {
    this.#socket.close()
  }

  #take(id: number): void {
    this.#waiting.get(id)?.()
    this.#waiting.delete(id)
  }
}

/** Sends one echo request and polls until the reply is there. Null if this machine does not permit the socket. */
export function barePing(libc: LibcSockets): BareProbe | null {
  const echo = libc.openEcho(4)
  if (echo === null) return null
  const address = socketAddress(host)
  // An echo request without payload: type 8, and the only valid checksum.
  const packet = Buffer.from([8, 0, 0xf7, 0xff, 0, 0, 0, 0])
  const received = Buffer.alloc(2_048)
  return {
    probe: () =>
      new Promise((resolve) => {
        const look = () => {
          if (libc.receive(echo.descriptor, received) >= 0) resolve()
          else setImmediate(look)
        }
        libc.send(echo.descriptor, packet, address)
        look()
      }),
    [Symbol.dispose]: () => libc.close(echo.descriptor),
  }
}
