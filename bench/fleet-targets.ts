// bench/fleet-targets.ts: a process that answers checks on many loopback ports: HTTP with 200, or TCP by
// accepting. A share of the ports is dead: it accepts and never answers. It stands for other machines and shares its
// cores with what is measured, so it does no more than it must. Prints its ports and runs until its standard input
// closes.
import { createServer, type Socket } from 'node:net'

const [ports = '16', dead = '0'] = process.argv.slice(2)
const answer = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok')

const answering = (socket: Socket) => {
  socket.on('error', () => socket.destroy())
  socket.once('data', () => {
    socket.write(answer)
    // The answer is the kernel's by now. Closing at once spares the shutdown and the wait for the other side's end.
    socket.destroy()
  })
  socket.on('end', () => socket.destroy())
}
const silent = (socket: Socket) => {
  socket.on('error', () => socket.destroy())
  socket.resume()
}

async function listen(handler: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: false }, handler)
  await new Promise<void>((resolve) => server.listen({ host: '0.0.0.0', port: 0, backlog: 4096 }, resolve))
  return (server.address() as { port: number }).port
}

const live = await Promise.all(Array.from({ length: Number(ports) }, () => listen(answering)))
const hanging = await Promise.all(Array.from({ length: Number(dead) }, () => listen(silent)))
process.stdout.write(`${JSON.stringify({ live, dead: hanging })}\n`)
process.stdin.resume().on('end', () => process.exit(0))
