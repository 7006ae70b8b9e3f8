// bench/fleet-resolver.ts: a DNS server that resolves every name below fleet.test to 127.0.0.1, with a TTL of
// one minute. Prints its address and runs until its standard input closes.
import { createSocket } from 'node:dgram'

const socket = createSocket('udp4')
socket.on('message', (query, peer) => {
  const questionEnd = query.indexOf(0, 12) + 5
  const isA = query.readUInt16BE(questionEnd - 4) === 1
  const header = Buffer.from(query.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(isA ? 1 : 0, 6)
  header.writeUInt32BE(0, 8)
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1])
  const parts = [header, query.subarray(12, questionEnd), ...(isA ? [answer] : [])]
  socket.send(Buffer.concat(parts), peer.port, peer.address)
})
socket.bind(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ address: `127.0.0.1:${socket.address().port}` })}\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
