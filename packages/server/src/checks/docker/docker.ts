// checks/docker/docker.ts: is a container running and, if it has a health check, healthy? Asks the engine, on
// this machine over its socket or on another one over TCP. A container whose health is still starting is a
// success with a warning: it may yet turn out either way, and a failure would restart it again and again.
import { closed, type Infer } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { tlsOptions } from '../../platform/tls/tls-options.ts'
import { quote } from '../../platform/wording.ts'
import { IpFamily, MaxLatency } from '../driver/server-config.ts'
import {
  CheckFailure,
  type CheckRun,
  defineCheck,
  fact,
  type Outcome,
  outcomeOfError,
  successWithin,
} from '../driver.ts'
import { type ContainerState, inspectContainer } from './inspect.ts'
import { DEFAULT_ENGINE, engineMistake, engineName, openEngine } from './open-engine.ts'

const config = closed({
  container: Type.String({
    maxLength: 255,
    pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]*$',
    description: 'The name or the id of the container.',
  }),
  engine: Type.Optional(
    Type.Refine(
      Type.String({
        maxLength: 512,
        default: DEFAULT_ENGINE,
        description: 'Where the engine is: unix:///PATH or tcp://HOST:PORT.',
      }),
      (engine) => engineMistake(engine) === null,
      (engine) => engineMistake(engine) ?? '',
    ),
  ),
  tls: Type.Optional(
    Type.Object(tlsOptions.properties, {
      additionalProperties: false,
      description: 'TLS options for an engine at tcp://; if given, even empty, TLS is used.',
    }),
  ),
  family: Type.Optional(IpFamily),
  max_latency: Type.Optional(MaxLatency),
})

type DockerConfig = Infer<typeof config>

export const docker = defineCheck({
  summary: 'Asks a Docker engine whether a container is running and healthy.',
  config,
  actsHere: ({ engine = DEFAULT_ENGINE }) => engine.startsWith('unix:'),
  target: ({ container, engine = DEFAULT_ENGINE }) =>
    engine === DEFAULT_ENGINE ? container : `${container} at ${engine}`,
  async check(config, run) {
    const certificate = { expiresAt: null as number | null }
    const outcome = await inspect(config, run, certificate).catch((error: unknown) =>
      outcomeOfError(error, run),
    )
    return { ...outcome, certificateExpiresAt: certificate.expiresAt }
  },
})

async function inspect(
  config: DockerConfig,
  run: CheckRun,
  certificate: { expiresAt: number | null },
): Promise<Outcome> {
  using engine = await openEngine(config, run, certificate)
  const state = await inspectContainer(engine.socket, config.container, engineName(config), run)
  run.mark('first_byte')
  const container = quote(config.container)
  if (state === null) throw new CheckFailure(`there is no container ${container}`)
  run.observe?.(fact('state of the container', state.status))
  if (state.health !== null) run.observe?.(fact('health of the container', state.health))
  const fault = faultOf(state)
  if (fault !== null) throw new CheckFailure(`the container ${container} ${fault}`)
  const outcome = successWithin(run.elapsedMs(), config.max_latency)
  if (state.health !== 'starting') return outcome
  const warning = `the container ${container} runs, but its health is not known yet (starting)`
  return { ...outcome, warning }
}

function faultOf({ status, health, exitCode, isOutOfMemory }: ContainerState): string | null {
  switch (status) {
    case 'running':
      return health === 'unhealthy' ? 'is unhealthy by its own health check' : null
    case 'paused':
      return 'is paused'
    case 'created':
      return 'was never started'
    case 'restarting':
      return `is restarting again and again (last exit code ${exitCode})`
    case 'exited':
      return `has ended with exit code ${exitCode}${isOutOfMemory ? ', out of memory' : ''}`
    default:
      return `is not running: its state is ${quote(status)}`
  }
}
