// demo/rack.ts: a port that closes as a whole, so that connections are refused, and later reopens with the same number.
import type { Server } from 'node:net'
import { host } from './fleet.ts'

const lookEveryMs = 500

/** Opens and closes the listener as isClosed says, until it is stopped. */
export function keepRack(
  server: Server,
  port: number,
  isClosed: () => boolean,
  everyMs = lookEveryMs,
): () => void {
  // If another process took the port while it was closed, the rack stays closed a little longer.
  server.on('error', () => {})
  const timer = setInterval(() => {
    if (isClosed() !== server.listening) return
    if (server.listening) server.close()
    else server.listen(port, host)
  }, everyMs)
  return () => clearInterval(timer)
}
