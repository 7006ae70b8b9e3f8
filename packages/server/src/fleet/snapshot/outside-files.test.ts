import { temporaryFolder } from '@pulseward/testing'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../../config/driver-shapes.ts'
import type { FleetSnapshot } from './fleet-snapshot.ts'
import { readFiles } from './kept-fleet.fixture.ts'
import { credentialsFor } from './outside-files.ts'

const fleet = `credentials: { word: { env: WORD }, place: { env: PLACE } }
endpoints: { hook: { type: webhook, config: { url: { credential: place } } } }
monitors:
  - { name: a, check: { type: http, config: { url: { credential: place }, auth: { bearer: { credential: word } } } } }
  - name: b
    check: { type: icmp, config: { host: b } }
    maintenance: [{ cron: "0 3 * * 0", duration: 1h }]
`
const environment = { WORD: 'hunter2', PLACE: 'https://a.test/' }

async function snapshotOf(text = fleet): Promise<FleetSnapshot> {
  using folder = temporaryFolder({ 'fleet.yaml': text })
  return await readFiles([folder.root], environment)
}

const outside = { environment, drivers: driverShapes }

describe('what lies outside of fleet files', () => {
  it('gives the values of credentials as they are now', async () => {
    const PLACE = 'https://b.test/'
    expect(
      credentialsFor(await snapshotOf(), { ...outside, environment: { ...environment, PLACE } }),
    ).toEqual(
      new Map([
        ['word', 'hunter2'],
        ['place', PLACE],
      ]),
    )
  })

  it.each([
    ['a variable is missing', { PLACE: environment.PLACE }],
    ['a variable is empty', { ...environment, WORD: '' }],
    ['a value does not fit its place', { ...environment, PLACE: 'nowhere' }],
    ['a value has a line break in a header', { ...environment, WORD: 'hunter2\n' }],
  ])('refuses a snapshot when %s', async (_, environment) => {
    expect(credentialsFor(await snapshotOf(), { ...outside, environment })).toBeNull()
  })

  it('refuses a snapshot when a value does not fit an endpoint, and nothing else has it', async () => {
    const text = fleet.replace('url: { credential: place }, auth', 'url: "http://a/", auth')
    const snapshot = await snapshotOf(text)
    expect(credentialsFor(snapshot, outside)).not.toBeNull()
    const wrong = { ...environment, PLACE: 'nowhere' }
    expect(credentialsFor(snapshot, { ...outside, environment: wrong })).toBeNull()
  })

  it.each(['checks', 'notifiers'] as const)(
    'refuses a snapshot when a package of one of its %s is missing',
    async (kind) => {
      const type = kind === 'checks' ? 'icmp' : 'webhook'
      const shape = { ...driverShapes[kind][type]!, requires: ['no-such-package'] }
      const drivers = { ...driverShapes, [kind]: { ...driverShapes[kind], [type]: shape } }
      expect(credentialsFor(await snapshotOf(), { ...outside, drivers })).toBeNull()
      // One that the fleet does not use may be missing.
      const unused = { summary: '', config: Type.Object({}), requires: ['no-such-package'] }
      const more = { ...driverShapes, [kind]: { ...driverShapes[kind], unused } }
      expect(credentialsFor(await snapshotOf(), { ...outside, drivers: more })).not.toBeNull()
    },
  )

  it('refuses a snapshot with a maintenance that never comes', async () => {
    const { arrangement, facts } = await snapshotOf()
    const never = [{ kind: 'cron', cron: '0 0 31 2 *', durationMs: 1, timezone: 'UTC' }] as const
    const { definition } = arrangement
    const maintenance = { ...definition.maintenance, values: [never] }
    const changed = { ...arrangement, definition: { ...definition, maintenance } }
    expect(credentialsFor({ arrangement: changed, facts }, outside)).toBeNull()
  })
})
