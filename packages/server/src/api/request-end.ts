// api/request-end.ts: the moment from which nothing of a request is in flight any more: its answer was handed to the
// system, or its connection is gone.
import type { ServerResponse } from 'node:http'

/** Kept with the answer itself: a weak map of all of them costs the collector more than the answers do. */
const waiting = Symbol('waiting for the end')

interface Awaited extends ServerResponse {
  [waiting]?: (() => void)[]
}

/** Calls back once; at once, where it is over already. However many wait for one end, it is listened for once. */
export function whenOver(response: Awaited, over: () => void): void {
  if (response.destroyed || response.req.destroyed) {
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
  const end = () => {
    for (const call of calls.splice(0)) call()
  }
  // Not once, which costs more than a second call that finds nothing left to do.
  response.on('close', end)
  // A pipelined answer that waits for its turn does not hear of the end of its connection; its request does.
  response.req.on('close', end)
}
