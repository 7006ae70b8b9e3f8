// api/request-end.ts: the moment at which a request is no longer in flight: its answer was handed to the
// operating system, or its connection is gone.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Kept on the response itself: a WeakMap of all responses costs the garbage collector more than the responses do. */
const waiting = Symbol('waiting for the end')
/** The callbacks that end with a connection, which carries many requests. */
const ending = Symbol('ends with the connection')

interface Awaited extends ServerResponse {
  [waiting]?: (() => void)[]
}

interface AwaitedSocket extends Socket {
  [ending]?: Set<() => void>
}

/** Calls back once; immediately if the request is already over. Adds one listener, however many callbacks wait. */
export function whenOver(response: Awaited, over: () => void): void {
  // The request object itself is destroyed as soon as its body has been read.
  const { socket } = response.req
  if (response.destroyed || socket.destroyed) {
    over()
    return
  }
  const others = response[waiting]
  if (others !== undefined) {
    others.push(over)
    return
  }
  const calls = [over]
  response[waiting] = calls
  const withConnection = endsOf(socket)
  const end = () => {
    withConnection.delete(end)
    for (const call of calls.splice(0)) call()
  }
  // `on`, not `once`, which costs more than a second call that does nothing.
  response.on('close', end)
  // A pipelined answer that waits for its turn gets no event when its connection closes.
  withConnection.add(end)
}

function endsOf(socket: AwaitedSocket): Set<() => void> {
  const known = socket[ending]
  if (known !== undefined) return known
  const ends = new Set<() => void>()
  socket[ending] = ends
  socket.on('close', () => {
    for (const end of [...ends]) end()
  })
  return ends
}
