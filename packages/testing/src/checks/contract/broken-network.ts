// checks/contract/broken-network.ts: a network whose connections break on this machine's side after they open, as they do
// when a cable is pulled or a firewall rule is loaded. A driver must not blame its target for that.
import type { Socket } from 'node:net'
import type { Network } from '@pulseward/server/internal/platform/network/network.ts'

export interface BrokenNetwork extends Network {
  /** Connections that were opened and then broken. */
  readonly broken: number
}

export function breakConnections(network: Network, code: string): BrokenNetwork {
  let broken = 0
  const breakSoon = (socket: Socket): void => {
    broken++
    // In the next turn of the event loop: by then the driver is waiting for its peer.
    setImmediate(() => socket.destroy(systemError(code)))
  }
  return {
    get broken() {
      return broken
    },
    resolve: (host, family) => network.resolve(host, family),
    refuses: (address) => network.refuses(address),
    queryDns: (question, abandon) => network.queryDns(question, abandon),
    ping: (address, timeoutMs, abandon) => network.ping(address, timeoutMs, abandon),
    async connect(target, abandon) {
      const socket = await network.connect(target, abandon)
      breakSoon(socket)
      return socket
    },
    dial(target, abandon, connected, failed) {
      const opened = (socket: Socket): void => {
        breakSoon(socket)
        connected(socket)
      }
      network.dial(target, abandon, opened, failed)
    },
  }
}

/** An error as Node.js makes it from the result of a system call. */
function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`read ${code}`), { code, syscall: 'read', errno: -1 })
}
