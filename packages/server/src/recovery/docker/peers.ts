// recovery/docker/peers.ts: the engines that the docker recovery meets in its contract: stand-ins that answer as the
// Engine API documents, by TCP and by a local socket.
import { temporaryFolder } from '@pulseward/testing'
import {
  type Encounters,
  expects,
  httpPeers,
  neverAnswers,
  type OutboundPeers,
} from '@pulseward/testing/recovery'
import { answers, closesEarly, HttpTarget, hangs } from '@pulseward/testing/targets'
import { LocalDoor } from './local-door.fixture.ts'

const key = 'private-key-that-nobody-may-see'

export async function startPeers(): Promise<OutboundPeers> {
  await using owned = new AsyncDisposableStack()
  const folder = owned.use(temporaryFolder())
  const engines: HttpTarget[] = []
  const local = async (name: string, behaviour: Parameters<HttpTarget['behave']>[0]): Promise<object> => {
    const engine = owned.use(await HttpTarget.start())
    engine.behave(behaviour)
    engines.push(engine)
    const door = owned.use(await LocalDoor.open(folder.path(name), engine.port))
    return { container: 'web', engine: `unix://${door.path}` }
  }
  const restarted = answers({ status: 204, body: '' })
  const localPeers: Encounters = {
    'accepting at a socket': expects('accepted', await local('a', restarted)),
    'missing at a socket': expects('rejected', await local('b', answers({ status: 404 }))),
    'silent at a socket': neverAnswers('unknown', await local('c', hangs())),
    'cutting at a socket': expects('unknown', await local('d', closesEarly())),
    'without a socket': expects('rejected', {
      container: 'web',
      engine: `unix://${folder.path('none')}`,
    }),
  }
  const config = (url: string): object => {
    const { protocol, hostname, port } = new URL(url)
    const engine = `tcp://${hostname}:${port || 80}`
    return { container: 'web', engine, ...(protocol === 'https:' ? { tls: {} } : {}) }
  }
  const peers = owned.use(
    await httpPeers(
      { config, failingForNow: 'rejected', endless: 'unknown' },
      async (target) => ({
        accepting: expects('accepted', config(await target(restarted))),
        missing: expects('rejected', config(await target(answers({ status: 404 })))),
        'broken inside': expects('rejected', config(await target(answers({ status: 500 })))),
        'no engine': expects('unknown', config(await target(answers({ status: 200 })))),
        'with a key that is none': expects('rejected', {
          ...config((await target(restarted)).replace('http:', 'https:')),
          tls: { certificate: 'no certificate', key: { credential: 'KEY' } },
        }),
      }),
      { credentials: new Map([['KEY', key]]), secrets: [key] },
    ),
  )
  const opened = owned.move()
  const sum = (count: (engine: HttpTarget) => number) =>
    engines.reduce((total, engine) => total + count(engine), 0)
  return {
    ...peers,
    encounters: { ...peers.encounters, ...localPeers },
    attempts: () => peers.attempts() + sum(({ acceptedSockets }) => acceptedSockets),
    openConnections: () => peers.openConnections() + sum(({ openSockets }) => openSockets),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
