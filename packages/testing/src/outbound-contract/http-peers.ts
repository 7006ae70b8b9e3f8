// outbound-contract/http-peers.ts: the peers of every driver that sends one HTTP request, whatever it sends.
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
import { outboundFixture } from './outbound-fixture.ts'
import { type Encounter, type Encounters, expects, neverAnswers, type OutboundPeers } from './peers.ts'

/** Peers put this into their answers; no outcome may repeat it. */
const REFLECTED = 'inner-secret-of-a-body'

type Kind = Encounter['kind']

/** The outcomes that a driver must give for the behaviours of HTTP peers. */
export interface HttpPeerOutcomes {
  /** The configuration for a URL. */
  readonly config: (url: string) => object
  /** Definitely failed, but may work later. */
  readonly failingForNow: Kind
  /** An answer with status 200 that never ends. */
  readonly endless: Kind
  readonly answer?: string
}

export interface HttpPeers extends OutboundPeers {
  readonly accepting: HttpTarget
}

export async function httpPeers(
  { config, failingForNow, endless, answer = 'ok' }: HttpPeerOutcomes,
  more: (target: (behaviour: Behaviour) => Promise<string>) => Promise<Encounters> = async () => ({}),
  known: Pick<OutboundPeers, 'credentials' | 'secrets'> = { credentials: new Map(), secrets: [] },
): Promise<HttpPeers> {
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
  const answering = async (kind: Kind, status: number, more: Partial<Encounter> = {}): Promise<Encounter> =>
    expects(kind, config(await target(answers({ status, body: REFLECTED }))), more)
  const encounters: Encounters = {
    accepting: expects('accepted', config(accepting.url('/hook'))),
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
  const fixture = owned.use(outboundFixture())
  const opened = owned.move()
  return {
    accepting,
    network: fixture.network,
    credentials: known.credentials,
    secrets: [REFLECTED, ...known.secrets],
    encounters,
    attempts: () => targets.reduce((sum, { acceptedSockets }) => sum + acceptedSockets, 0),
    openConnections: () =>
      targets.reduce((sum, { openSockets }) => sum + openSockets, distrusted.openSockets),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
