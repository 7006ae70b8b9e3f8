import { eventually } from '@pulseward/testing'
import { describe, expect, it, vi } from 'vitest'
import { PackedReader } from '../platform/packed-strings.ts'
import { DeskUnderTest, http, refusalOf } from './desk.fixture.ts'

describe('a monitor that is created', () => {
  it('is stored, told of, and checked', async () => {
    await using w = await DeskUnderTest.start()
    const { resource, outcome } = await w.monitor('shop')
    expect(outcome).toBe('created')
    expect(resource).toMatchObject({ id: 'shop', uid: 'uid-1', change: 1, generation: 1 })
    expect(await w.desk.find('Monitor', 'shop')).toEqual(resource)
    w.tested.advance(60_000)
    expect(w.tested.started[0]?.monitorId).toBe('shop')
    expect(await w.events()).toMatchObject([
      {
        type: 'resource_created',
        monitorId: 'shop',
        actor: 'ann',
        resource: { kind: 'Monitor', id: 'shop' },
      },
    ])
    expect(await w.store.readOperation(1)).toMatchObject({
      principal: 'ann',
      state: 'completed',
      write: { verb: 'created', kind: 'Monitor', id: 'shop', oldVersion: null, newVersion: '1.1' },
    })
  })

  it('has the number in history that it has in the fleet', async () => {
    await using w = await DeskUnderTest.start()
    await w.monitor('shop')
    const [created] = await w.events()
    expect(created?.numericId).toBe(w.tested.fleet.columns.numericId[w.tested.fleet.rowOf('shop')])
  })

  it('runs with the text that the next process will read, whatever the order of its keys', async () => {
    await using w = await DeskUnderTest.start()
    const driver = {
      type: 'http',
      config: { url: 'http://shop/', method: 'HEAD', headers: { b: '1', a: '2' } },
    }
    await w.monitor('shop', { check: { ...http.check, driver } })
    const { fleet } = w.tested
    const running = new PackedReader(fleet.definition.configs).get(fleet.rowOf('shop'))
    const stored = await w.store.readResource('Monitor', 'shop')
    expect(running).toBe(JSON.stringify(JSON.parse(stored?.spec ?? '').check.driver.config))
  })

  it('must not exist yet', async () => {
    await using w = await DeskUnderTest.start()
    await w.monitor('shop')
    expect(await refusalOf(w.monitor('shop'))).toBe('versionConflict')
    const both = await Promise.allSettled([w.monitor('twin'), w.monitor('twin')])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is refused with all that is wrong with it, and leaves nothing', async () => {
    await using w = await DeskUnderTest.start()
    expect(await refusalOf(w.monitor('shop', { dependsOn: ['none'] }))).toBe('invalidResource')
    expect(await w.desk.find('Monitor', 'shop')).toBe(undefined)
    expect(await w.events()).toEqual([])
  })

  it('is another incarnation when it was deleted before', async () => {
    await using w = await DeskUnderTest.start()
    const first = await w.monitor('shop')
    await w.desk.remove('Monitor', 'shop', first.resource.change, w.by())
    expect(w.tested.fleet.rowOf('shop')).toBe(-1)
    const second = await w.monitor('shop')
    expect(second.resource).toMatchObject({ uid: 'uid-2', generation: 1, change: 3 })
  })

  it('does not count on from the incarnation before, over a kill in the next moment either', async () => {
    await using w = await DeskUnderTest.start()
    const first = await w.monitor('shop')
    await w.desk.remove('Monitor', 'shop', first.resource.change, w.by())
    const commits = vi.spyOn(w.store, 'commit')
    await w.monitor('shop')
    await eventually(() =>
      expect(commits.mock.calls.flatMap(([{ blocks }]) => blocks.map(({ block }) => block))).toEqual([0]),
    )
  })
})

describe('an edit', () => {
  const sentOf = (patched: unknown) => patched as never

  it('is made on the version that was seen, and on no other: of two, one wins', async () => {
    await using w = await DeskUnderTest.start()
    const { resource } = await w.monitor('shop')
    const patch = (tags: string[]) =>
      w.desk.patch('Monitor', 'shop', { spec: { tags } }, resource.change, w.by(), sentOf)
    const both = await Promise.allSettled([patch(['a']), patch(['b'])])
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    expect(await w.desk.find('Monitor', 'shop')).toMatchObject({ spec: { tags: ['a'] }, change: 2 })
    expect(await refusalOf(patch(['c']))).toBe('versionConflict')
  })

  it('raises the generation only when it changes the spec', async () => {
    await using w = await DeskUnderTest.start()
    await w.monitor('shop')
    const patch = async (patch: object, version: number) =>
      (await w.desk.patch('Monitor', 'shop', patch as never, version, w.by(), sentOf)).resource
    const named = await patch({ metadata: { name: 'Shop', labels: { team: 'a' } } }, 1)
    expect(named).toMatchObject({ change: 2, generation: 1, name: 'Shop', labels: { team: 'a' } })
    expect(await patch({ spec: { tags: ['x'] } }, 2)).toMatchObject({ change: 3, generation: 2 })
    expect(w.tested.fleet.nameOf(w.tested.fleet.rowOf('shop'))).toBe('Shop')
  })

  it('that changes nothing makes no version and tells of nothing, but leaves its operation', async () => {
    await using w = await DeskUnderTest.start()
    await w.monitor('shop')
    const sent = { metadata: { id: 'shop' }, spec: http }
    const { resource, outcome } = await w.desk.replace('Monitor', sent, 1, w.by())
    expect([resource.change, outcome]).toEqual([1, 'unchanged'])
    expect(await w.events()).toHaveLength(1)
    expect(await w.store.readOperation(2)).toMatchObject({
      outcome: 'unchanged',
      write: { verb: 'unchanged', id: 'shop', oldVersion: '1.1', newVersion: '1.1' },
    })
    await w.desk.patch('Monitor', 'shop', { spec: { tags: ['x'] } }, 1, w.by(), sentOf)
    expect((await w.events()).map(({ type }) => type)).toEqual(['resource_created', 'resource_updated'])
  })

  it('says what it changed', async () => {
    await using w = await DeskUnderTest.start()
    await w.monitor('shop')
    await w.desk.patch('Monitor', 'shop', { spec: { enabled: false } }, 1, w.by('ben'), sentOf)
    expect((await w.events()).at(-1)).toMatchObject({
      type: 'resource_updated',
      actor: 'ben',
      changes: [{ field: '/spec/enabled', after: 'false' }],
    })
  })

  it('of something that is not there is refused', async () => {
    await using w = await DeskUnderTest.start()
    expect(await refusalOf(w.desk.remove('Monitor', 'none', 1, w.by()))).toBe('notFound')
  })
})

describe('what others refer to', () => {
  it('stays: monitors, endpoints, groups and credentials', async () => {
    await using w = await DeskUnderTest.start()
    await w.create('Credential', 'hook', { value: 'https://hooks.slack.com/services/T/B/X' })
    await w.create('NotificationEndpoint', 'chat', {
      type: 'slack',
      config: {},
      credentialRefs: { hook: 'hook' },
    })
    await w.create('NotificationGroup', 'ops', { endpointRefs: ['chat'] })
    await w.monitor('switch')
    const shop = await w.monitor('shop', {
      dependsOn: ['switch'],
      notifications: { red: { groupRefs: ['ops'] } },
    })
    const remove = (kind: Parameters<typeof w.desk.remove>[0], id: string, change: number) =>
      refusalOf(w.desk.remove(kind, id, change, w.by()))
    expect(await remove('Credential', 'hook', 1)).toBe('resourceReferenced')
    expect(await remove('NotificationEndpoint', 'chat', 2)).toBe('resourceReferenced')
    expect(await remove('NotificationGroup', 'ops', 3)).toBe('resourceReferenced')
    expect(await remove('Monitor', 'switch', 4)).toBe('resourceReferenced')
    await w.desk.remove('Monitor', 'shop', shop.resource.change, w.by())
    for (const [kind, id, change] of [
      ['Monitor', 'switch', 4],
      ['NotificationGroup', 'ops', 3],
      ['NotificationEndpoint', 'chat', 2],
      ['Credential', 'hook', 1],
    ] as const)
      await w.desk.remove(kind, id, change, w.by())
    expect(w.tested.fleet.definition.endpoints.size).toBe(0)
  })

  it('is not deleted without a word about who refers to it', async () => {
    await using w = await DeskUnderTest.start()
    await w.create('NotificationEndpoint', 'chat', { type: 'log', config: {} })
    await w.create('NotificationGroup', 'ops', { endpointRefs: ['chat'] })
    await w.create('Route', 'nightly', { match: { tag: 'edge' }, colors: ['red'], endpointRefs: ['chat'] })
    await w.monitor('switch')
    await w.monitor('shop', { dependsOn: ['switch'], notifications: { red: { endpointRefs: ['chat'] } } })
    const refusalFor = (kind: Parameters<typeof w.desk.remove>[0], id: string, change: number) =>
      w.desk.remove(kind, id, change, w.by()).catch(({ message }: Error) => message)
    expect(await refusalFor('NotificationEndpoint', 'chat', 1)).toBe(
      'Something still refers to the NotificationEndpoint chat: notification-group/ops, route/nightly, some monitors.',
    )
    expect(await refusalFor('Monitor', 'switch', 4)).toBe(
      'Something still refers to the Monitor switch: some monitors.',
    )
  })

  it('is not deleted while a write that refers to it is being stored, nor referred to while it is being deleted', async () => {
    await using w = await DeskUnderTest.start()
    await w.monitor('switch')
    const created = w.monitor('shop', { dependsOn: ['switch'] })
    const deleted = refusalOf(w.desk.remove('Monitor', 'switch', 1, w.by()))
    await created
    expect(await deleted).toBe('resourceReferenced')
    await w.monitor('other')
    const removing = w.desk.remove('Monitor', 'other', 3, w.by())
    const late = w.monitor('late', { dependsOn: ['other'] })
    const [removed, referred] = await Promise.allSettled([removing, late])
    // Whichever turn came first, the other one saw it.
    expect([removed.status, referred.status].sort()).toEqual(['fulfilled', 'rejected'])
    const refused = removed.status === 'rejected' ? removing : late
    expect(['resourceReferenced', 'invalidResource']).toContain(await refusalOf(refused))
  })
})

describe('a credential', () => {
  it('keeps its value when an edit has none, and its value stays out of what is stored in the open', async () => {
    await using w = await DeskUnderTest.start()
    const { resource } = await w.create('Credential', 'word', { value: 'hunter2', description: 'a' })
    expect(JSON.stringify(await w.store.readResource('Credential', 'word'))).not.toContain('hunter2')
    const described = { metadata: { id: 'word' }, spec: { description: 'b' } }
    const edited = await w.desk.replace('Credential', described, resource.change, w.by())
    expect(edited.resource).toMatchObject({ change: 2, spec: { description: 'b' }, sealed: resource.sealed })
    expect(w.registry.credentialValue('word')).toBe('hunter2')
    const same = { metadata: { id: 'word' }, spec: { value: 'hunter2', description: 'b' } }
    expect((await w.desk.replace('Credential', same, 2, w.by())).outcome).toBe('unchanged')
    const another = { metadata: { id: 'word' }, spec: { value: 'hunter3', description: 'b' } }
    expect((await w.desk.replace('Credential', another, 2, w.by())).resource.generation).toBe(3)
    expect(w.registry.credentials().get('v2/word')).toBe('hunter3')
    const events = await w.events()
    expect(JSON.stringify(events)).not.toMatch(/hunter/)
    expect(events.at(-1)?.changes).toEqual([
      { field: '/spec/value', before: '[REDACTED]', after: '[REDACTED]' },
    ])
  })
})

describe('a full disk', () => {
  it('refuses writes, and nothing of them is there when it works again', async () => {
    await using w = await DeskUnderTest.start()
    await w.monitor('before')
    w.isFull = true
    const writes = [w.monitor('one'), w.monitor('two', { dependsOn: ['one'] }), w.monitor('three')]
    expect(await Promise.all(writes.map(refusalOf))).toEqual(['unavailable', 'unavailable', 'unavailable'])
    expect(w.registry.has('Monitor', 'one')).toBe(false)
    expect(await refusalOf(w.monitor('four'))).toBe('unavailable')
    const same = w.desk.replace('Monitor', { metadata: { id: 'before' }, spec: http }, 1, w.by())
    expect(await refusalOf(same)).toBe('unavailable')
    w.isFull = false
    await expect.poll(() => w.tested.engine.isPaused).toBe(false)
    expect(await w.desk.find('Monitor', 'one')).toBe(undefined)
    expect((await w.events()).map(({ monitorId }) => monitorId)).toEqual(['before'])
    await w.monitor('one')
    expect(w.tested.fleet.rowOf('one')).not.toBe(-1)
  })

  it('keeps no number from being stored: neither that of a monitor that is created again, nor a new revision', async () => {
    await using w = await DeskUnderTest.start()
    const commits = vi.spyOn(w.store, 'commit')
    const shop = await w.monitor('shop')
    // Nothing else is to be stored of this, so its new revision waits for a checkpoint.
    const revised = await w.desk.replace('Monitor', slower('shop'), shop.resource.change, w.by())
    w.isFull = true
    const refused = [
      w.desk.replace('Monitor', disabled('shop'), revised.resource.change, w.by()),
      w.monitor('one'),
    ]
    expect(await Promise.all(refused.map(refusalOf))).toEqual(['unavailable', 'unavailable'])
    w.isFull = false
    await expect.poll(() => w.tested.engine.isPaused).toBe(false)
    await w.monitor('one')
    await w.tested.engine.stop()
    const ofShop = commits.mock.calls.flatMap(([batch]) =>
      batch.identities.filter(({ monitorId }) => monitorId === 'shop'),
    )
    expect(ofShop.at(-1)).toMatchObject({ revision: 2 })
    const created = commits.mock.calls.flatMap(([batch]) =>
      batch.events.some(({ monitorId }) => monitorId === 'one') ? batch.identities : [],
    )
    expect(created.map(({ monitorId }) => monitorId)).toContain('one')
  })

  it('takes back nothing of what others have written, and is on its way, when the service stops', async () => {
    await using w = await DeskUnderTest.start()
    const first = w.create('NotificationEndpoint', 'hook', {
      type: 'webhook',
      config: { url: 'https://hooks.test/' },
    })
    await decided(() => w.registry.has('NotificationEndpoint', 'hook'))
    const stopped = w.tested.engine.stop()
    expect(await refusalOf(w.monitor('late'))).toBe('unavailable')
    await first
    expect(w.registry.find('NotificationEndpoint', 'hook')).toBeDefined()
    await stopped
  })
})

describe('a write whose turn fails', () => {
  it('leaves nothing, and later writes are shown and run as they were sent', async () => {
    await using under = await DeskUnderTest.start()
    const { desk, registry, tested } = under
    const { engine } = tested
    const request = engine.request.bind(engine)
    engine.request = (unstored, work) =>
      request(unstored, (turn) => {
        const keep = (...[one]: Parameters<typeof turn.keep>) => {
          turn.keep(one)
          throw new Error('a mistake of ours')
        }
        work(Object.create(turn, { keep: { value: keep } }))
      })
    const hook = (host: string) => ({ type: 'webhook', config: { url: `https://${host}.test/` } })
    await expect(under.create('NotificationEndpoint', 'lost', hook('lost'))).rejects.toThrow('a mistake')
    await expect(under.monitor('lost')).rejects.toThrow('a mistake')
    engine.request = request
    expect([registry.has('NotificationEndpoint', 'lost'), registry.has('Monitor', 'lost')]).toEqual([
      false,
      false,
    ])
    await under.create('NotificationEndpoint', 'hook', hook('one'))
    await under.monitor('shop')
    const { resource } = await under.create('NotificationEndpoint', 'other', hook('two'))
    const found = async (id: string) => (await desk.find('NotificationEndpoint', id))?.spec
    expect([await found('hook'), await found('other')]).toEqual([hook('one'), hook('two')])
    expect(tested.fleet.rowOf('shop')).not.toBe(-1)
    const sent = { metadata: { id: 'other' }, spec: hook('three') }
    await desk.replace('NotificationEndpoint', sent, resource.change, under.by())
    expect(await found('other')).toEqual(hook('three'))
    // Nothing of what failed was stored with what came after it.
    expect((await under.events()).map(({ resource }) => resource?.id)).not.toContain('lost')
  })
})

describe('writes that are committed together', () => {
  it('go into the fleet as one amendment, and are all there before any of them is answered', async () => {
    await using w = await DeskUnderTest.start()
    await Promise.all(['a', 'b', 'c'].map((id) => w.monitor(id)))
    w.amendments.length = 0
    const { fleet } = w.tested
    const ids = Array.from({ length: 20 }, (_, number) => `m-${number}`)
    const seen = await Promise.all([
      w.desk.remove('Monitor', 'b', 2, w.by()).then(() => fleet.rowOf('b')),
      ...ids.map((id) => w.monitor(id).then(() => fleet.rowOf(id))),
    ])
    expect(seen[0]).toBe(-1)
    expect(seen.slice(1)).not.toContain(-1)
    expect(w.amendments.reduce((sum, rows) => sum + rows)).toBe(ids.length + 1)
    expect(w.amendments.length).toBeLessThan(5)
    expect(fleet.counts.total).toBe(ids.length + 2)
  })
})

describe('what is being committed', () => {
  const hook = (url: string) => ({ type: 'webhook', config: { url } })

  it('is neither shown nor run before it is on disk', async () => {
    await using w = await DeskUnderTest.start()
    const created = w.create('NotificationEndpoint', 'hook', hook('https://one.test/'))
    await decided(() => w.registry.has('NotificationEndpoint', 'hook'))
    expect(await w.desk.find('NotificationEndpoint', 'hook')).toBe(undefined)
    expect(w.registry.head().endpoints.has('hook')).toBe(false)
    await created
    expect(await w.desk.find('NotificationEndpoint', 'hook')).toMatchObject({ change: 1 })
    expect(w.tested.fleet.definition.endpoints.has('hook')).toBe(true)
  })

  it('keeps files from having it', async () => {
    await using w = await DeskUnderTest.start()
    const created = w.monitor('shop')
    await decided(() => w.registry.has('Monitor', 'shop'))
    expect(w.tested.fleet.rowOf('shop')).toBe(-1)
    expect(w.registry.isManaged('Monitor', 'shop')).toBe(true)
    const { resource } = await created
    const removed = w.desk.remove('Monitor', 'shop', resource.change, w.by())
    await decided(() => !w.registry.has('Monitor', 'shop'))
    expect(w.registry.isManaged('Monitor', 'shop')).toBe(true)
    await removed
    expect(w.registry.isManaged('Monitor', 'shop')).toBe(false)
  })
})

function slower(id: string) {
  return { metadata: { id }, spec: { check: { ...http.check, interval: '20s' } } }
}

function disabled(id: string) {
  return { metadata: { id }, spec: { ...http, enabled: false } }
}

/** Comes back before a disk could have answered. */
async function decided(isSo: () => boolean): Promise<void> {
  for (let microtask = 0; microtask < 50 && !isSo(); microtask++) await Promise.resolve()
  expect(isSo()).toBe(true)
}
