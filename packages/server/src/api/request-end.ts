// api/request-end.ts: the moment from which nothing of a request is in flight any more: its answer was handed to the
// system, or its connection is gone.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Kept with the answer itself: a weak map of all of them costs the collector more than the answers do. */
const waiting = Symbol('waiting for the end')
/** What ends with a connection, over which many requests come. */
const ending = Symbol('ends with the connection')

interface Awaited extends ServerResponse {
  [waiting]?: (() => void)[]
}

interface AwaitedSocket extends Socket {
  [ending]?: Set<() => void>
}

/** Calls back once; at once, where it is over already. However many wait for one end, it is listened for once. */
export function whenOver(response: Awaited, over: () => void): void {
  // The request itself is destroyed as soon as its body has been read.
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
  // Not once, which costs more than a second call that finds nothing left to do.
  response.on('close', end)
  // A pipelined answer that waits for its turn does not hear of the end of its connection.
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
