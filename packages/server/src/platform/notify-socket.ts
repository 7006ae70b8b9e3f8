// platform/notify-socket.ts: sends datagrams to a local socket, which Node.js cannot do. Linux only; never blocks.
// node:ffi is experimental, so it is loaded only if NOTIFY_SOCKET names a listener, and its absence is handled.
const AF_UNIX = 1
const SOCK_DGRAM_NONBLOCK_CLOEXEC = 0o2004002
const MSG_DONTWAIT_NOSIGNAL = 0x4040
const pathOffset = 2
const longestPath = 107

/** False if it could not be sent now. */
export type SendDatagram = (text: string) => boolean

/** Null if this system or this Node.js does not support it. */
export async function openNotifySocket(path: string): Promise<SendDatagram | null> {
  const address = socketAddress(path)
  if (process.platform !== 'linux' || address === null) return null
  try {
    const ffi = await import('node:ffi')
    // Referenced by the function below: the bindings must not outlive their library.
    const library = ffi.dlopen(null, {
      socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
      sendto: { arguments: ['int32', 'buffer', 'uint64', 'int32', 'buffer', 'uint32'], return: 'int64' },
    })
    const { socket, sendto } = library.functions
    const descriptor = socket(AF_UNIX, SOCK_DGRAM_NONBLOCK_CLOEXEC, 0)
    if (descriptor < 0) return null
    return (text) => {
      const datagram = Buffer.from(text)
      const length = BigInt(datagram.length)
      return sendto(descriptor, datagram, length, MSG_DONTWAIT_NOSIGNAL, address, address.length) === length
    }
  } catch {
    return null
  }
}

/** A struct sockaddr_un. A path that begins with @ is in the abstract namespace, where a NUL replaces the @. */
export function socketAddress(path: string): Buffer | null {
  if (!/^[/@]./.test(path)) return null
  const name = Buffer.from(path.replace(/^@/, '\0'))
  if (name.length > longestPath) return null
  const structure = Buffer.alloc(pathOffset + name.length)
  new Uint16Array(structure.buffer, structure.byteOffset, 1)[0] = AF_UNIX
  name.copy(structure, pathOffset)
  return structure
}
