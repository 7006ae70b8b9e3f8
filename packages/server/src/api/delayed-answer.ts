// api/delayed-answer.ts: delays the refusal of a client that guesses. A delayed answer costs memory and a connection, so
// each connection has at most one, and it is the last of that connection. A client that sends more without waiting is cut
// off. When connections run short, those that only wait for a refusal are closed first.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { mayClose } from './connection-limits.ts'

/** Connections on which an answer is being delayed. */
const delayed = new WeakSet<Socket>()

/** The caller answers afterwards, with `connection: close`. */
export async function delayAnswer(response: ServerResponse, delayMs: number): Promise<void> {
  if (delayMs === 0) return
  const { socket } = response.req
  if (delayed.has(socket)) {
    socket.destroy()
    return
  }
  delayed.add(socket)
  mayClose(response)
  await delay(delayMs)
}
