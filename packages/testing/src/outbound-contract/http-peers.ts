// outbound-contract/http-peers.ts: the peers that every driver meets that sends one HTTP request, whatever it sends.
import { outboundPolicy } from '@pulseward/server/internal/platform/network/address-policy.ts'
import { checkFixture } from '../checks/check-fixture.ts'
import { BlackHole } from '../targets/black-hole.ts'
import { certificates } from '../targets/certificates.ts'
import {
  answers,
  type Behaviour,
  closesEarly,
  HttpTarget,
  hangs,
  resets,
  sends,
  sendsEndlessBody,
  sendsEndlessHeaders,
} from '../targets/http-target.ts'
import { TcpTarget } from '../targets/tcp-target.ts'
import { type Encounter, expects, neverAnswers, type OutboundScenarios, type Peers } from './scenarios.ts'

/** What a text of a peer may hold and no verdict may repeat. */
const REFLECTED = 'inner-secret-of-a-body'

/** How one kind of driver takes what peers do. */
export interface HttpJudgement {
  /** The configuration for a URL. */
  readonly config: (url: string) => object
  readonly accepted: string
  /** Definitely not, but perhaps later. */
  readonly failingForNow: string
  /** An answer 200 that never ends. */
  readonly endless: string
  readonly answer?: string
}

export interface HttpWorld extends OutboundScenarios {
  readonly accepting: HttpTarget
}

export async function httpWorld(
  { config, accepted, failingForNow, endless, answer = 'ok' }: HttpJudgement,
  more: (target: (behaviour: Behaviour) => Promise<string>) => Promise<Peers> = async () => ({}),
  world: Pick<OutboundScenarios, 'credentials' | 'secrets'> = { credentials: new Map(), secrets: [] },
): Promise<HttpWorld> {
  await using owned = new AsyncDisposableStack()
  const targets: HttpTarget[] = []
  const started = async (behaviour: Behaviour): Promise<HttpTarget> => {
    const target = owned.use(await HttpTarget.start())
    target.behave(behaviour)
    targets.push(target)
    return target
  }
  const target = async (behaviour: Behaviour): Promise<string> => (await started(behaviour)).url('/hook')
  const closed = owned.use(await TcpTarget.start())
  await closed.refuses()
  const hole = owned.use(await BlackHole.start())
  const distrusted = owned.use(await HttpTarget.start({ tls: { identity: certificates.selfSigned } }))
  const accepting = await started(answers({ body: answer }))
  const answering = async (kind: string, status: number, more: Partial<Encounter> = {}): Promise<Encounter> =>
    expects(kind, config(await target(answers({ status, body: REFLECTED }))), more)
  const peers: Peers = {
    accepting: expects(accepted, config(accepting.url('/hook'))),
    rejecting: await answering('rejected', 400),
    'failing for now': await answering(failingForNow, 503),
    redirecting: expects(
      'rejected',
      config(await target(answers({ status: 302, headers: { Location: 'http://169.254.169.254/' } }))),
    ),
    refusing: expects(failingForNow, config(`http://127.0.0.1:${closed.port}/hook`)),
    'black-holed': neverAnswers(failingForNow, config(`http://127.0.0.1:${hole.port}/hook`)),
    forbidden: expects('rejected', config('http://169.254.169.254/hook')),
    distrusted: expects('rejected', config(distrusted.url('/hook'))),
    silent: neverAnswers('unknown', config(await target(hangs()))),
    cutting: expects('unknown', config(await target(closesEarly()))),
    resetting: expects('unknown', config(await target(resets()))),
    garbage: expects('unknown', config(await target(sends(['220 mail.test ready\r\n'])))),
    'endless in its head': expects('unknown', config(await target(sendsEndlessHeaders()))),
    endless: expects(endless, config(await target(sendsEndlessBody()))),
    ...(await more(target)),
  }
  const fixture = owned.use(
    checkFixture({ policy: outboundPolicy({ allowLoopback: true, allowLinkLocal: false }) }),
  )
  const opened = owned.move()
  return {
    accepting,
    network: fixture.network,
    credentials: world.credentials,
    secrets: [REFLECTED, ...world.secrets],
    peers,
    attempts: () => targets.reduce((sum, { acceptedSockets }) => sum + acceptedSockets, 0),
    openConnections: () =>
      targets.reduce((sum, { openSockets }) => sum + openSockets, distrusted.openSockets),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
