// demo/rack.ts: a port that closes as a whole, so that connecting is refused, and opens again where it was.
import type { Server } from 'node:net'
import { host } from './fleet.ts'

const lookEveryMs = 500

/** Opens and closes the listener as isClosed says until it is told to stop. */
export function keepRack(
  server: Server,
  port: number,
  isClosed: () => boolean,
  everyMs = lookEveryMs,
): () => void {
  // Another process may have taken the port while it was closed: then the rack stays closed a little longer.
  server.on('error', () => {})
  const timer = setInterval(() => {
    if (isClosed() !== server.listening) return
    if (server.listening) server.close()
    else server.listen(port, host)
  }, everyMs)
  return () => clearInterval(timer)
}
