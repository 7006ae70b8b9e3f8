// recovery/docker/docker.ts: restarts a container through the API of a Docker engine (or of Podman, which
// implements it too): over its socket on this machine, or over TCP under the network policy for all outbound
// requests. The engine answers once the container has been stopped and started again, so an acceptance means
// that it was restarted, not that it is healthy.
import { type ActionOutcome, accepted, rejected, unknown } from '../../platform/action-outcome.ts'
import { parseDuration } from '../../platform/duration.ts'
import { NotSent } from '../../platform/network/outbound-connect.ts'
import {
  type OutboundAnswer,
  type OutboundRequest,
  type OutboundResult,
  sendOutbound,
  sendOver,
} from '../../platform/network/outbound-http.ts'
import { closed, Duration, type Infer, OpenOrSecret, Secret } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import {
  type ConfigMistake,
  classifyResult,
  defineRecovery,
  isGatewayAnswer,
  type RecoveryRun,
} from '../driver.ts'

const DEFAULT_ENGINE = 'unix:///var/run/docker.sock'

const config = closed({
  container: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,254}$',
    description: 'The name or the id of the container.',
  }),
  engine: Type.Optional(
    Type.String({
      pattern: '^(unix:///[^\\s?#]{1,100}|tcp://[^\\s/@?#]{1,255}:[0-9]{1,5})$',
      default: DEFAULT_ENGINE,
      description: 'Where the engine listens: unix:///PATH or tcp://HOST:PORT.',
    }),
  ),
  tls: Type.Optional(
    closed(
      {
        ca: Type.Optional(
          Type.Unsafe<string>({
            ...OpenOrSecret,
            description: "Authority of the engine's certificate in PEM; by default those of the system.",
          }),
        ),
        certificate: Type.Optional(
          Type.Unsafe<string>({ ...OpenOrSecret, description: 'Our client certificate in PEM.' }),
        ),
        key: Type.Optional(
          Type.Unsafe<string>({ ...Secret, description: 'The key of our client certificate in PEM.' }),
        ),
      },
      { description: 'Speak TLS with an engine at tcp://; without it the connection is plain.' },
    ),
  ),
  stop_timeout: Type.Optional(
    Type.Unsafe<string>({
      ...Duration,
      description:
        "How long the container may take to stop before it is killed, in whole seconds; by default the container's own. Must fit into the timeout of the recovery.",
    }),
  ),
})

type DockerConfig = Infer<typeof config>

export const docker = defineRecovery({
  summary: 'Restarts a container over the API of a Docker engine.',
  config,
  inspect: mistakesOf,
  actsHere: ({ engine = DEFAULT_ENGINE }) => engine.startsWith('unix:'),
  target: ({ container, engine }) =>
    engine === undefined || engine === DEFAULT_ENGINE ? container : `${container} at ${engine}`,
  targetKey: ({ container, engine = DEFAULT_ENGINE }) => `${canonicalEngine(engine)} ${container}`,
  async recover(config, _intervention, run) {
    const result = await send(config, run)
    return classifyResult(result, (answer) => classifyResponse(answer, config.container))
  },
})

function mistakesOf({ engine = DEFAULT_ENGINE, tls, stop_timeout }: DockerConfig): ConfigMistake[] {
  const mistakes: ConfigMistake[] = []
  if (tls !== undefined && engine.startsWith('unix:'))
    mistakes.push({ path: ['tls'], message: 'is for an engine at tcp:// only.' })
  if (tls !== undefined && (tls.certificate === undefined) !== (tls.key === undefined))
    mistakes.push({ path: ['tls'], message: 'needs certificate and key together.' })
  if (engine.startsWith('tcp:') && URL.parse(engine.replace('tcp:', 'http:')) === null)
    mistakes.push({ path: ['engine'], message: 'is not tcp://HOST:PORT.' })
  if ((parseDuration(stop_timeout ?? '') ?? 0) % 1_000 !== 0)
    mistakes.push({ path: ['stop_timeout'], message: 'must be whole seconds: the engine counts in them.' })
  return mistakes
}

/** Hosts are case-insensitive, paths are not. */
function canonicalEngine(engine: string): string {
  return engine.startsWith('tcp:') ? engine.toLowerCase() : engine
}

async function send(config: DockerConfig, run: RecoveryRun): Promise<OutboundResult> {
  const { engine = DEFAULT_ENGINE, tls } = config
  if (engine.startsWith('tcp://')) {
    const origin = `${tls === undefined ? 'http' : 'https'}://${engine.slice('tcp://'.length)}`
    return await sendOutbound(run.network, { ...restartRequest(origin, config), tls: tls ?? {} }, run)
  }
  const path = engine.slice('unix://'.length)
  const socket = await run.connectLocal(path)
  if (socket instanceof NotSent) return socket
  return await sendOver(socket, path, restartRequest('http://docker', config), run)
}

function restartRequest(origin: string, { container, stop_timeout }: DockerConfig): OutboundRequest {
  const stopTimeoutMs = parseDuration(stop_timeout ?? '')
  const query = stopTimeoutMs === null ? '' : `?t=${stopTimeoutMs / 1_000}`
  // Without a version in the path an engine uses its own; the call is the same in all versions.
  const url = `${origin}/containers/${encodeURIComponent(container)}/restart${query}`
  return { method: 'POST', url, headers: {}, body: null }
}

function classifyResponse({ status }: OutboundAnswer, container: string): ActionOutcome {
  if (status === 204) return accepted()
  if (status === 404) return rejected(`the engine knows no container ${container} (404)`)
  if (status >= 200 && status <= 299) {
    return unknown(`answered with ${status}, which is not how a Docker engine answers`)
  }
  if (isGatewayAnswer(status))
    return unknown(`a gateway before the engine answered ${status}: the container may have been restarted`)
  return rejected(`the engine answered ${status} and did not restart the container`)
}
