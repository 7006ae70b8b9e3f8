// platform/network/echo-socket.ts: echo requests (ping) over one socket per IP version. Node cannot open an ICMP socket,
// nor watch one that was opened elsewhere, so answers are polled every millisecond while some are due: a round trip is
// measured to about a millisecond, and an idle socket costs nothing. A reply is recognized by a random token in its
// payload, because the kernel replaces the identifier on unprivileged sockets.
import { randomBytes } from 'node:crypto'
import { ipVersion } from './ip-address.ts'
import { type EchoDescriptor, type LibcSockets, socketAddress } from './libc-sockets.ts'
import { type Abandon, ConnectError } from './network.ts'

const HEADER_BYTES = 8
const TOKEN_BYTES = 8
const PACKET_BYTES = HEADER_BYTES + TOKEN_BYTES + 4
const COLLECT_EVERY_MS = 1
/** Replies read per poll; the rest waits in the kernel's bounded buffer. */
const MAX_READS = 1_024

interface Waiting {
  readonly sentAtMs: number
  readonly giveUpAtMs: number
  end(roundTripMs: number | null): void
}

export class EchoSocket implements Disposable {
  readonly #libc: LibcSockets
  readonly #echo: EchoDescriptor
  readonly #version: 4 | 6
  readonly #token = randomBytes(TOKEN_BYTES)
  readonly #received = Buffer.allocUnsafe(2_048)
  readonly #waiting = new Map<number, Waiting>()
  #sequence = 0
  #collector: NodeJS.Timeout | null = null

  constructor(libc: LibcSockets, echo: EchoDescriptor, version: 4 | 6) {
    this.#libc = libc
    this.#echo = echo
    this.#version = version
  }

  ping(address: string, timeoutMs: number, abandon?: Abandon): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.#sequence = (this.#sequence + 1) >>> 0
      const sequence = this.#sequence
      const packet = this.#request(sequence)
      const sentAtMs = performance.now()
      if (!this.#libc.send(this.#echo.descriptor, packet, socketAddress(address))) {
        return reject(new ConnectError('SEND', `no echo request can be sent to ${address}`, 'local'))
      }
      const end = (roundTripMs: number | null): void => {
        this.#waiting.delete(sequence)
        if (abandon !== undefined) abandon.onStop = undefined
        if (this.#waiting.size === 0) this.#rest()
        resolve(roundTripMs)
      }
      this.#waiting.set(sequence, { sentAtMs, giveUpAtMs: sentAtMs + timeoutMs, end })
      const stop = (): void => end(null)
      if (abandon !== undefined) abandon.onStop = stop
      this.#collector ??= setInterval(() => this.#collect(), COLLECT_EVERY_MS)
    })
  }

  [Symbol.dispose](): void {
    for (const waiting of this.#waiting.values()) waiting.end(null)
    this.#rest()
    this.#libc.close(this.#echo.descriptor)
  }

  #rest(): void {
    if (this.#collector !== null) clearInterval(this.#collector)
    this.#collector = null
  }

  #request(sequence: number): Buffer {
    const packet = Buffer.alloc(PACKET_BYTES)
    packet[0] = this.#version === 4 ? 8 : 128
    packet.writeUInt16BE(process.pid & 0xffff, 4)
    packet.writeUInt16BE(sequence & 0xffff, 6)
    this.#token.copy(packet, HEADER_BYTES)
    packet.writeUInt32BE(sequence, HEADER_BYTES + TOKEN_BYTES)
    // The kernel computes the checksum of ICMPv6, which covers addresses that only the kernel knows.
    if (this.#version === 4) packet.writeUInt16BE(internetChecksum(packet), 2)
    return packet
  }

  #collect(): void {
    const now = performance.now()
    for (let reads = 0; reads < MAX_READS; reads++) {
      const length = this.#libc.receive(this.#echo.descriptor, this.#received)
      if (length < 0) break
      this.#onPacket(this.#received.subarray(0, length), now)
    }
    for (const waiting of this.#waiting.values()) if (now >= waiting.giveUpAtMs) waiting.end(null)
  }

  #onPacket(packet: Buffer, now: number): void {
    const ipHeaderBytes = this.#echo.raw && this.#version === 4 ? (packet[0]! & 0x0f) * 4 : 0
    if (packet.length < ipHeaderBytes + PACKET_BYTES) return
    const reply = packet.subarray(ipHeaderBytes)
    if (reply[0] !== (this.#version === 4 ? 0 : 129)) return
    if (this.#token.compare(reply, HEADER_BYTES, HEADER_BYTES + TOKEN_BYTES) !== 0) return
    const waiting = this.#waiting.get(reply.readUInt32BE(HEADER_BYTES + TOKEN_BYTES))
    waiting?.end(now - waiting.sentAtMs)
  }
}

/** Opens the socket for the version of an address; null if this machine permits none. */
export function openEchoSocket(libc: LibcSockets, address: string): EchoSocket | null {
  const version = ipVersion(address) === 6 ? 6 : 4
  const echo = libc.openEcho(version)
  return echo === null ? null : new EchoSocket(libc, echo, version)
}

function internetChecksum(packet: Buffer): number {
  let sum = 0
  for (let i = 0; i < packet.length; i += 2) sum += packet.readUInt16BE(i)
  while (sum > 0xffff) sum = (sum >>> 16) + (sum & 0xffff)
  return ~sum & 0xffff
}
