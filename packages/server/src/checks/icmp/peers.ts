// checks/icmp/peers.ts: the peers that the icmp check meets in its contract. The kernel is a stand-in,
// because not every machine lets a test open a ping socket; the address decides how a peer answers.
import {
  type CheckScenarios,
  checkFixture,
  fails,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import type { LibcSockets } from '../../platform/network/libc-sockets.ts'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'The address is one that checks may not reach.',
      sentence:
        '169.254.169.254 is a link-local address, which checks may not reach unless network.allow_link_local is set',
    },
  ],
  black_hole: [
    {
      peer: 'silent',
      trouble: 'Nothing answers.',
      sentence: 'no answer from HOST to 3 echo requests within TIMEOUT',
    },
  ],
  wrong_credentials: [],
  wrong_protocol: [],
  slow: [],
  certificate: [],
  unhealthy: [],
}

const healthy = '127.0.0.1'
const silent = '127.0.0.2'
const garbage = '127.0.0.3'
const endless = '127.0.0.4'
const noise = Buffer.alloc(1_500, 0xa5)
/** More than can be read before the deadline. */
const FLOOD = 1_000_000

export async function startPeers(): Promise<CheckScenarios> {
  const fixture = checkFixture({ loadSockets: async () => standInKernel() })
  return {
    network: fixture.network,
    credentials: new Map(),
    peers: {
      healthy: succeeds({ host: healthy }),
      refusing: fails({ host: '169.254.169.254' }),
      silent: timesOut({ host: silent }),
      garbage: timesOut({ host: garbage }),
      endless: timesOut({ host: endless }),
    },
    troubles,
    openConnections: () => 0,
    async [Symbol.asyncDispose]() {
      fixture[Symbol.dispose]()
    },
  }
}

function standInKernel(): LibcSockets {
  const replies: Buffer[] = []
  let flood = 0
  return {
    openEcho: () => ({ descriptor: 1, raw: false }),
    send(_descriptor, packet, address) {
      const host = address.subarray(4, 8).join('.')
      // The rest of the flood ends with its request.
      flood = host === endless ? FLOOD : 0
      if (host === healthy) replies.push(echoed(packet))
      if (host === garbage) replies.push(noise.subarray(0, 7), noise)
      return true
    },
    receive(_descriptor, into) {
      if (flood > 0) {
        flood--
        return noise.copy(into)
      }
      return replies.shift()?.copy(into) ?? -1
    },
    close() {},
  }
}

function echoed(request: Buffer): Buffer {
  const reply = Buffer.from(request)
  reply[0] = 0
  return reply
}
