import { createHash } from 'node:crypto'
import { temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import { loadFleet } from '../config/fleet-file/load-fleet.ts'
import { fleetResources } from './file-resources.ts'

const head = `credentials: { hook: { env: HOOK } }
endpoints: { chat: { type: slack, config: { hook: { credential: hook } } } }
groups: { ops: [chat] }
routes: [{ match: {}, colors: [red], groups: [ops] }, { id: route-1, match: {}, colors: [gray], groups: [ops] }]
monitors:
  - { name: Named, check: { type: tcp, config: { host: a, port: 1 } } }
  - { id: second, name: Second, labels: { team: a }, check: { type: tcp, config: { host: a, port: 2 } } }
`
const line = '{"id":"third","name":"Third","check":{"type":"tcp","config":{"host":"a","port":3}}}'

describe('the resources of fleet files', () => {
  it('are what others refer to and then the monitors, each with its place', async () => {
    using folder = temporaryFolder({ 'a.yaml': head, 'b.ndjson': `\n${line}\n` })
    const paths = [folder.path('a.yaml'), folder.path('b.ndjson')]
    const options = { drivers: driverShapes, allowEmpty: true, environment: { HOOK: 'secret-value' } }
    const resources = [...fleetResources(await loadFleet({ paths, ...options }))]
    expect(
      resources.map(({ source, resource }) => [
        source.replaceAll(`${folder.root}/`, ''),
        resource.kind,
        resource.metadata.id.replace(/^(name:).*/, '$1'),
      ]),
    ).toEqual([
      ['a.yaml, b.ndjson: credentials.hook', 'Credential', 'hook'],
      ['a.yaml, b.ndjson: endpoints.chat', 'NotificationEndpoint', 'chat'],
      ['a.yaml, b.ndjson: groups.ops', 'NotificationGroup', 'ops'],
      ['a.yaml, b.ndjson: routes.0', 'Route', 'route-2'],
      ['a.yaml, b.ndjson: routes.route-1', 'Route', 'route-1'],
      ['a.yaml: monitors[0]', 'Monitor', 'name:'],
      ['a.yaml: monitors[1]', 'Monitor', 'second'],
      ['b.ndjson:2', 'Monitor', 'third'],
    ])
    expect(resources[0]?.resource.spec).toEqual({ value: 'secret-value' })
    expect(resources[1]?.resource.spec).toMatchObject({ config: {}, credentialRefs: { hook: 'hook' } })
    expect(resources[3]?.resource.spec).toEqual({ match: {}, colors: ['red'], groupRefs: ['ops'] })
    expect(resources[6]?.resource.metadata).toEqual({ id: 'second', name: 'Second', labels: { team: 'a' } })
  })
})

it('are status pages and badges too, which are found by the digests of their keys', async () => {
  const page =
    'status_pages: { shop: { title: S, groups: [{ name: G, components: [{ id: a, name: A, monitors: [second] }] }] } }\n'
  const key = 'b'.repeat(30)
  const badges = `badges: { ${key}: { component: shop/a, shows: status } }\n`
  using folder = temporaryFolder({ 'a.yaml': head + page + badges })
  const options = { drivers: driverShapes, allowEmpty: true, environment: { HOOK: 'secret-value' } }
  const loaded = await loadFleet({ paths: [folder.path('a.yaml')], ...options })
  const resources = [...fleetResources(loaded)].map(({ resource }) => resource)
  const found = (kind: string) => resources.find((one) => one.kind === kind)
  expect(found('StatusPage')).toMatchObject({ metadata: { id: 'shop' }, spec: { title: 'S' } })
  const keyDigest = createHash('sha256').update(key).digest('hex')
  expect(found('Badge')).toMatchObject({
    metadata: { id: `badge-${keyDigest.slice(0, 12)}` },
    spec: { componentRef: 'shop/a', shows: 'status', keyDigest },
  })
  expect(JSON.stringify(resources)).not.toContain(key)
})
