// The files of deploy/container against each other and against the Helm chart, which runs the same image.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { settingTable } from '@pulseward/server'
import { temporaryFolder } from '@pulseward/testing'
import { runCommand } from '@pulseward/testing/process'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { readDockerfile } from './dockerfile.ts'

const folder = join(import.meta.dirname, '../../deploy/container')
const dockerfile = join(folder, 'Dockerfile')
const image = readDockerfile(dockerfile)

interface ComposeService {
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly ports: readonly string[]
  readonly read_only?: boolean
  readonly tmpfs?: readonly string[]
}

interface Compose {
  readonly services: Readonly<Record<'pulseward' | 'prometheus' | 'alertmanager', ComposeService>>
  readonly volumes: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, unknown>>
}

const compose = load(readFileSync(join(folder, 'compose.yaml'), 'utf8')) as Compose
const services = Object.values(compose.services)

describe('the Dockerfile', () => {
  it('runs the image as the Helm chart does', () => {
    const chart = readFileSync(join(folder, '../helm/pulseward/templates/statefulset.yaml'), 'utf8')
    expect(chart).toContain(`runAsUser: ${image.uid}`)
    expect(chart).toContain(`containerPort: ${image.port}`)
    expect(chart).toContain(`mountPath: ${image.volume}\n`)
    expect(image.words).toEqual(['pulseward', 'serve'])
    expect(chart).toContain('args: [serve]')
    for (const name of ['PULSEWARD_DATA', 'PULSEWARD_SERVER', 'XDG_CACHE_HOME'])
      expect(chart).toContain(`- name: ${name}\n              value: ${image.environment[name]}\n`)
  })

  it.each([
    ['runs as root', 'USER 10001:10001', 'USER 0:0', 'needs a USER by number, not root'],
    ['has no health check', /HEALTHCHECK .*/, '', 'needs one HEALTHCHECK'],
  ])('is refused by its reader when it %s', (_, from, to, words) => {
    using copy = temporaryFolder({ Dockerfile: readFileSync(dockerfile, 'utf8').replace(from, to) })
    expect(() => readDockerfile(copy.path('Dockerfile'))).toThrow(words)
  })
})

describe('the compose file', () => {
  it('publishes ports on loopback alone', () => {
    const ports = services.flatMap((service) => service.ports)
    expect(ports).toContain(`127.0.0.1:${image.port}:${image.port}`)
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([])
  })

  it('mounts files and volumes that there are', () => {
    const sources = services.flatMap(({ volumes }) => volumes.map((volume) => volume.split(':')[0]!))
    const isThere = (source: string) =>
      source.startsWith('.') ? existsSync(join(folder, source)) : source in compose.volumes
    expect(sources.length).toBeGreaterThan(5)
    expect(sources.filter((source) => !isThere(source))).toEqual([])
  })

  it('keeps the root of the service read-only, with its data in a volume', () => {
    const { pulseward } = compose.services
    expect(pulseward).toMatchObject({ read_only: true, tmpfs: ['/tmp'] })
    expect(pulseward.volumes).toContain(`data:${image.volume}`)
  })

  it('lets Prometheus scrape the port of the service with the token that compose gives it', () => {
    const prometheus = readFileSync(join(folder, 'prometheus.yaml'), 'utf8')
    expect(prometheus).toContain(`targets: ["pulseward:${image.port}"]`)
    const [, secret = ''] = /credentials_file: \/run\/secrets\/(\w+)/.exec(prometheus)!
    expect(compose.secrets).toHaveProperty(secret, { environment: 'PULSEWARD_TOKEN' })
  })

  it('comes with a fleet that is valid', async () => {
    expect(await runCommand(['validate', join(folder, 'fleet')])).toMatchObject({ code: 0 })
  })
})

describe('the compose file of two services', () => {
  const { services: both, volumes } = load(readFileSync(join(folder, 'two-services.yaml'), 'utf8')) as {
    readonly services: Readonly<Record<'one' | 'two' | 'database', ComposeService>>
    readonly volumes: Readonly<Record<string, unknown>>
  }

  it('runs the same service twice, each with its own volume and address', () => {
    const { one, two } = both
    const inTwo = JSON.stringify(one).replaceAll('one:/data', 'two:/data').replaceAll('8081', '8082')
    expect(JSON.parse(inTwo)).toEqual(two)
    expect(one.volumes).toContain(`one:${image.volume}`)
    expect(one.ports).toEqual([`127.0.0.1:8081:${image.port}`])
    expect(Object.keys(volumes)).toEqual(['one', 'two', 'database'])
  })

  it('starts with settings that the service knows', () => {
    const known = new Set<string>(Object.values(settingTable).map(({ env }) => env))
    const given = Object.keys(both.one.environment!).filter((name) => name !== 'PULSEWARD_TOKEN')
    expect(given.filter((name) => !known.has(name))).toEqual([])
    expect(both.one.environment!['PULSEWARD_STORE']).toMatch(
      /^postgres:\/\/pulseward:.*@database\/pulseward\?sslmode=disable$/,
    )
  })

  it('comes with a fleet that is valid', async () => {
    expect(await runCommand(['validate', join(folder, 'fleet-of-two')])).toMatchObject({ code: 0 })
  })
})
