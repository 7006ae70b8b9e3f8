// bench/peer-targets.ts: a process that answers the checks of `bench peers` and `bench https`: HTTP or HTTPS with 200, or TCP
// by accepting. It counts checks, and which monitors were checked by the address and port that each has for itself. The control port
// tells both; DELETE makes it forget the monitors, for the next contender. Runs until its standard input closes.
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, TLSSocket } from 'node:tls'
import { certificates } from '@pulseward/testing/targets'
import type { PeerTargets, SeenByPeerTargets } from './peer-run.ts'

const [ports = '32', type = 'http', key = 'p256'] = process.argv.slice(2)
const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')

let checks = 0
let resumed = 0
const monitors = new Set<string>()

function count(socket: Socket): void {
  const { localAddress, localPort } = socket
  checks++
  if (socket instanceof TLSSocket && socket.isSessionReused()) resumed++
  if (localAddress !== undefined) monitors.add(`${localAddress}:${localPort}`)
}

/** Counts requests: a client may open a connection that it never uses. */
const answering = (socket: Socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', () => {
    count(socket)
    socket.write(answer)
    // The kernel has the answer by now, so the socket need not wait for the other side to close.
    socket.destroy()
  })
  socket.on('end', () => socket.destroy())
}
const accepting = (socket: Socket) => {
  count(socket)
  socket.destroy()
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ host: '0.0.0.0', port: 0, backlog: 4096 }, resolve))
  return (server.address() as AddressInfo).port
}

const control = createHttpServer((request, response) => {
  if (request.method === 'DELETE') monitors.clear()
  const seen: SeenByPeerTargets = { checks, monitors: monitors.size, resumed }
  response.end(JSON.stringify(seen))
})

function target(): Server {
  if (type === 'tcp') return createServer({ pauseOnConnect: true }, accepting)
  if (type === 'http') return createServer(answering)
  const { certificate: cert, key: privateKey } = key === 'rsa' ? certificates.rsa : certificates.good
  return createTlsServer({ cert, key: privateKey }, answering).on('tlsClientError', () => {})
}

const targets: PeerTargets = {
  ports: await Promise.all(Array.from({ length: Number(ports) }, () => listen(target()))),
  control: await listen(control),
}
process.stdout.write(`${JSON.stringify(targets)}\n`)
process.stdin.resume().on('end', () => process.exit(0))
