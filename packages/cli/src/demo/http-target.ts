// demo/http-target.ts: answers the http monitors of a demo. The number before /health identifies the monitor. Uses plain
// sockets, one request per connection: the first checks of a large fleet arrive at ten thousand per second.
import { createServer, type Server, type Socket } from 'node:net'
import type { Answer, Look } from './life.ts'

const answers = {
  healthy: response('200 OK', 'ok'),
  slow: response('200 OK', 'ok'),
  failing: response('500 Internal Server Error', 'internal error'),
  unavailable: response('503 Service Unavailable', 'overloaded'),
  silent: null,
  unknown: response('404 Not Found', 'not found'),
}

export function createHttpTarget(look: Look): Server {
  return createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    // A check's request is short and arrives in one chunk; anything after it is read and dropped.
    socket.once('data', (request: Buffer) => {
      socket.resume()
      const monitor = /^[A-Z]+ \S*\/(\d{1,9})\/health /.exec(request.toString('latin1', 0, 128))?.[1]
      reply(socket, monitor === undefined ? null : look(Number(monitor)))
    })
  })
}

function reply(socket: Socket, answer: Answer | null): void {
  if (answer === null) {
    socket.end(answers.unknown)
    return
  }
  const bytes = answers[answer.condition]
  if (bytes !== null) setTimeout(() => socket.end(bytes), answer.delayMs)
}

function response(status: string, words: string): Buffer {
  const body = JSON.stringify({ status: words })
  const head = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Connection: close']
  return Buffer.from(`HTTP/1.1 ${status}\r\n${head.join('\r\n')}\r\n\r\n${body}`)
}
