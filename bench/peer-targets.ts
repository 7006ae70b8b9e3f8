// bench/peer-targets.ts: a process that answers the checks of `bench peers`: HTTP with 200, or TCP by accepting. It
// counts checks, and which monitors were checked by the address and port that each has for itself. The control port
// tells both; DELETE makes it forget the monitors, for the next contender. Runs until its standard input closes.
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { PeerTargets, SeenByPeerTargets } from './peer-run.ts'

const [ports = '32', type = 'http'] = process.argv.slice(2)
const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')

let checks = 0
const monitors = new Set<string>()

function count({ localAddress, localPort }: Socket): void {
  checks++
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
  const seen: SeenByPeerTargets = { checks, monitors: monitors.size }
  response.end(JSON.stringify(seen))
})
const isTcp = type === 'tcp'
const targets: PeerTargets = {
  ports: await Promise.all(
    Array.from({ length: Number(ports) }, () =>
      listen(createServer({ pauseOnConnect: isTcp }, isTcp ? accepting : answering)),
    ),
  ),
  control: await listen(control),
}
process.stdout.write(`${JSON.stringify(targets)}\n`)
process.stdin.resume().on('end', () => process.exit(0))
