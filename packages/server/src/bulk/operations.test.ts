// Operations of many items over HTTP, against the edition next on a store in files.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { v2 } from '@pulseward/contract'
import { expectV2Answer } from '@pulseward/testing/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  credential,
  digestOf,
  endpoint,
  group,
  itemsOf,
  monitor,
  outcomesOf,
  ServedBulk,
} from './served.fixture.ts'

const fleet = {
  version: 1,
  endpoints: { 'file-mail': { type: 'log', config: {} } },
  monitors: [
    { id: 'of-a-file', name: 'Of a file', check: { type: 'http', config: { url: 'http://127.0.0.1:9/' } } },
  ],
}

let served: ServedBulk
beforeAll(async () => {
  served = await ServedBulk.start({ fleet })
})
afterAll(() => served[Symbol.asyncDispose]())

const onlyRed = (endpointRefs: string[], groupRefs: string[] = []) => ({
  notifications: { red: { endpointRefs, groupRefs } },
})

describe('an operation', () => {
  it('applies a collection in the order of dependencies, whatever the order of upload', async () => {
    const id = await served.staged(
      monitor('order-child', { dependsOn: ['order-parent', 'of-a-file'], ...onlyRed([], ['order-group']) }),
      group('order-group', 'order-hook', 'file-mail'),
      monitor('order-parent', onlyRed(['order-hook'])),
      endpoint('order-hook'),
    )
    expect(await served.read(id)).toMatchObject({
      state: 'validated',
      itemCount: 4,
      uploaded: 4,
      validated: true,
      committed: 0,
    })
    expect(await served.monitorIds()).not.toContain('order-parent')
    const operation = await served.activate(id)
    expect(operation).toMatchObject({ state: 'completed', committed: 4, applied: 4 })
    expect(outcomesOf(operation)).toEqual([
      'NotificationEndpoint/order-hook created',
      'NotificationGroup/order-group created',
      'Monitor/order-parent created',
      'Monitor/order-child created',
    ])
    const found = await served.call('GetMonitor', { id: 'order-child' })
    const { metadata, status } = await expectV2Answer('GetMonitor', found)
    expect(metadata.resourceVersion).toBe(operation.items?.at(-1)?.newVersion)
    expect(status?.observedGeneration).toBe(1)
    const history = await served.call('GetHistory', { query: '?monitorID=order-child' })
    const { items } = await expectV2Answer('GetHistory', history)
    expect(items).toMatchObject([
      { kind: 'resource_created', actor: 'first', resource: { id: 'order-child' } },
    ])
  })

  it('leaves what is the same unchanged, and tells what was changed', async () => {
    const before = [
      monitor('same-1'),
      monitor('same-2', { tags: ['a'] }, { labels: { b: '1', 10: 'x', 9: 'y' } }),
    ]
    const first = await served.apply(...before)
    const again = await served.apply(...before)
    expect(again).toMatchObject({ state: 'completed', committed: 2 })
    expect(outcomesOf(again)).toEqual(['Monitor/same-1 unchanged', 'Monitor/same-2 unchanged'])
    expect(again.items?.map(({ newVersion }) => newVersion)).toEqual(
      first.items?.map(({ newVersion }) => newVersion),
    )
    const changed = await served.apply(monitor('same-1'), monitor('same-2', { tags: ['b'] }))
    expect(outcomesOf(changed)).toEqual(['Monitor/same-1 unchanged', 'Monitor/same-2 updated'])
    const { items } = await expectV2Answer(
      'GetHistory',
      await served.call('GetHistory', { query: '?monitorID=same-2' }),
    )
    expect(items.at(-1)).toMatchObject({ kind: 'resource_updated', actor: 'first' })
    expect(items.at(-1)?.changes?.map(({ field }) => field)).toContain('/spec/tags')
  })

  it('takes the same items again, and answers activate and validate again without doing anything twice', async () => {
    const items = itemsOf(monitor('again-1'), monitor('again-2'))
    const id = await served.create(items)
    await served.upload(id, items.slice(0, 1))
    expect(await served.upload(id, items)).toMatchObject({ uploaded: 2, state: 'staging' })
    expect(await served.upload(id, items)).toMatchObject({ uploaded: 2 })
    expect(await served.validate(id)).toMatchObject({
      valid: true,
      items: [{ outcome: 'created' }, { outcome: 'created' }],
    })
    const operation = await served.activate(id)
    expect(await served.activate(id)).toEqual(operation)
    expect(await served.validate(id)).toMatchObject({ valid: true })
  })

  it('gives its outcomes page by page, under a cursor that is good for no other operation', async () => {
    const resources = Array.from({ length: 7 }, (_, n) => monitor(`page-${n}`))
    const { id } = await served.apply(...resources)
    const first = await served.read(id, '?limit=3')
    const second = await served.read(id, `?limit=3&cursor=${first.nextCursor}`)
    const third = await served.read(id, `?limit=3&cursor=${second.nextCursor}`)
    expect([first, second, third].flatMap(outcomesOf)).toEqual(
      resources.map(({ metadata }) => `Monitor/${metadata.id} created`),
    )
    expect(third).not.toHaveProperty('nextCursor')
    const other = await served.apply(monitor('page-other'))
    const query = `?limit=3&cursor=${first.nextCursor}`
    await served.refusal('GetOperation', { id: other.id, query }, 'invalidCursor')
  })
})

describe('a call that does not fit is refused, and says why:', () => {
  const two = itemsOf(monitor('refused-1'), monitor('refused-2'))

  it('items beyond those that were announced', async () => {
    const id = await served.create(two.slice(0, 1))
    expect(await served.refusal('UploadOperation', { id, body: { items: two } })).toBe(
      'The operation was created for 1 items, and this upload would make 2.',
    )
    expect(await served.read(id)).toMatchObject({ uploaded: 0 })
  })

  it('other content under the id of an item, of whatever kind', async () => {
    const items = itemsOf(monitor('refused-3'), credential('refused-secret', 'one'))
    const id = await served.create(items)
    await served.upload(id, items)
    for (const [index, other] of [
      monitor('refused-3', { tags: ['x'] }),
      credential('refused-secret', 'two'),
    ].entries()) {
      const [item] = itemsOf(other)
      const detail = await served.refusal('UploadOperation', { id, body: { items: [item] } })
      expect(detail).toBe(
        `The item ${items[index]?.id} was uploaded before with other content; an item cannot be changed once it is uploaded.`,
      )
    }
    const opaque = [{ ...items[0]!, contentDigest: 'mine' }]
    expect(await served.refusal('UploadOperation', { id, body: { items: opaque } })).toContain(
      'with other content',
    )
    expect(await served.upload(id, items)).toMatchObject({ uploaded: 2 })
  })

  it('the wrong digest of an item', async () => {
    const [item] = two
    const id = await served.create([item!])
    const wrong = { ...item!, contentDigest: `sha256:${'0'.repeat(64)}` }
    expect(await served.refusal('UploadOperation', { id, body: { items: [wrong] } })).toBe(
      'The content of the item Monitor/refused-1 is not what its digest says; send it again, or with its own digest.',
    )
  })

  it('the wrong digest of a collection, also after a restart of the service', async () => {
    const id = await served.create(two, digestOf(two.toReversed()))
    await served.upload(id, two)
    const sentence = /^The items that were uploaded are not the collection/
    expect(await served.refusal('ValidateOperation', { id })).toMatch(sentence)
    const right = await served.create(two)
    await served.upload(right, two)
    await served.restart()
    expect(await served.refusal('ValidateOperation', { id })).toMatch(sentence)
    expect(await served.validate(right)).toMatchObject({ valid: true })
  })

  it('validation of a part, activation without validation, and items after it', async () => {
    const id = await served.create(two)
    await served.upload(id, two.slice(0, 1))
    expect(await served.refusal('ValidateOperation', { id })).toBe(
      'Of the 2 items of the collection 1 are uploaded; upload the rest first.',
    )
    expect(await served.refusal('ActivateOperation', { id })).toMatch(
      /^The collection has not been validated/,
    )
    await served.upload(id, two)
    await served.validate(id)
    expect(await served.refusal('UploadOperation', { id, body: { items: two } })).toMatch(
      /^The collection is complete/,
    )
  })

  it('the cancelling of what has ended', async () => {
    const { id } = await served.apply(monitor('refused-4'))
    expect(await served.refusal('CancelOperation', { id })).toBe(
      'The operation has ended: it is completed. What was applied is not undone.',
    )
  })

  it('calls of an operation that was never given, and of one of a single write', async () => {
    for (const name of [
      'UploadOperation',
      'ValidateOperation',
      'ActivateOperation',
      'CancelOperation',
    ] as const) {
      const body = name === 'UploadOperation' ? { body: { items: [] } } : {}
      await served.refusal(name, { id: 'bulk-1-0000000000000000', ...body }, 'notFound')
      await served.refusal(name, { id: 'x', ...body }, 'notFound')
    }
    await served.refusal('GetOperation', { id: 'bulk-1-0000000000000000' }, 'notFound')
    const created = await served.call('CreateMonitor', {
      body: monitor('single'),
      headers: { 'if-none-match': '*' },
    })
    const id = created.headers.get('x-operation-id') ?? ''
    await served.refusal('CancelOperation', { id })
  })

  it('bodies that are not what the contract says, with the place of every mistake', async () => {
    const id = await served.create(two)
    const [item] = two
    const body = { items: [item, { ...item, colour: 'red', resource: { ...item!.resource, spec: {} } }] }
    const response = await served.call('UploadOperation', { id, body })
    expect(response.status).toBe(400)
    const { errors } = (await response.json()) as v2.Problem
    expect(errors?.map(({ field }) => field)).toEqual(
      expect.arrayContaining(['/items/1/colour', '/items/1/resource/spec/check']),
    )
    await served.refusal('UploadOperation', { id, body: '{"items":[' }, 'invalidBody')
    await served.refusal(
      'UploadOperation',
      { id, body, headers: { 'content-type': 'text/plain' } },
      'unsupportedMediaType',
    )
    expect(await served.read(id)).toMatchObject({ uploaded: 0, state: 'staging' })
  })
})

describe('a collection with mistakes', () => {
  it('changes nothing, and names the item by its source, the place and the mistake', async () => {
    const right = Array.from({ length: 600 }, (_, n) => monitor(`wrong-${n}`))
    const wrong = monitor('wrong-one', {
      check: {
        driver: { type: 'http', config: { url: 'http://127.0.0.1:9/', metod: 'GET' } },
        interval: '1h',
        timeout: '2h',
      },
      ...onlyRed(['nowhere']),
    })
    const id = await served.staged(...right.slice(0, 400), wrong, ...right.slice(400))
    const operation = await served.read(id)
    expect(operation).toMatchObject({
      state: 'rejected',
      committed: 0,
      reason: '1 of 601 items is wrong; nothing was changed.',
    })
    expect(outcomesOf(operation)).toEqual(['Monitor/wrong-one failed'])
    const message = operation.items?.[0]?.message ?? ''
    expect(message).toMatch(/^fleet\.yaml:401: /)
    for (const place of [
      '/spec/check/driver/config/metod',
      '/spec/check/timeout',
      '/spec/notifications/red/endpointRefs/0',
    ])
      expect(message).toContain(place)
    expect(await served.validate(id)).toMatchObject({
      valid: false,
      items: [{ id: 'Monitor/wrong-one', outcome: 'failed' }],
    })
    expect(await served.monitorIds()).not.toContain('wrong-0')
    await served.refusal('ActivateOperation', { id })
    expect(
      readdirSync(served.folder.path('data/staging')).filter((name) => name.includes(`-${numberIn(id)}.`)),
    ).toEqual([])
  })

  it('lists the first thousand failed items, and says how many there are', async () => {
    const wrong = Array.from({ length: 1_100 }, (_, n) => monitor(`many-${n}`, { dependsOn: ['nobody'] }))
    const id = await served.staged(...wrong)
    let operation = await served.read(id, '?limit=500')
    expect(operation.reason).toBe(
      '1100 of 1100 items are wrong; nothing was changed. The first 1000 are named.',
    )
    const listed = [...(operation.items ?? [])]
    while (operation.nextCursor !== undefined) {
      operation = await served.read(id, `?limit=500&cursor=${operation.nextCursor}`)
      listed.push(...(operation.items ?? []))
    }
    expect(listed).toHaveLength(1_000)
    expect(listed[999]).toMatchObject({ id: 'Monitor/many-999', outcome: 'failed' })
    expect((await served.validate(id)).items).toHaveLength(500)
  })

  it('is refused for what files manage, for circles, and for a resource that is in it twice', async () => {
    await served.apply(monitor('ring-1'), monitor('ring-2', { dependsOn: ['ring-1'] }))
    const [twice, again] = itemsOf(monitor('twice'), monitor('twice', { tags: ['x'] }))
    const items = [
      ...itemsOf(
        monitor('of-a-file'),
        endpoint('file-mail'),
        monitor('ring-1', { dependsOn: ['ring-2'] }),
        monitor('loop-1', { dependsOn: ['loop-2'] }),
        monitor('loop-2', { dependsOn: ['loop-1'] }),
        monitor('self', { dependsOn: ['self'] }),
        monitor('behind', { dependsOn: ['loop-1'] }),
      ),
      twice!,
      { ...again!, id: 'another' },
    ]
    const id = await served.create(items)
    await served.upload(id, items)
    expect((await served.validate(id)).valid).toBe(false)
    const { items: failed = [] } = await served.read(id)
    const words = Object.fromEntries(
      failed.map(({ id: item, message }) => [item, message?.replace(/^[^ ]+ /, '')]),
    )
    expect(words).toEqual({
      'Monitor/of-a-file': '/metadata/id: is a Monitor of a fleet file; change it there.',
      'NotificationEndpoint/file-mail':
        '/metadata/id: is a NotificationEndpoint of a fleet file; change it there.',
      'Monitor/ring-1':
        '/spec/dependsOn: depends on itself: "ring-1" → "ring-2" → "ring-1"; remove one of these dependencies.',
      'Monitor/loop-1':
        '/spec/dependsOn: depends on itself: "loop-1" → "loop-2" → "loop-1"; remove one of these dependencies.',
      'Monitor/loop-2':
        '/spec/dependsOn: depends on itself: "loop-2" → "loop-1" → "loop-2"; remove one of these dependencies.',
      'Monitor/self': expect.stringContaining('depends on itself'),
      another: '/metadata/id: is in the collection twice; it is also the item Monitor/twice of fleet.yaml:1.',
    })
  })
})

describe('every item is compared with the version that is there', () => {
  it('and conflicts when it was changed, created or deleted since validation; what names it is blocked', async () => {
    await served.apply(endpoint('cas-hook'), monitor('cas-changed'), monitor('cas-gone'))
    const id = await served.staged(
      endpoint('cas-hook', { url: 'https://other.test/' }),
      group('cas-group', 'cas-hook'),
      monitor('cas-blocked', onlyRed([], ['cas-group'])),
      monitor('cas-child', { dependsOn: ['cas-changed'] }),
      monitor('cas-changed', { tags: ['mine'] }),
      monitor('cas-gone', { tags: ['mine'] }),
      monitor('cas-new', { tags: ['mine'] }),
      monitor('cas-free'),
    )
    await served.put(endpoint('cas-hook', { url: 'https://theirs.test/' }))
    await served.put(monitor('cas-changed', { tags: ['theirs'] }))
    await served.put(monitor('cas-new', { tags: ['theirs'] }))
    const gone = await served.call('GetMonitor', { id: 'cas-gone' })
    await served.call('DeleteMonitor', {
      id: 'cas-gone',
      headers: { 'if-match': gone.headers.get('etag') ?? '' },
    })
    const operation = await served.activate(id)
    expect(operation).toMatchObject({ state: 'partial', committed: 1 })
    expect(outcomesOf(operation).sort()).toEqual([
      'Monitor/cas-blocked dependencyBlocked',
      'Monitor/cas-changed conflict',
      'Monitor/cas-child dependencyBlocked',
      'Monitor/cas-free created',
      'Monitor/cas-gone conflict',
      'Monitor/cas-new conflict',
      'NotificationEndpoint/cas-hook conflict',
      'NotificationGroup/cas-group dependencyBlocked',
    ])
    expect(operation.reason).toBe(
      'Of its items, 4 met another version, 3 name something that was not written.',
    )
    const theirs = await expectV2Answer('GetMonitor', await served.call('GetMonitor', { id: 'cas-changed' }))
    expect(theirs.spec.tags).toEqual(['theirs'])
  })

  it('where the item names one, with that', async () => {
    const version = await served.put(monitor('expected'))
    await served.put(monitor('expected', { tags: ['newer'] }))
    const stale = { resourceVersion: version }
    const id = await served.staged(
      monitor('expected', { tags: ['mine'] }, stale),
      monitor('expected-none', {}, stale),
    )
    expect(await served.activate(id)).toMatchObject({
      state: 'failed',
      items: [{ outcome: 'conflict' }, { outcome: 'conflict' }],
    })
    const { metadata } = await expectV2Answer(
      'GetMonitor',
      await served.call('GetMonitor', { id: 'expected' }),
    )
    const current = metadata.resourceVersion ?? ''
    const right = monitor('expected', { tags: ['mine'] }, { resourceVersion: current })
    expect(outcomesOf(await served.apply(right))).toEqual(['Monitor/expected updated'])
  })

  it('and what it names must still be there', async () => {
    await served.apply(endpoint('left'))
    const id = await served.staged(monitor('leaver', onlyRed(['left'])))
    const found = await served.call('GetNotificationEndpoint', { id: 'left' })
    await served.call('DeleteNotificationEndpoint', {
      id: 'left',
      headers: { 'if-match': found.headers.get('etag') ?? '' },
    })
    const operation = await served.activate(id)
    expect(operation).toMatchObject({ state: 'failed', items: [{ outcome: 'failed' }] })
    expect(operation.items?.[0]?.message).toBe(
      '/spec/notifications/red/endpointRefs/0: there is no endpoint "left".',
    )
  })
})

describe('credentials in a collection', () => {
  it('get no value that is wrong for what takes it, unless that is changed with it', async () => {
    const at = (id: string, driver: object) =>
      monitor(id, { check: { driver: { type: 'http', ...driver }, interval: '1h', timeout: '5s' } })
    const byReference = { config: {}, credentialRefs: { url: 'address' } }
    await served.apply(credential('address', 'http://127.0.0.1:9/'), at('takes-address', byReference))
    const wrong = credential('address', 'nowhere at all')
    const refused = await served.validate(await served.staged(wrong))
    expect(refused.valid).toBe(false)
    expect(refused.items?.[0]?.message).toMatch(
      /^fleet\.yaml:1: \/spec\/value: does not fit monitor\/takes-address at \/spec\/check\/driver\/credentialRefs\/url; expected: /,
    )
    expect(JSON.stringify(refused)).not.toContain('nowhere at all')
    const together = [wrong, at('takes-address', { config: { url: 'http://127.0.0.1:9/' } })] as const
    expect(outcomesOf(await served.apply(...together))).toEqual([
      'Credential/address updated',
      'Monitor/takes-address updated',
    ])
  })

  const secret = 'correct-horse-battery-staple'
  const withToken = (id: string) =>
    monitor(id, {
      check: {
        driver: {
          type: 'http',
          config: { url: 'http://127.0.0.1:9/' },
          credentialRefs: { 'auth.bearer': 'bulk-token' },
        },
        interval: '1h',
        timeout: '5s',
      },
    })

  it('are sealed before they are staged, and so is the digest that would tell them', async () => {
    const [item] = itemsOf(credential('bulk-token', secret))
    const id = await served.create([item!])
    await served.upload(id, [item!])
    const folder = served.folder.path('data/staging')
    const files = readdirSync(folder).map((name) => join(folder, name))
    const bytes = Buffer.concat(files.map((file) => readFileSync(file))).toString('latin1')
    expect(bytes).toContain('bulk-token')
    expect(bytes).not.toContain(secret)
    expect(bytes).not.toContain(item!.contentDigest.slice(7))
    for (const file of files) expect(statSync(file).mode & 0o077).toBe(0)
    await served.call('CancelOperation', { id })
  })

  it('come before what names them; an equal value is unchanged, and another one is not', async () => {
    const operation = await served.apply(withToken('with-token'), credential('bulk-token', secret))
    expect(outcomesOf(operation)).toEqual(['Credential/bulk-token created', 'Monitor/with-token created'])
    expect(JSON.stringify(operation)).not.toContain(secret)
    expect(outcomesOf(await served.apply(credential('bulk-token', secret)))).toEqual([
      'Credential/bulk-token unchanged',
    ])
    expect(outcomesOf(await served.apply(credential('bulk-token')))).toEqual([
      'Credential/bulk-token unchanged',
    ])
    expect(outcomesOf(await served.apply(credential('bulk-token', `${secret}!`)))).toEqual([
      'Credential/bulk-token updated',
    ])
    const { metadata, status } = await expectV2Answer(
      'GetCredential',
      await served.call('GetCredential', { id: 'bulk-token' }),
    )
    expect(metadata.generation).toBe(2)
    expect(status).toMatchObject({ available: true })
  })

  it('must have a value when they are new, and one that is not a placeholder', async () => {
    const id = await served.staged(credential('valueless'), credential('hidden', '[REDACTED]'))
    const { items = [] } = await served.read(id)
    expect(items.map(({ message }) => message)).toEqual([
      'fleet.yaml:1: /spec/value: is missing: a new credential needs a value.',
      'fleet.yaml:2: /spec/value: is a placeholder and not a secret; leave it out to keep the value.',
    ])
  })
})

describe('a preflight', () => {
  it('says what would become of a collection, and keeps nothing of it', async () => {
    await served.apply(monitor('known'))
    const items = itemsOf(monitor('known'), monitor('unknown'), credential('asked', 'a value'))
    const response = await served.call('PreflightCollection', { body: { items } })
    expect(await expectV2Answer('PreflightCollection', response)).toMatchObject({
      valid: true,
      contentDigest: digestOf(items),
      items: [
        { id: 'Monitor/known', outcome: 'unchanged' },
        { id: 'Monitor/unknown', outcome: 'created' },
        { id: 'Credential/asked', outcome: 'created' },
      ],
    })
    expect(await served.monitorIds()).not.toContain('unknown')
  })

  it('names what is wrong by its place in the request', async () => {
    const items = itemsOf(monitor('fine'), monitor('off', { dependsOn: ['nobody'] }))
    const answer = await expectV2Answer(
      'PreflightCollection',
      await served.call('PreflightCollection', { body: { items } }),
    )
    expect(answer).toMatchObject({
      valid: false,
      items: [
        {
          id: 'Monitor/off',
          outcome: 'failed',
          message: 'fleet.yaml:2: /spec/dependsOn/0: there is no monitor "nobody".',
        },
      ],
      errors: [{ field: '/items/1/resource/spec/dependsOn/0' }],
    })
  })
})

/** As the file of what is staged has it. */
function numberIn(id: string): number {
  return Number.parseInt(id.split('-')[1] ?? '', 36)
}
