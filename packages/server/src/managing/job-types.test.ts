import { describe, expect, it } from 'vitest'
import { externalType } from '../config/external-driver.ts'
import { versionProblem, type WrittenVersion, withVersion } from '../kinds/job-type-versions.ts'
import { fromStored } from '../kinds/managed-resource.ts'
import type { Json } from '../platform/json/json.ts'
import { PackedReader } from '../platform/packed-strings.ts'
import { DeskUnderTest, http, refusalOf } from './desk.fixture.ts'
import { WriteRefusal } from './write-refusal.ts'

const spec = {
  version: '1',
  kind: 'check',
  handler: 'queueDepth',
  protocolVersion: '1',
  parameterSchema: {
    type: 'object',
    properties: { queue: { type: 'string' }, limit: { type: 'integer' } },
    required: ['queue'],
    additionalProperties: false,
  },
  resultSchema: true,
}

const uses = (config: Json, more: { readonly [key: string]: Json } = {}) => ({
  check: { ...http.check, driver: { type: 'queue-depth', config, ...more } },
})

async function withJobType(): Promise<DeskUnderTest> {
  const w = await DeskUnderTest.start()
  await w.create('JobType', 'queue-depth', spec)
  return w
}

function replace(w: DeskUnderTest, change: { readonly [key: string]: Json }, id = 'queue-depth') {
  const version = w.registry.find('JobType', id)?.change ?? 0
  return w.desk.replace('JobType', { metadata: { id }, spec: { ...spec, ...change } }, version, w.by())
}

async function errorsOf(write: Promise<unknown>): Promise<string[]> {
  const error = await write.catch((refusal: unknown) => refusal)
  if (!(error instanceof WriteRefusal)) throw new Error('the write was not refused', { cause: error })
  return error.errors.map(({ field, message }) => `${field} ${message}`)
}

describe('a monitor of a job type', () => {
  it('is kept as it was written, and is external in the fleet', async () => {
    await using w = await withJobType()
    await w.monitor('mail', uses({ queue: 'mail' }, { credentialRefs: { profile: 'imap-eu' } }))
    const { fleet } = w.tested
    const row = fleet.rowOf('mail')
    expect(fleet.policyOf(row).type).toBe(externalType)
    expect(JSON.parse(new PackedReader(fleet.definition.configs).get(row))).toEqual({
      jobType: 'queue-depth',
      parameters: { queue: 'mail' },
      profile: 'imap-eu',
    })
    const kept = await w.desk.find('Monitor', 'mail')
    expect(kept?.spec).toMatchObject({
      check: { driver: { type: 'queue-depth', config: { queue: 'mail' } } },
    })
  })

  it('is told where its parameters do not fit, and of references that have no meaning', async () => {
    await using w = await withJobType()
    const wrong = uses(
      { limit: 'hunter2', depth: 1 },
      { credentialRefs: { profile: 'a', 'auth.bearer': 'b' } },
    )
    const errors = await errorsOf(w.monitor('mail', wrong))
    expect(errors.map((error) => error.split(' ')[0])).toEqual([
      '/spec/check/driver/config/queue',
      '/spec/check/driver/config/limit',
      '/spec/check/driver/config/depth',
      '/spec/check/driver/credentialRefs/auth.bearer',
    ])
    expect(errors.join()).not.toContain('hunter2')
  })

  it('may not be of a job type of another kind, of none, nor of what job types become', async () => {
    await using w = await withJobType()
    const recovery = { driver: { type: 'queue-depth', config: { queue: 'mail' } } }
    expect(await errorsOf(w.monitor('a', { recovery }))).toEqual([
      '/spec/recovery/driver/type is a job type of the kind check, not recovery',
    ])
    for (const type of ['queue-dept', externalType, 'constructor']) {
      const config = { jobType: 'queue-depth', parameters: { queue: 'a' }, profile: '' }
      const [error, ...others] = await errorsOf(
        w.monitor('a', { check: { ...http.check, driver: { type, config } } }),
      )
      expect(error).toMatch(
        /^\/spec\/check\/driver\/type there is no check of type .*, and no job type of the kind check; allowed: /,
      )
      expect(others).toEqual([])
    }
  })

  it('holds no credential by its profile, nor by parameters that look like a reference', async () => {
    await using w = await DeskUnderTest.start()
    await w.create('Credential', 'imap', { value: 'hunter2' })
    await w.create('JobType', 'queue-depth', { ...spec, parameterSchema: true })
    await w.monitor('mail', uses({ credential: 'v2/imap' }, { credentialRefs: { profile: 'imap' } }))
    const { change } = w.registry.find('Credential', 'imap') ?? { change: 0 }
    expect(await w.desk.remove('Credential', 'imap', change, w.by())).toMatchObject({ outcome: 'deleted' })
  })
})

describe('a job type', () => {
  it.each(['http', 'webhook', 'slack', externalType])('cannot take the name %s', async (id) => {
    await using w = await DeskUnderTest.start()
    expect(await errorsOf(w.create('JobType', id, spec))).toEqual([
      '/metadata/id is the name of a driver of the service; take another',
    ])
  })

  it('cannot be deleted while something uses it, by check, recovery or endpoint', async () => {
    await using w = await withJobType()
    await w.create('JobType', 'restart', { ...spec, kind: 'recovery' })
    await w.create('JobType', 'page', { ...spec, kind: 'notification' })
    await w.monitor('mail', {
      ...uses({ queue: 'a' }),
      recovery: { driver: { type: 'restart', config: { queue: 'a' } } },
    })
    await w.create('NotificationEndpoint', 'pager', { type: 'page', config: { queue: 'a' } })
    expect(w.registry.head().endpoints.get('pager')).toEqual({
      type: externalType,
      config: { jobType: 'page', parameters: { queue: 'a' }, profile: '' },
    })
    const users = {
      'queue-depth': 'monitor/mail',
      restart: 'monitor/mail',
      page: 'notification-endpoint/pager',
    }
    for (const [id, user] of Object.entries(users)) {
      const { change } = w.registry.find('JobType', id) ?? { change: 0 }
      const removed = w.desk.remove('JobType', id, change, w.by())
      await expect(removed).rejects.toMatchObject({
        code: 'resourceReferenced',
        message: expect.stringContaining(user),
      })
    }
    const mail = await w.desk.find('Monitor', 'mail')
    await w.desk.remove('Monitor', 'mail', mail?.change ?? 0, w.by())
    const { change } = w.registry.find('JobType', 'restart') ?? { change: 0 }
    expect(await w.desk.remove('JobType', 'restart', change, w.by())).toMatchObject({ outcome: 'deleted' })
  })

  it('never changes a version, also not one that is no longer in force', async () => {
    await using w = await withJobType()
    expect(await refusalOf(replace(w, { handler: 'other' }))).toBe('jobTypeImmutable')
    expect(await errorsOf(replace(w, { handler: 'other' }))).toEqual([
      '/spec/version must be another one, since a version never changes; give the changed job type a new version',
    ])
    expect(await replace(w, { version: '2', handler: 'other' })).toMatchObject({ outcome: 'updated' })
    expect(await refusalOf(replace(w, { version: '1', handler: 'third' }))).toBe('jobTypeImmutable')
    // Back to what version 1 was.
    expect(await replace(w, {})).toMatchObject({ outcome: 'updated' })
    expect(await replace(w, {})).toMatchObject({ outcome: 'unchanged' })
    expect(w.registry.jobType('queue-depth')?.version).toBe('1')
  })

  it('is known with its versions to the next process', async () => {
    await using w = await withJobType()
    await replace(w, { version: '2', handler: 'other' })
    const stored = await w.store.readResource('JobType', 'queue-depth')
    if (stored === null) throw new Error('it is not stored')
    expect(fromStored(stored)).toEqual(w.registry.find('JobType', 'queue-depth'))
    expect(fromStored(stored).versions?.map(([version]) => version)).toEqual(['1', '2'])
  })

  it('names the users that a new version would not fit, and is not written', async () => {
    await using w = await withJobType()
    await w.monitor('mail', uses({ queue: 'mail' }))
    await w.monitor('print', uses({ queue: 'print', limit: 5 }))
    const parameterSchema = { ...spec.parameterSchema, required: ['queue', 'limit'] }
    expect(await errorsOf(replace(w, { version: '2', parameterSchema }))).toEqual([
      '/spec/parameterSchema does not fit monitor/mail at /spec/check/driver/config/limit, which is missing',
    ])
    expect(w.registry.jobType('queue-depth')?.version).toBe('1')
    await w.desk.replace(
      'Monitor',
      { metadata: { id: 'mail' }, spec: { ...http, ...uses({ queue: 'mail', limit: 1 }) } },
      (await w.desk.find('Monitor', 'mail'))?.change ?? 0,
      w.by(),
    )
    expect(await replace(w, { version: '2', parameterSchema })).toMatchObject({ outcome: 'updated' })
  })

  it('names at most a hundred of them', async () => {
    await using w = await withJobType()
    for (let number = 0; number < 120; number++) await w.monitor(`m${number}`, uses({ queue: 'a' }))
    const errors = await errorsOf(replace(w, { version: '2', parameterSchema: false }))
    expect(errors).toHaveLength(100)
  })

  it('keeps its kind while it is used', async () => {
    await using w = await withJobType()
    expect(await replace(w, { version: '2', kind: 'recovery' })).toMatchObject({ outcome: 'updated' })
    await replace(w, {})
    await w.monitor('mail', uses({ queue: 'a' }))
    expect(await errorsOf(replace(w, { version: '2', kind: 'recovery' }))).toEqual([
      '/spec/kind must stay check while monitor/mail uses it',
    ])
  })

  it('and a monitor that only fits the version before are not both written at once', async () => {
    await using w = await withJobType()
    const [change, create] = await Promise.allSettled([
      replace(w, { version: '2', parameterSchema: { required: ['other'] } }),
      w.monitor('mail', uses({ queue: 'a' })),
    ])
    expect([change.status, create.status].sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is as it was when its commit fails', async () => {
    await using w = await withJobType()
    w.isFull = true
    expect(await refusalOf(replace(w, { version: '2' }))).toBe('unavailable')
    expect(w.registry.jobType('queue-depth')?.version).toBe('1')
  })
})

describe('the versions of a job type', () => {
  it('are a thousand, of which the oldest are forgotten', () => {
    let versions: readonly WrittenVersion[] = []
    const at = (version: number) =>
      ({ ...spec, version: String(version) }) as Parameters<typeof withVersion>[1]
    for (let version = 0; version < 1_001; version++) versions = withVersion(versions, at(version))
    expect([versions.length, versions[0]?.[0]]).toEqual([1_000, '1'])
    expect(versionProblem(versions, { ...at(0), handler: 'other' })).toBeNull()
    expect(versionProblem(versions, { ...at(1), handler: 'other' })).toMatch(/^was written before/)
    expect(versionProblem(versions, at(1))).toBeNull()
  })
})
