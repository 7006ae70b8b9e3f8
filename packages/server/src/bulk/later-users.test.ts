// Users of a credential or a job type that came after the collection was validated: the item is judged again when it is
// applied, as a single write is.
import { v2 } from '@pulseward/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credential, monitor, ServedBulk } from './served.fixture.ts'

let served: ServedBulk
beforeAll(async () => {
  served = await ServedBulk.start({ environment: { PULSEWARD_EXTERNAL_JOBS: 'on' } })
})
afterAll(() => served[Symbol.asyncDispose]())

const taking = (id: string, address: string) =>
  monitor(id, {
    check: {
      driver: { type: 'http', config: {}, credentialRefs: { url: address } },
      interval: '1h',
      timeout: '5s',
    },
  })

function jobType(id: string, version: string, ...required: string[]): v2.Resource {
  const spec = {
    version,
    kind: 'check',
    handler: 'queueDepth',
    protocolVersion: '1',
    parameterSchema: { type: 'object', required },
    resultSchema: true,
  }
  return { apiVersion: v2.apiVersion, kind: 'JobType', metadata: { id }, spec } as v2.Resource
}

const using = (id: string, type: string, config: object) =>
  monitor(id, { check: { driver: { type, config }, interval: '1h', timeout: '5s' } })

interface Later {
  readonly before: (id: string) => v2.Resource
  readonly changed: (id: string) => v2.Resource
  readonly user: (id: string, used: string) => v2.Resource
  readonly fitting: (id: string, used: string) => v2.Resource
  readonly sentence: (used: string, user: string) => RegExp
}

const kinds: Readonly<Record<string, Later>> = {
  Credential: {
    before: (id) => credential(id, 'http://127.0.0.1:9/'),
    changed: (id) => credential(id, 'a plain word'),
    user: taking,
    fitting: (id) => monitor(id),
    sentence: (_, user) => new RegExp(`^/spec/value does not fit monitor/${user} at .*credentialRefs/url; `),
  },
  JobType: {
    before: (id) => jobType(id, '1', 'queue'),
    changed: (id) => jobType(id, '2', 'queue', 'limit'),
    user: (id, used) => using(id, used, { queue: 'mail' }),
    fitting: (id, used) => using(id, used, { queue: 'mail', limit: 1 }),
    sentence: (_, user) => new RegExp(`^/spec/parameterSchema does not fit monitor/${user} at `),
  },
}

describe.each(Object.entries(kinds))('a change of a %s in a collection', (kind, later) => {
  const { before, changed, user, fitting, sentence } = later
  const name = (word: string) => `${kind.toLowerCase()}-${word}`

  it('fails when a single write has brought a user that it does not fit', async () => {
    const [used, came] = [name('single'), name('came')]
    await served.put(before(used))
    const id = await served.staged(changed(used))
    await served.put(user(came, used))
    const { state, items } = await served.activate(id)
    expect([state, items?.[0]?.outcome]).toEqual(['failed', 'failed'])
    expect(items?.[0]?.message).toMatch(sentence(used, came))
  })

  it('fails when another operation has brought such a user', async () => {
    const [used, came] = [name('by-operation'), name('also-came')]
    await served.put(before(used))
    const id = await served.staged(changed(used))
    expect((await served.apply(user(came, used))).state).toBe('completed')
    const { items } = await served.activate(id)
    expect(items?.map(({ outcome }) => outcome)).toEqual(['failed'])
    expect(items?.[0]?.message).toMatch(sentence(used, came))
  })

  it('is made when the collection brings its users into order itself, whatever else was written', async () => {
    const [used, inside] = [name('whole'), name('inside')]
    await served.put(before(used))
    await served.put(user(inside, used))
    const id = await served.staged(changed(used), fitting(inside, used))
    await served.put(monitor(name('beside')))
    expect((await served.activate(id)).state).toBe('completed')
  })

  it('fails when a user that the collection would bring into order was changed by others', async () => {
    const [used, inside] = [name('changed'), name('changed-inside')]
    await served.put(before(used))
    await served.put(user(inside, used))
    const id = await served.staged(changed(used), fitting(inside, used))
    await served.put({ ...user(inside, used), metadata: { id: inside, name: 'Renamed' } } as v2.Resource)
    const { items } = await served.activate(id)
    expect(items?.[0]?.outcome).toBe('failed')
    expect(items?.[0]?.message).toMatch(sentence(used, inside))
    expect(['conflict', 'dependencyBlocked']).toContain(items?.[1]?.outcome)
  })
})
