// checks/docker/peers.ts: the engines and containers that the docker check meets in its contract.
import {
  type CheckScenarios,
  fails,
  ScenarioWorld,
  succeeds,
  type Troubles,
  timesOut,
} from '@pulseward/testing/checks'
import {
  answers,
  type Behaviour,
  certificates,
  HttpTarget,
  type Identity,
  sendsEndlessBody,
} from '@pulseward/testing/targets'
import { type ContainerFacts, DockerTarget } from './stand-in.fixture.ts'

export const troubles: Troubles = {
  refused: [
    {
      peer: 'refusing',
      trouble: 'No engine is running on this machine.',
      sentence: 'the Docker engine is not running: its socket does not exist',
    },
    {
      peer: 'refusing at its port',
      trouble: 'No engine listens at the port.',
      sentence: 'connection refused by HOST:PORT',
    },
  ],
  black_hole: [
    {
      peer: 'black-holed',
      trouble: 'A firewall drops every packet.',
      sentence: 'no connection to HOST:PORT within TIMEOUT',
    },
  ],
  wrong_credentials: [
    {
      peer: 'forbidding',
      trouble: 'The engine does not permit the question.',
      sentence: 'the login was refused by the Docker engine at HOST:PORT (status 403)',
    },
  ],
  wrong_protocol: [
    {
      peer: 'SSH-speaking',
      trouble: 'What listens is not a Docker engine.',
      sentence: 'the Docker engine at HOST:PORT does not speak HTTP',
    },
    {
      peer: 'an ordinary web server',
      trouble: 'What listens is a web server.',
      sentence: 'the answer of the Docker engine at HOST:PORT is not the one of a Docker engine',
    },
  ],
  slow: [
    {
      peer: 'silent',
      trouble: 'The engine accepts the connection and does not answer.',
      sentence: 'no answer from the Docker engine at HOST:PORT within TIMEOUT',
    },
  ],
  certificate: [
    {
      peer: 'expired',
      trouble: 'The certificate of the engine has expired.',
      sentence: 'the certificate expired on 2026-01-02',
    },
    {
      peer: 'misnamed',
      trouble: 'The certificate of the engine is for another name.',
      sentence: 'the certificate is for other.test, not HOST',
    },
    {
      peer: 'self-signed',
      trouble: 'The certificate of the engine is signed by itself.',
      sentence: 'the certificate is not signed by a trusted authority (self-signed)',
    },
  ],
  unhealthy: [
    {
      peer: 'without the container',
      trouble: 'There is no such container.',
      sentence: 'there is no container "shop"',
    },
    {
      peer: 'with an ended container',
      trouble: 'The container has ended.',
      sentence: 'the container "shop" has ended with exit code 1',
    },
    {
      peer: 'with a container out of memory',
      trouble: 'The container was killed because it took too much memory.',
      sentence: 'the container "shop" has ended with exit code 137, out of memory',
    },
    {
      peer: 'with a restarting container',
      trouble: 'The container ends and is started again and again.',
      sentence: 'the container "shop" is restarting again and again (last exit code 2)',
    },
    {
      peer: 'with a paused container',
      trouble: 'The container is paused.',
      sentence: 'the container "shop" is paused',
    },
    {
      peer: 'with a container that was never started',
      trouble: 'The container was created only.',
      sentence: 'the container "shop" was never started',
    },
    {
      peer: 'with an unhealthy container',
      trouble: 'The health check of the container fails.',
      sentence: 'the container "shop" is unhealthy by its own health check',
    },
    {
      peer: 'with a starting container',
      trouble: 'The health check of the container has not decided yet (a warning).',
      sentence: 'the container "shop" runs, but its health is not known yet (starting)',
    },
  ],
}

const container = 'shop'
const tls = { ca: certificates.authority }

export async function startPeers(): Promise<CheckScenarios> {
  await using world = new ScenarioWorld()
  const running = { Status: 'running' }
  const local = async (facts?: ContainerFacts) => {
    const target = await DockerTarget.start(facts === undefined ? {} : { [container]: facts })
    world.keep(target)
    return { container, engine: target.engine }
  }
  const at = ({ port }: { port: number }) => ({ container, engine: `tcp://127.0.0.1:${port}` })
  const web = async (behaviour: Behaviour) => {
    const target = await HttpTarget.start()
    target.behave(behaviour)
    return at(world.keep(target))
  }
  const secured = async (identity: Identity) => ({
    ...at(world.keep(await DockerTarget.start({ [container]: running }, { by: 'port', identity }))),
    tls,
  })
  const peers = {
    healthy: succeeds(await local(running)),
    'healthy by its own check': succeeds(await local({ ...running, Health: { Status: 'healthy' } })),
    'healthy with TLS': succeeds(await secured(certificates.good)),
    refusing: fails({ container, engine: 'unix:///nonexistent/docker.sock' }),
    'refusing at its port': fails(at(await world.closedPort())),
    'black-holed': timesOut(at(await world.blackHole())),
    silent: timesOut(at(await world.tcp({ kind: 'silent' }))),
    dripping: timesOut(at(await world.tcp({ kind: 'drip', text: 'HTTP/1.1 200 OK', everyMs: 20 }))),
    garbage: fails(at(await world.tcp({ kind: 'garbage' }))),
    endless: fails(await web(sendsEndlessBody())),
    resetting: fails(at(await world.tcp({ kind: 'reset' }))),
    'half-closing': fails(at(await world.tcp({ kind: 'half-close' }))),
    'SSH-speaking': fails(at(await world.tcp({ kind: 'banner', text: 'SSH-2.0-OpenSSH_9.2p1\r\n' }))),
    'an ordinary web server': fails(await web(answers({ body: '<html>' }))),
    'of another kind of answer': fails(await web(answers({ body: 'null' }))),
    forbidding: fails(await web(answers({ status: 403 }))),
    reflecting: fails({
      ...at(await world.tcp({ kind: 'echo' })),
      tls: { ...tls, certificate: certificates.client.certificate, key: { credential: 'CLIENT_KEY' } },
    }),
    'without the container': fails(await local()),
    'with an ended container': fails(await local({ Status: 'exited', ExitCode: 1 })),
    'with a container out of memory': fails(
      await local({ Status: 'exited', ExitCode: 137, OOMKilled: true }),
    ),
    'with a restarting container': fails(await local({ Status: 'restarting', ExitCode: 2 })),
    'with a paused container': fails(await local({ Status: 'paused' })),
    'with a container that was never started': fails(await local({ Status: 'created' })),
    'with a dead container': fails(await local({ Status: 'dead' })),
    'with an unhealthy container': fails(await local({ ...running, Health: { Status: 'unhealthy' } })),
    'with a starting container': succeeds(await local({ ...running, Health: { Status: 'starting' } })),
    expired: fails(await secured(certificates.expired)),
    misnamed: fails(await secured(certificates.other)),
    'self-signed': fails(await secured(certificates.selfSigned)),
  }
  const credentials = new Map([['CLIENT_KEY', certificates.client.key]])
  return world.scenarios({ peers, troubles, credentials })
}
