// demo/tcp-target.ts: answers the tcp monitors of a demo: "PING 17" gets "PONG 17", unless monitor 17 is in trouble.
import { createServer, type Server, type Socket } from 'node:net'
import type { Answer, Look } from './life.ts'

export function createTcpTarget(look: Look): Server {
  return createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    // A line this short arrives in one chunk.
    socket.once('data', (line: Buffer) => {
      const monitor = /^PING (\d{1,9})\r?\n/.exec(line.toString('latin1', 0, 32))?.[1]
      const answer = monitor === undefined ? null : look(Number(monitor))
      if (answer === null) socket.destroy()
      else if (answer.condition !== 'silent')
        setTimeout(() => reply(socket, monitor!, answer), answer.delayMs)
    })
  })
}

function reply(socket: Socket, monitor: string, { condition }: Answer): void {
  if (condition === 'failing') socket.resetAndDestroy()
  else if (condition === 'unavailable') socket.end('BUSY\r\n')
  else socket.end(`PONG ${monitor}\r\n`)
}
