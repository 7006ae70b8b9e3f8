// The container without a container engine: the scripts that the Dockerfile calls make a root from a minimal Debian, and the
// service runs in it as the Dockerfile says: as its user, without capabilities, on a read-only root.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { describeUnless, eventually } from '@pulseward/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CleanRoot } from '../clean-root/clean-root.ts'
import { debianRoot } from '../clean-root/debian-root.ts'
import type { RootProcess } from '../clean-root/root-process.ts'
import { archiveOf, whyNoPackages } from '../packages/installation.ts'
import { containerSizes, makeContainerRoot, slimDebian } from './container-root.ts'
import { readDockerfile } from './dockerfile.ts'

const dockerfile = join(import.meta.dirname, '../../deploy/container/Dockerfile')
const largestBytes = 250_000_000

const debian = whyNoPackages === null ? debianRoot(slimDebian) : { missing: whyNoPackages }

const token = 'token-of-the-container'
const fleet = `
version: 1
defaults: { check: { interval: 1s, timeout: 900ms } }
monitors:
  - { id: itself, name: Itself, check: { type: tcp, config: { host: 127.0.0.1, port: 8080 } } }
  - { id: ping, name: Ping, check: { type: icmp, config: { host: 127.0.0.1 } } }
  - { id: closed, name: Closed, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } }
`

describeUnless('missing' in debian ? debian.missing : null, 'the container', () => {
  const { environment, uid, cwd, volume, words, healthCheck, stopSignal } = readDockerfile(dockerfile)
  const variables = { ...environment, PULSEWARD_TOKEN: token, PULSEWARD_CONFIG: '/etc/fleet.yaml' }
  let root: CleanRoot

  beforeAll(() => {
    root = makeContainerRoot(archiveOf('pulseward'), 'archive' in debian ? debian.archive : '')
    root.write('etc/fleet.yaml', fleet)
  })
  afterAll(() => root?.[Symbol.dispose]())

  const as = (commandWords: readonly string[]) => ({ words: commandWords, environment: variables, uid, cwd })
  const start = () => root.start(as(words), { network: 'own', onlyWritable: volume })
  const ask = (service: RootProcess, ...commandWords: string[]) => service.join(as(commandWords))
  const becomesHealthy = (service: RootProcess) =>
    eventually(() => expect(ask(service, ...healthCheck), service.output).toMatchObject({ status: 0 }))

  it('is small', () => {
    expect(containerSizes(root).whole).toBeLessThan(largestBytes)
  })

  it('checks, pings and answers its health check as an ordinary user, and ends on the stop signal', async () => {
    await using service = start()
    await becomesHealthy(service)
    await eventually(() => {
      const { output } = ask(service, 'pulseward', 'get', 'monitors', '-o', 'json')
      const monitors: { name: string; status: string }[] = JSON.parse(output).monitors
      expect(Object.fromEntries(monitors.map(({ name, status }) => [name, status]))).toEqual({
        Itself: 'up',
        Ping: 'up',
        Closed: 'incident',
      })
    })
    service.signal(stopSignal)
    expect(await service.ended, service.output).toBe(0)
    expect(statSync(root.path('data/store')).uid).toBe(uid)
  })

  it('can write nothing but its volume and /tmp, not even as root', async () => {
    await using service = start()
    await becomesHealthy(service)
    const write = (path: string) => service.join({ words: ['touch', path] })
    for (const path of ['/usr/bin/pulseward', '/etc/passwd', '/new'])
      expect(write(path)).toMatchObject({
        status: 1,
        output: expect.stringContaining('Read-only file system'),
      })
    for (const path of ['/data/new', '/tmp/new']) expect(write(path)).toMatchObject({ status: 0 })
  })

  it('is unhealthy to a health check that finds no service', () => {
    expect(root.run(as(healthCheck), { network: 'own' })).toMatchObject({ status: 3 })
  })

  it('refuses to start without a token, in one sentence', () => {
    const { PULSEWARD_TOKEN: _, ...without } = variables
    const end = root.run({ ...as(words), environment: without }, { network: 'own', onlyWritable: volume })
    expect(end).toEqual({ status: 2, output: expect.stringContaining('needs a token: pass --token-file') })
  })
})
