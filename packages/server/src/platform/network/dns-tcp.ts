// platform/network/dns-tcp.ts: one DNS query over TCP, for answers that do not fit a datagram. Reads at most
// one message of 64 KiB whatever the server sends; the caller enforces the timeout and closes.
import { connect } from 'node:net'
import { describeBrokenConnection } from './connect-errors.ts'
import type { DnsServer } from './dns-server.ts'
import { formatEndpoint } from './ip-address.ts'
import { ConnectError } from './network.ts'

/** Calls back at most once, with the message or the reason why there is none; the returned function closes silently. */
export function exchangeOverTcp(
  server: DnsServer,
  packet: Buffer,
  done: (answer: Buffer | ConnectError) => void,
): () => void {
  const socket = connect({ host: server.address, port: server.port, autoSelectFamily: false })
  let chunks: Buffer[] = []
  let received = 0
  let messageEnd = 0
  let ended = false
  const end = (answer: Buffer | ConnectError | null): void => {
    if (ended) return
    ended = true
    chunks = []
    socket.destroy()
    if (answer !== null) done(answer)
  }
  const failed = (problem: string, evidence: 'target' | 'local'): void =>
    end(
      new ConnectError(
        'DNS_TCP',
        `${formatEndpoint(server.address, server.port)} truncated its answer and ${problem} over TCP`,
        evidence,
      ),
    )
  const prefix = Buffer.allocUnsafe(2)
  prefix.writeUInt16BE(packet.length)
  socket.once('connect', () => socket.write(Buffer.concat([prefix, packet])))
  socket.on('error', (error: NodeJS.ErrnoException) =>
    failed(
      error.code === 'ECONNREFUSED' ? 'refused the question' : `failed (${error.code})`,
      describeBrokenConnection(error, server.address).evidence,
    ),
  )
  socket.on('end', () => failed('closed before its answer was whole', 'target'))
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    received += chunk.length
    if (messageEnd === 0 && received >= 2) messageEnd = 2 + Buffer.concat(chunks, 2).readUInt16BE(0)
    if (messageEnd > 0 && received >= messageEnd) end(Buffer.concat(chunks, messageEnd).subarray(2))
  })
  return () => end(null)
}
