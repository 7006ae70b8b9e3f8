// platform/network/libc-sockets.ts: the few socket calls of the C library that echo requests need and Node
// does not offer. Linux only (the constants and structures are Linux's); never blocks. node:ffi is
// experimental, so it is loaded only at the first ping, and its absence is handled.
import { parseIpv4, parseIpv6 } from './ip-address.ts'

const AF_INET = 2
const AF_INET6 = 10
const SOCK_DGRAM = 2
const SOCK_RAW = 3
const SOCK_NONBLOCK_CLOEXEC = 0o2004000
const IPPROTO_ICMP = 1
const IPPROTO_ICMPV6 = 58
const SOL_RAW = 255
const FILTER = 1
const MSG_DONTWAIT = 0x40
const MSG_NOSIGNAL = 0x4000

export interface EchoDescriptor {
  readonly descriptor: number
  /** A raw socket receives every echo reply of the machine and, for IPv4, with the IP header. */
  readonly raw: boolean
}

export interface LibcSockets {
  /** An unprivileged ping socket, or else a raw one; null if the system permits neither. */
  openEcho(version: 4 | 6): EchoDescriptor | null
  /** False if the system refuses to send, for instance because there is no route. */
  send(descriptor: number, packet: Buffer, address: Buffer): boolean
  /** The number of bytes received, or -1 if nothing is waiting. */
  receive(descriptor: number, into: Buffer): number
  close(descriptor: number): void
}

export async function loadLibcSockets(): Promise<LibcSockets | null> {
  if (process.platform !== 'linux') return null
  try {
    const ffi = await import('node:ffi')
    return bindCalls(ffi)
  } catch {
    return null
  }
}

function bindCalls(ffi: typeof import('node:ffi')): LibcSockets {
  // Referenced by the functions below: the bindings must not outlive their library.
  const library = ffi.dlopen(null, {
    socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    setsockopt: { arguments: ['int32', 'int32', 'int32', 'buffer', 'uint32'], return: 'int32' },
    sendto: { arguments: ['int32', 'buffer', 'uint64', 'int32', 'buffer', 'uint32'], return: 'int64' },
    recv: { arguments: ['int32', 'buffer', 'uint64', 'int32'], return: 'int64' },
    close: { arguments: ['int32'], return: 'int32' },
  })
  const open = (version: 4 | 6, type: number): number =>
    library.functions.socket(
      version === 4 ? AF_INET : AF_INET6,
      type | SOCK_NONBLOCK_CLOEXEC,
      version === 4 ? IPPROTO_ICMP : IPPROTO_ICMPV6,
    )
  return {
    openEcho(version) {
      const datagram = open(version, SOCK_DGRAM)
      if (datagram >= 0) return { descriptor: datagram, raw: false }
      const raw = open(version, SOCK_RAW)
      if (raw < 0) return null
      const filter = repliesOnly(version)
      library.functions.setsockopt(
        raw,
        version === 4 ? SOL_RAW : IPPROTO_ICMPV6,
        FILTER,
        filter,
        filter.length,
      )
      return { descriptor: raw, raw: true }
    },
    send: (descriptor, packet, address) =>
      library.functions.sendto(
        descriptor,
        packet,
        BigInt(packet.length),
        MSG_DONTWAIT | MSG_NOSIGNAL,
        address,
        address.length,
      ) >= 0n,
    receive: (descriptor, into) =>
      Number(library.functions.recv(descriptor, into, BigInt(into.length), MSG_DONTWAIT)),
    close: (descriptor) => void library.functions.close(descriptor),
  }
}

/** A set bit blocks its ICMP type; echo reply is type 0 in ICMP and 129 in ICMPv6. */
function repliesOnly(version: 4 | 6): Buffer {
  const filter = Buffer.alloc(version === 4 ? 4 : 32, 0xff)
  const type = version === 4 ? 0 : 129
  const word = new Uint32Array(filter.buffer, filter.byteOffset, filter.length / 4)
  word[type >>> 5]! &= ~(1 << (type & 31))
  return filter
}

/** A struct sockaddr for a literal address; ICMP has no ports. */
export function socketAddress(address: string): Buffer {
  const ipv4 = parseIpv4(address)
  const structure = Buffer.alloc(ipv4 >= 0 ? 16 : 28)
  const family = new Uint16Array(structure.buffer, structure.byteOffset, 1)
  family[0] = ipv4 >= 0 ? AF_INET : AF_INET6
  if (ipv4 >= 0) structure.writeUInt32BE(ipv4, 4)
  else parseIpv6(address)!.forEach((group, index) => void structure.writeUInt16BE(group, 8 + index * 2))
  return structure
}
