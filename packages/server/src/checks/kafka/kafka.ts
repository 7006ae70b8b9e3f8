// checks/kafka/kafka.ts: does a Kafka cluster answer, are enough of its brokers there, and is a topic in good order?
// The brokers that are named are asked one after the other until one tells about the cluster; the others that it names
// are counted and never connected to. Nothing is created, not even a topic that is asked for.
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { closed, type Infer, oneOf } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { IpFamily, MaxLatency, Password, Tls, User } from '../driver/server-config.ts'
import { inSession, type Session } from '../driver/session.ts'
import { CheckFailure, type CheckRun, defineCheck, type Outcome } from '../driver.ts'
import { requireCluster } from './cluster.ts'
import { KafkaConnection } from './connection.ts'

const USUAL_PORT = 9092

interface Address {
  readonly host: string
  readonly port: number
}

const Broker = Type.Refine(
  Type.String({ minLength: 1, maxLength: 260, pattern: '^[^\\s/@?#]+$' }),
  (text) => parseAddress(text) !== null,
  () => 'must be HOST:PORT, or a host alone for port 9092',
)

const config = Type.Refine(
  closed({
    brokers: Type.Array(Broker, {
      minItems: 1,
      maxItems: 32,
      description: 'Brokers to ask, as HOST:PORT; the first that answers tells about the cluster.',
    }),
    user: Type.Optional(User),
    password: Type.Optional(Password),
    mechanism: Type.Optional(
      oneOf(['plain', 'scram-sha-256', 'scram-sha-512'], 'How the password is proved.', { default: 'plain' }),
    ),
    tls: Type.Optional(Tls),
    family: Type.Optional(IpFamily),
    topic: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 249,
        pattern: '^[A-Za-z0-9._-]+$',
        description: 'A topic that must be there with a leader for each partition; none by default.',
      }),
    ),
    min_brokers: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 10_000, description: 'The fewest brokers that must be there.' }),
    ),
    min_in_sync_replicas: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: 'The fewest replicas that must be in sync for each partition of the topic.',
      }),
    ),
    max_latency: Type.Optional(MaxLatency),
  }),
  ({ topic, min_in_sync_replicas, user, password }) =>
    (topic !== undefined || min_in_sync_replicas === undefined) &&
    (user === undefined) === (password === undefined),
  ({ topic, min_in_sync_replicas }) =>
    topic === undefined && min_in_sync_replicas !== undefined
      ? 'needs topic, of which min_in_sync_replicas speaks'
      : 'needs user and password together',
)

type KafkaConfig = Infer<typeof config>

export const kafka = defineCheck({
  summary:
    'Asks a Kafka cluster for its brokers and optionally for a topic, its leaders and replicas in sync.',
  config,
  target: ({ brokers, topic }) => `${brokers.join(', ')}${topic === undefined ? '' : ` topic ${topic}`}`,
  async check(config, run) {
    const addresses = config.brokers.flatMap((text) => parseAddress(text) ?? [])
    const [only, ...others] = addresses
    if (only !== undefined && others.length === 0) return (await ask(only, config, run)).outcome
    let last: Outcome | null = null
    for (const [index, address] of addresses.entries()) {
      using share = timeShare(run, addresses.length - index)
      const { outcome, isAnswered } = await ask(address, config, share.run)
      if (isAnswered) return outcome
      last = outcome
    }
    if (last === null) throw new CheckFailure('no broker is configured', 'local')
    return { ...last, reason: `no broker answered, the last one: ${last.reason}` }
  },
})

interface BrokerAnswer {
  readonly outcome: Outcome
  readonly isAnswered: boolean
}

/** One broker's view of the cluster. isAnswered as soon as the broker gave one, whatever it says. */
async function ask({ host, port }: Address, config: KafkaConfig, run: CheckRun): Promise<BrokerAnswer> {
  let isAnswered = false
  const target = { host, port, family: config.family ?? 'any' }
  const talk = async (session: Session): Promise<void> => {
    if (config.tls !== undefined) await session.secure(config.tls)
    const connection = new KafkaConnection(session)
    const { user, password, mechanism = 'plain' } = config
    const versions = await connection.versions()
    if (user !== undefined) await connection.logIn(mechanism, user, password!)
    const cluster = await connection.cluster(versions, config.topic)
    isAnswered = true
    requireCluster(cluster, config, formatEndpoint(host, port))
  }
  const outcome = await inSession(run, target, config.max_latency, talk)
  return { outcome, isAnswered: isAnswered || outcome.status === 'success' }
}

interface TimeShare extends Disposable {
  readonly run: CheckRun
}

/**
 * One of so many shares of what is left of the run, so that a broker that never answers does not eat the time of those
 * after it. The last share is all that is left, and ends with the run itself.
 */
function timeShare(run: CheckRun, shares: number): TimeShare {
  const shareMs = Math.max(1, (run.timeoutMs - run.elapsedMs()) / shares)
  let isSpent = false
  const timer =
    shares === 1
      ? undefined
      : setTimeout(() => {
          isSpent = true
          run.onStop?.()
        }, shareMs)
  const share: CheckRun = {
    network: run.network,
    get handshakes() {
      return run.handshakes ?? null
    },
    timeoutMs: shareMs,
    get onStop() {
      return run.onStop
    },
    set onStop(stop) {
      run.onStop = stop
      if (isSpent && !run.hasExpired) stop?.()
    },
    get hasExpired() {
      return isSpent || run.hasExpired
    },
    elapsedMs: () => run.elapsedMs(),
    mark: (phase) => run.mark(phase),
    observe: run.observe,
  }
  return { run: share, [Symbol.dispose]: () => clearTimeout(timer) }
}

/** A broker as a fleet file writes it: HOST:PORT, [ADDRESS]:PORT for IPv6, or a host alone. Null for anything else. */
function parseAddress(text: string): Address | null {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const host = bracketed ?? plain
  const port = digits === undefined ? USUAL_PORT : Number(digits)
  return host === undefined || port < 1 || port > 65_535 ? null : { host, port }
}
