// bench/fleet-targets.ts: a process that answers checks on many loopback ports: HTTP with 200, or TCP by
// accepting. A share of the ports is dead: it accepts and never answers. It represents other machines but
// shares its cores with the measured service, so it does no more than it must: answer, and count what it
// accepted for the control port. Prints its ports and runs until its standard input closes.
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Targets } from './fleet-file.ts'
import type { SeenByTargets } from './work-done.ts'

const [ports = '16', dead = '0', type = 'http'] = process.argv.slice(2)
const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')

const seen = { live: 0, dead: 0 } satisfies SeenByTargets

const answering = (socket: Socket) => {
  seen.live++
  socket.on('error', () => socket.destroy())
  socket.once('data', () => {
    socket.write(answer)
    // The kernel has the answer by now. Closing at once saves the shutdown and the wait for the other side.
    socket.destroy()
  })
  socket.on('end', () => socket.destroy())
}
/** A client that only connects needs no answer. A socket that is never read costs half as much. */
const accepting = (socket: Socket) => {
  seen.live++
  socket.destroy()
}
const silent = (socket: Socket) => {
  seen.dead++
  socket.on('error', () => socket.destroy())
  socket.resume()
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen({ host: '0.0.0.0', port: 0, backlog: 4096 }, resolve))
  return (server.address() as AddressInfo).port
}

const listenMany = (count: string, handler: (socket: Socket) => void) =>
  Promise.all(
    Array.from({ length: Number(count) }, () =>
      listen(createServer({ pauseOnConnect: handler === accepting }, handler)),
    ),
  )

const targets: Targets = {
  live: await listenMany(ports, type === 'tcp' ? accepting : answering),
  dead: await listenMany(dead, silent),
  control: await listen(createHttpServer((_request, response) => response.end(JSON.stringify(seen)))),
}
process.stdout.write(`${JSON.stringify(targets)}\n`)
process.stdin.resume().on('end', () => process.exit(0))
