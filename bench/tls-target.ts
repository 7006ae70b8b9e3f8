// bench/tls-target.ts: a process that answers https checks on loopback, a full handshake each. Prints its port and
// runs until its standard input closes.
import { createServer } from 'node:tls'
import { certificates } from '../packages/testing/src/targets/certificates.ts'

const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')
const { certificate, key } = certificates.good

const server = createServer({ cert: certificate, key }, (socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', () => socket.end(answer))
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${JSON.stringify({ port: (server.address() as { port: number }).port })}\n`)
})
process.stdin.resume().on('end', () => process.exit(0))
