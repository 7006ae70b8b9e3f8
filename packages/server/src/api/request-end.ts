// api/request-end.ts: the moment from which nothing of a request is in flight any more: its answer was handed to the
// system, or its connection is gone.
import type { ServerResponse } from 'node:http'

const waiting = new WeakMap<ServerResponse, (() => void)[]>()

/** Calls back once; at once, where it is over already. However many wait for one end, it is listened for once. */
export function whenOver(response: ServerResponse, over: () => void): void {
  if (response.destroyed || response.req.destroyed) {
    over()
    return
  }
  const others = waiting.get(response)
  if (others !== undefined) {
    others.push(over)
    return
  }
  const calls = [over]
  waiting.set(response, calls)
  const end = () => {
    for (const call of calls.splice(0)) call()
  }
  // Not once, which costs more than a second call that finds nothing left to do.
  response.on('close', end)
  // A pipelined answer that waits for its turn does not hear of the end of its connection; its request does.
  response.req.on('close', end)
}
