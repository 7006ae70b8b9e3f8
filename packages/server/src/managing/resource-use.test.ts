import { describe, expect, it } from 'vitest'
import { DeskUnderTest, http, refusalOf } from './desk.fixture.ts'
import { WriteRefusal } from './write-refusal.ts'

const byUrl = { ...http.check, driver: { type: 'http', config: {}, credentialRefs: { url: 'place' } } }
const byToken = {
  ...http.check,
  driver: { ...http.check.driver, credentialRefs: { 'auth.bearer': 'token' } },
}

async function withUsers(): Promise<DeskUnderTest> {
  const w = await DeskUnderTest.start()
  await w.create('Credential', 'place', { value: 'https://shop.test/' })
  await w.create('Credential', 'token', { value: 'hunter2' })
  await w.monitor('by-url', { check: byUrl })
  await w.monitor('by-token', { check: byToken })
  await w.create('NotificationEndpoint', 'ops', {
    type: 'ntfy',
    config: { topic: 'alerts' },
    credentialRefs: { api_url: 'place' },
  })
  return w
}

function usersOf(w: DeskUnderTest, id: string): string[] {
  return [...w.registry.uses.usersOf({ kind: 'Credential', id })]
}

function changeValue(w: DeskUnderTest, id: string, value: string) {
  const version = w.registry.find('Credential', id)?.change ?? 0
  return w.desk.replace('Credential', { metadata: { id }, spec: { value } }, version, w.by())
}

async function errorsOf(write: Promise<unknown>): Promise<string[]> {
  const error = await write.catch((refusal: unknown) => refusal)
  if (!(error instanceof WriteRefusal)) throw new Error('the write was not refused', { cause: error })
  return error.errors.map(({ field, message }) => `${field} ${message}`)
}

describe('the users of a credential', () => {
  it('are the monitors and endpoints that refer to it now', async () => {
    await using w = await withUsers()
    expect(usersOf(w, 'place')).toEqual(['notification-endpoint/ops', 'monitor/by-url'])
    expect(usersOf(w, 'token')).toEqual(['monitor/by-token'])
    expect(usersOf(w, 'none')).toEqual([])
    const monitor = await w.desk.find('Monitor', 'by-token')
    const sent = { metadata: { id: 'by-token' }, spec: { ...http, check: byUrl } }
    await w.desk.replace('Monitor', sent, monitor?.change ?? 0, w.by())
    expect(usersOf(w, 'token')).toEqual([])
    expect(usersOf(w, 'place')).toContain('monitor/by-token')
    const endpoint = w.registry.find('NotificationEndpoint', 'ops')
    await w.desk.remove('NotificationEndpoint', 'ops', endpoint?.change ?? 0, w.by())
    expect(usersOf(w, 'place').sort()).toEqual(['monitor/by-token', 'monitor/by-url'])
  })

  it('do not count when they could not be stored', async () => {
    await using w = await withUsers()
    w.isFull = true
    expect(await refusalOf(w.monitor('another', { check: byUrl }))).toBe('unavailable')
    expect(
      await refusalOf(
        w.create('NotificationEndpoint', 'more', {
          type: 'ntfy',
          config: { topic: 'alerts' },
          credentialRefs: { api_url: 'place' },
        }),
      ),
    ).toBe('unavailable')
    expect(usersOf(w, 'place')).toEqual(['notification-endpoint/ops', 'monitor/by-url'])
  })

  it('keep it from being deleted, and are named', async () => {
    await using w = await withUsers()
    const { change = 0 } = w.registry.find('Credential', 'place') ?? {}
    const refusal = await w.desk.remove('Credential', 'place', change, w.by()).catch((error) => error)
    expect(refusal).toMatchObject({ code: 'resourceReferenced' })
    expect(refusal.message).toBe(
      'Something still refers to the Credential place: notification-endpoint/ops, monitor/by-url.',
    )
  })
})

describe('another value of a credential', () => {
  it('is refused with everything that it would break, and is not shown', async () => {
    await using w = await withUsers()
    const before = w.registry.find('Credential', 'place')
    const errors = await errorsOf(changeValue(w, 'place', 'hunter2'))
    expect(errors).toEqual([
      '/spec/value does not fit notification-endpoint/ops at /spec/credentialRefs/api_url; expected: an http or https URL, such as https://shop.example/health',
      '/spec/value does not fit monitor/by-url at /spec/check/driver/credentialRefs/url; expected: an http or https URL, such as https://shop.example/health',
    ])
    expect(w.registry.find('Credential', 'place')).toBe(before)
  })

  it('is taken where it fits, and at secret places whatever it is', async () => {
    await using w = await withUsers()
    expect((await changeValue(w, 'place', 'https://other.test/')).outcome).toBe('updated')
    expect((await changeValue(w, 'token', 'anything at all')).outcome).toBe('updated')
  })

  it('is refused with a line break where it stands in a header', async () => {
    await using w = await withUsers()
    await w.create('NotificationEndpoint', 'pager', {
      type: 'opsgenie',
      config: {},
      credentialRefs: { api_key: 'token' },
    })
    const expected = 'expected: text without line breaks and other control characters'
    expect(await errorsOf(changeValue(w, 'token', 'hunter2\n'))).toEqual([
      `/spec/value does not fit notification-endpoint/pager at /spec/credentialRefs/api_key; ${expected}`,
      `/spec/value does not fit monitor/by-token at /spec/check/driver/credentialRefs/auth.bearer; ${expected}`,
    ])
  })

  it('is also held against what was written while it was judged', async () => {
    await using w = await DeskUnderTest.start()
    await w.create('Credential', 'place', { value: 'https://shop.test/' })
    const [change, create] = await Promise.allSettled([
      changeValue(w, 'place', 'nonsense'),
      w.monitor('by-url', { check: byUrl }),
    ])
    // Whichever came first, the other was refused.
    expect([change.status, create.status].sort()).toEqual(['fulfilled', 'rejected'])
  })

  it('is not held against what was deleted while it was judged', async () => {
    await using w = await withUsers()
    using judgement = await w.registry.uses.judgeValue('place', 'nonsense')
    expect(judgement.errors()).toHaveLength(2)
    const monitor = await w.desk.find('Monitor', 'by-url')
    await w.desk.remove('Monitor', 'by-url', monitor?.change ?? 0, w.by())
    expect(judgement.errors()).toHaveLength(1)
    await w.monitor('by-url', { check: byUrl })
    expect(judgement.errors()).toHaveLength(2)
  })
})
