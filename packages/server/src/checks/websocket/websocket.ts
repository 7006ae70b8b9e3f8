// checks/websocket/websocket.ts: does a server accept a WebSocket, and does it say what it should? The
// library speaks the protocol over our connection, so that the network policy applies and certificates are
// verified. Quotes nothing that a peer says: headers and messages may hold secrets, and a peer may echo them.
import { loadOnce } from '../driver/load-once.ts'
import { inSession } from '../driver/session.ts'
import { defineCheck } from '../driver.ts'
import { USUAL_PORTS, webSocketConfig } from './config.ts'

const library = loadOnce(() => import('./converse.ts'))

export const websocket = defineCheck({
  summary: 'Opens a WebSocket, optionally sends a message and waits for one.',
  config: webSocketConfig,
  requires: ['ws'],
  target({ url }) {
    const { protocol, host, pathname } = new URL(url)
    return `${protocol}//${host}${pathname}`
  },
  async check(config, run) {
    const { converse } = await library()
    const { protocol, hostname, port } = new URL(config.url)
    const target = {
      // URLs write an IPv6 host in brackets.
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? USUAL_PORTS[protocol]! : Number(port),
      family: config.family ?? 'any',
    }
    return inSession(run, target, config.max_latency, async (session) => {
      if (protocol === 'wss:') await session.secure(config.tls ?? {}, { protocols: ['http/1.1'] })
      session.awaits('answer to the handshake')
      await session.lend((socket) => converse(socket, config, session))
    })
  },
})
