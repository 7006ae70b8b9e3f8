// What the page of v2 says of single types, held against the schemas.
import { Value } from 'typebox/value'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { controlEventTypes, eventTypes } from '../v1/values.ts'
import { examples } from './examples.ts'
import { limits } from './limits.ts'
import type { Event } from './wire/event.ts'
import type { WireTypeName } from './wire-types.ts'
import { wireTypes } from './wire-types.ts'

function accepts(name: WireTypeName, value: unknown): boolean {
  return Value.Check(wireTypes[name], value)
}

/** The example of a type with one member changed. */
function changed(name: WireTypeName, member: string, value: unknown): object {
  const copy = structuredClone(examples[name]) as Record<string, unknown>
  const path = member.split('.')
  let at = copy
  for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>
  at[path.at(-1)!] = value
  return copy
}

const many = <Item>(count: number, item: Item) => Array.from({ length: count }, () => item)

describe('metadata', () => {
  it('says who manages a resource: the API or a file', () => {
    for (const manager of ['api', 'file', undefined])
      expect(accepts('Monitor', changed('Monitor', 'metadata.managedBy', manager))).toBe(true)
    for (const manager of ['API', 'git', null])
      expect(accepts('Monitor', changed('Monitor', 'metadata.managedBy', manager))).toBe(false)
  })
})

describe('a monitor', () => {
  it('may say how often red is repeated', () => {
    expect(accepts('Monitor', changed('Monitor', 'spec.repeat', '30m'))).toBe(true)
    for (const repeat of ['often', '', 60, null])
      expect(accepts('Monitor', changed('Monitor', 'spec.repeat', repeat))).toBe(false)
  })

  it('names fields of its options, nested ones by a dotted path, and their credentials', () => {
    const withRefs = (refs: object) => changed('Monitor', 'spec.check.driver.credentialRefs', refs)
    expect(accepts('Monitor', withRefs({ 'auth.bearer': 'token', 'headers.X-Key': 'key' }))).toBe(true)
    for (const refs of [{ 'a\nb': 'token' }, { '': 'token' }, { bearer: 'no id' }, { 'a\nb': 7 }])
      expect(accepts('Monitor', withRefs(refs))).toBe(false)
  })
})

describe('a time', () => {
  const at = (time: string) => accepts('Event', changed('Event', 'time', time))

  it.each([
    '2026-03-29T01:00:00Z',
    '2026-03-29T01:00:00.123456789+14:00',
    '2028-02-29T23:59:59-00:00',
    '0000-02-29T00:00:00Z',
  ])('may be %s', (time) => expect(at(time)).toBe(true))

  it.each([
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2016-12-31T23:59:60Z',
    '2026-01-01T00:00:00',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01 00:00:00Z',
    '2026-01-01',
  ])('is never %s', (time) => expect(at(time)).toBe(false))
})

describe('an event', () => {
  const bare = { id: '1', kind: 'own_fault', time: '2026-03-29T01:00:00Z' }

  it('may be of no monitor', () => {
    expect(accepts('Event', bare)).toBe(true)
    expectTypeOf<Event['monitorID']>().toEqualTypeOf<string | undefined>()
  })

  it('has the words of v1 and those for resources', () => {
    const resources = ['resource_created', 'resource_updated', 'resource_deleted']
    for (const kind of [...eventTypes, ...controlEventTypes, ...resources])
      expect(accepts('Event', { ...bare, kind }), kind).toBe(true)
    expect(accepts('Event', { ...bare, kind: 'resource_renamed' })).toBe(false)
  })

  it('names endpoint, resource and changed fields', () => {
    const resource = { kind: 'NotificationGroup', id: 'ops', uid: 'u' }
    const change = { field: '/spec/enabled', before: 'true', after: 'false' }
    const whole = { ...bare, endpoint: 'ops-slack', resource, changes: [change] }
    expect(accepts('Event', whole)).toBe(true)
    expect(accepts('Event', { ...whole, resource: { kind: 'Incident', id: 'ops' } })).toBe(false)
    expect(accepts('Event', { ...whole, changes: [{ before: '1' }] })).toBe(false)
    expect(accepts('Event', { ...whole, changes: many(64, change) })).toBe(true)
    expect(accepts('Event', { ...whole, changes: many(65, change) })).toBe(false)
  })
})

describe('an operation', () => {
  const collection = { contentDigest: 'sha256:1', itemCount: 1 }
  const control = { verb: 'snooze', selector: 'team=payments', reason: 'planned work', duration: '2h' }

  it('is opened for a collection or for a control, never for both', () => {
    expect(accepts('OperationCreateRequest', collection)).toBe(true)
    expect(accepts('OperationCreateRequest', { control })).toBe(true)
    for (const body of [{}, { itemCount: 1 }, { contentDigest: 'x' }, { ...collection, control }])
      expect(accepts('OperationCreateRequest', body)).toBe(false)
  })

  it('names monitors by a selector or by at most 10,000 ids', () => {
    const { selector: _, ...others } = control
    const byIds = (ids: unknown) => ({ control: { ...others, ids } })
    expect(accepts('OperationCreateRequest', byIds(['a', 'b']))).toBe(true)
    expect(accepts('OperationCreateRequest', byIds(many(10_000, 'a')))).toBe(true)
    expect(accepts('OperationCreateRequest', byIds(many(10_001, 'a')))).toBe(false)
    expect(accepts('OperationCreateRequest', byIds([]))).toBe(false)
    expect(accepts('OperationCreateRequest', { control: { ...control, ids: ['a'] } })).toBe(false)
    expect(accepts('OperationCreateRequest', { control: others })).toBe(false)
    expect(accepts('OperationCreateRequest', { control: { ...control, selector: '' } })).toBe(false)
  })

  it.each(['acknowledge', 'dismiss', 'reopen', 'snooze', 'unsnooze', 'enable', 'disable', 'recover'])(
    'may %s',
    (verb) => expect(accepts('OperationCreateRequest', { control: { ...control, verb } })).toBe(true),
  )

  it('reviews and deletes nothing in bulk', () => {
    for (const verb of ['review', 'delete'])
      expect(accepts('OperationCreateRequest', { control: { ...control, verb } })).toBe(false)
  })

  it('names at most 500 items in a preflight', () => {
    const item = { id: 'a', outcome: 'failed', message: 'fleet.yaml:1 /spec/check: is missing' }
    expect(accepts('Preflight', { valid: false, items: many(500, item) })).toBe(true)
    expect(accepts('Preflight', { valid: false, items: many(501, item) })).toBe(false)
  })
})

describe('an action', () => {
  it('has a hold, a revision for its review, and what the review said', () => {
    const { held, reviewRevision, review } = examples['Action'] as Record<string, unknown>
    expect([held, reviewRevision, review]).not.toContain(undefined)
    expect(accepts('Action', changed('Action', 'review.conflict', 'the log says otherwise'))).toBe(true)
    expect(accepts('Action', changed('Action', 'review.resolution', 'fine'))).toBe(false)
  })
})

describe('limits', () => {
  it.each([
    ['ControlRequest', 'reason', limits.controlTextBytes],
    ['ControlRequest', 'note', limits.controlTextBytes],
    ['Outcome', 'diagnostic', limits.diagnosticBytes],
    ['LateEvidenceRequest', 'diagnostic', limits.diagnosticBytes],
  ] as const)('of %s.%s are bytes, not characters', (name, member, bytes) => {
    expect(accepts(name, changed(name, member, 'a'.repeat(bytes)))).toBe(true)
    expect(accepts(name, changed(name, member, 'a'.repeat(bytes + 1)))).toBe(false)
    expect(accepts(name, changed(name, member, 'ü'.repeat(bytes / 2)))).toBe(true)
    expect(accepts(name, changed(name, member, 'ü'.repeat(bytes / 2 + 1)))).toBe(false)
  })

  it('let evidence have 64 entries of 4 KiB', () => {
    const withEvidence = (evidence: string[]) => accepts('Outcome', changed('Outcome', 'evidence', evidence))
    expect(withEvidence(many(64, '€'.repeat(1365)))).toBe(true)
    expect(withEvidence(many(65, ''))).toBe(false)
    expect(withEvidence(['€'.repeat(1366)])).toBe(false)
  })

  it('are those of the page', () => {
    expect(limits).toMatchObject({
      bodyBytes: 1_048_576,
      uploadBytes: 4_194_304,
      uploadItems: 256,
      operationItems: 1_000_000,
      preflightItems: 500,
      rejectedItems: 1_000,
      controlIDs: 10_000,
      operationRecords: 1_000_000,
      stateActions: 500,
      eventChanges: 64,
      eventChangesBytes: 8_192,
      startLeaseSeconds: 5,
      pollWaitSeconds: 25,
      cursorLifetimeSeconds: 300,
      selectorClauses: 16,
      selectorBytes: 1_024,
    })
    const actions = many(501, examples['Action'])
    expect(accepts('State', changed('State', 'actions', actions))).toBe(false)
    expect(accepts('State', changed('State', 'actions', actions.slice(1)))).toBe(true)
  })
})
