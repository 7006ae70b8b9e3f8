// The engines here are stand-ins that answer as the Docker Engine API documents.

import { temporaryFolder } from '@pulseward/testing'
import { mistakesIn } from '@pulseward/testing/fleet'
import { recoverOnce } from '@pulseward/testing/recovery'
import { answers, certificates, HttpTarget, readRequest } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import { docker } from './docker.ts'
import { LocalDoor } from './local-door.fixture.ts'

const restart = (config: object, allowLoopback = true): Promise<ActionOutcome> =>
  recoverOnce(docker, { container: 'web', ...config }, { allowLoopback })

const restarted = answers({ status: 204, body: '' })

describe('the docker recovery', () => {
  it('posts one restart to the engine', async () => {
    await using engine = await HttpTarget.start()
    engine.behave(restarted)
    const config = { engine: `tcp://127.0.0.1:${engine.port}`, stop_timeout: '30s' }
    expect(await restart(config)).toEqual({ kind: 'accepted' })
    const { method, path, body } = readRequest(engine.requests[0]!)
    expect([method, path, body]).toEqual(['POST', '/containers/web/restart?t=30', ''])
  })

  it("uses the container's own time to stop by default", async () => {
    await using engine = await HttpTarget.start()
    engine.behave(restarted)
    await restart({ engine: `tcp://127.0.0.1:${engine.port}` })
    expect(readRequest(engine.requests[0]!).path).toBe('/containers/web/restart')
  })

  it('reaches an engine by its socket even if loopback is not allowed', async () => {
    await using engine = await HttpTarget.start()
    engine.behave(restarted)
    using folder = temporaryFolder()
    await using door = await LocalDoor.open(folder.path('docker.sock'), engine.port)
    expect(await restart({ engine: `unix://${door.path}` }, false)).toEqual({ kind: 'accepted' })
    expect(readRequest(engine.requests[0]!).path).toBe('/containers/web/restart')
  })

  it('obeys the network policy by TCP', async () => {
    await using engine = await HttpTarget.start()
    expect(await restart({ engine: `tcp://localhost:${engine.port}` }, false)).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('network.allow_loopback_notify'),
    })
    expect(await restart({ engine: 'tcp://169.254.169.254:2375' })).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('link-local'),
    })
    expect(engine.acceptedSockets).toBe(0)
  })

  it('authenticates by a client certificate', async () => {
    const tls = { identity: certificates.good, clientAuthority: certificates.authority }
    await using engine = await HttpTarget.start({ tls })
    engine.behave(restarted)
    const at = { engine: `tcp://127.0.0.1:${engine.port}` }
    const ca = certificates.authority
    const { certificate, key } = certificates.client
    expect(await restart({ ...at, tls: { ca, certificate, key } })).toEqual({ kind: 'accepted' })
    expect(await restart({ ...at, tls: { ca } })).toEqual({
      kind: 'rejected',
      reason: `127.0.0.1:${engine.port} refuses our client certificate`,
    })
    expect(await restart({ ...at, tls: { certificate, key } })).toMatchObject({
      kind: 'rejected',
      reason: expect.stringContaining('is not signed by a trusted authority'),
    })
    expect(engine.requests).toHaveLength(1)
  })

  it.each([
    [404, 'the engine knows no container web (404)'],
    [409, 'the engine answered 409 and did not restart the container'],
    [500, 'the engine answered 500 and did not restart the container'],
  ])('rejects for a %s', async (status, reason) => {
    await using engine = await HttpTarget.start()
    engine.behave(answers({ status, body: '{"message":"inner words"}' }))
    const outcome = await restart({ engine: `tcp://127.0.0.1:${engine.port}` })
    expect(outcome).toEqual({ kind: 'rejected', reason })
  })

  it('does not know the outcome if a gateway before the engine answers', async () => {
    await using engine = await HttpTarget.start()
    engine.behave(answers({ status: 502 }))
    const outcome = await restart({ engine: `tcp://127.0.0.1:${engine.port}` })
    expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/^a gateway before/) })
  })

  it('says that there is no socket', async () => {
    expect(await restart({ engine: 'unix:///nonexistent/docker.sock' })).toEqual({
      kind: 'rejected',
      reason: 'there is no socket at /nonexistent/docker.sock',
    })
  })

  it('shows the container, and the engine where it is not the usual one', () => {
    expect(docker.target({ container: 'web' })).toBe('web')
    expect(docker.target({ container: 'web', engine: 'tcp://db.test:2375' })).toBe(
      'web at tcp://db.test:2375',
    )
  })

  it('has one key for one container, however its engine is written', () => {
    expect(docker.targetKey({ container: 'web' })).toBe(
      docker.targetKey({ container: 'web', engine: 'unix:///var/run/docker.sock' }),
    )
    expect(docker.targetKey({ container: 'web', engine: 'tcp://DB.test:1' })).toBe(
      docker.targetKey({ container: 'web', engine: 'tcp://db.test:1' }),
    )
  })

  it.each([
    ['{ container: ../secrets }', 'container'],
    ['{ container: web, engine: http://db.test:2375 }', 'engine'],
    ['{ container: web, engine: tcp://db.test }', 'engine'],
    ['{ container: web, engine: "tcp://db.test:99999" }', 'engine: is not tcp://HOST:PORT.'],
    ['{ container: web, tls: {} }', 'tls: is for an engine at tcp:// only.'],
    ['{ container: web, stop_timeout: 1500ms }', 'stop_timeout: must be whole seconds'],
    [
      '{ container: web, engine: tcp://db.test:1, tls: { certificate: a } }',
      'tls: needs certificate and key together.',
    ],
  ])('refuses %s in a fleet file', async (config, words) => {
    expect(await mistakesIn(fleetWith('docker', config))).toEqual([
      expect.stringContaining(`monitors[0].recovery.config.${words}`),
    ])
  })
})

function fleetWith(type: string, config: string): string {
  return `monitors: [{ name: a, check: { type: tcp, config: { host: a.test, port: 1 } }, recovery: { type: ${type}, config: ${config} } }]`
}
