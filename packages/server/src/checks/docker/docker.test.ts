// What the contract does not ask of the docker check; its troubles stand in peers.ts.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { LoopbackRun, runCheck, temporaryFolder } from '@pulseward/testing/checks'
import { certificates } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { docker } from './docker.ts'
import { DockerTarget } from './stand-in.fixture.ts'

describe('a docker check', () => {
  it('asks by TCP through the network, and marks its phases', async () => {
    const running = { shop: { Status: 'running' } }
    await using target = await DockerTarget.start(running, { by: 'port', identity: certificates.good })
    const run = new LoopbackRun()
    const config = { container: 'shop', engine: target.engine, tls: { ca: certificates.authority } }
    expect(await runCheck(docker, config, run)).toMatchObject({ status: 'success' })
    expect(run.marks).toEqual(['connect', 'tls', 'first_byte'])
    expect(run.connections).toMatchObject([{ host: '127.0.0.1', port: target.port }])
  })

  it('does not reach an engine that the network policy refuses', async () => {
    const run = new LoopbackRun()
    run.refused.add('169.254.169.254')
    const config = { container: 'shop', engine: 'tcp://169.254.169.254:2375' }
    expect(await runCheck(docker, config, run)).toMatchObject({
      reason: '169.254.169.254 may not be reached',
    })
  })

  it('sees a container end', async () => {
    await using target = await DockerTarget.start({ shop: { Status: 'running' } })
    const config = { container: 'shop', engine: target.engine }
    expect(await runCheck(docker, config)).toMatchObject({ status: 'success' })
    target.containers['shop'] = { Status: 'exited', ExitCode: 0 }
    expect(await runCheck(docker, config)).toMatchObject({
      reason: 'the container "shop" has ended with exit code 0',
    })
  })

  it('tells a socket that is gone from one without a listener', async () => {
    using folder = temporaryFolder()
    const path = folder.path('engine.sock')
    const engine = createServer().listen(path)
    await once(engine, 'listening')
    folder.write('file', '')
    const check = (socket: string) => runCheck(docker, { container: 'shop', engine: `unix://${socket}` })
    engine.close()
    await once(engine, 'close')
    expect(await check(path)).toMatchObject({
      reason: 'the Docker engine is not running: its socket does not exist',
    })
    expect(await check(folder.path('file'))).toMatchObject({
      reason: 'the Docker engine is not running: nothing listens at its socket',
    })
  })

  it.each([
    { engine: 'http://127.0.0.1:2375' },
    { engine: 'tcp://127.0.0.1' },
    { engine: 'tcp://ward@127.0.0.1:2375' },
    { engine: 'tcp://127.0.0.1:2375/path' },
    { engine: 'unix://' },
    { engine: '/var/run/docker.sock' },
    { container: '../secrets' },
    { container: '' },
  ])('refuses %j', (config) => {
    expect(Compile(docker.config).Check({ container: 'shop', ...config })).toBe(false)
  })
})
