// api/request-end.ts: the moment from which nothing of a request is under way any more: its answer was handed to the
// system, or its connection is gone.
import type { ServerResponse } from 'node:http'

/** Calls back once. */
export function whenOver(response: ServerResponse, over: () => void): void {
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    over()
  }
  response.once('close', end)
  // A pipelined answer that waits for its turn does not hear of the end of its connection; its request does.
  response.req.once('close', end)
}
