import { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { mistakesOf } from '@pulseward/testing/reference-peer'
import fc from 'fast-check'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { requireShape, shapeMistakes } from './check-shape.ts'
import { V2Problem } from './v2-problem.ts'

const monitor = exchanges.CreateMonitor.body as v2.Monitor

function told(schema: TSchema, value: unknown): string[] {
  return shapeMistakes(schema, value).map(
    ({ field, reason, message, isShape }) => `${isShape ? 400 : 422} ${field} ${reason}: ${message}`,
  )
}

function problemOf(work: () => unknown): V2Problem {
  try {
    work()
  } catch (error) {
    if (error instanceof V2Problem) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('the shape of a body', () => {
  it('is not understood with a member too many or too few, or of another type', () => {
    const { spec, metadata } = monitor
    const wrong = {
      ...monitor,
      apiversion: 'pulseward/v2',
      metadata: { ...metadata, id: 7, labels: ['a'] },
      spec: { ...spec, enabled: 'yes', check: { ...spec.check, driver: null } },
    }
    const sent = JSON.parse(JSON.stringify(wrong)) as unknown
    expect(told(v2.Monitor, sent)).toEqual([
      '400 /metadata/id wrongType: must be text, not a number',
      '400 /metadata/labels wrongType: must be an object, not a list',
      '400 /spec/enabled wrongType: must be true or false, not text',
      '400 /spec/check/driver wrongType: must be an object, not null',
      '400 /apiversion unknownField: is unknown; allowed: apiVersion, kind, metadata, spec, status. Did you mean "apiVersion"?',
    ])
  })

  it('is understood and wrong with values out of bounds', () => {
    const { spec, metadata } = monitor
    const wrong = {
      ...monitor,
      kind: 'monitor',
      metadata: { ...metadata, id: 'a b', name: '', labels: { 'no spaces': 'a', team: 'x'.repeat(257) } },
      spec: {
        ...spec,
        check: {
          ...spec.check,
          interval: '30 s',
          unhealthyThreshold: 0,
          retries: 1.5,
          healthyThreshold: 1001,
        },
        maintenance: [{ start: '2026-02-30T00:00:00Z' }, { start: 'tomorrow' }],
        tags: Array.from({ length: 65 }, () => 'a'),
      },
    }
    expect(told(v2.Monitor, wrong)).toEqual([
      '422 /kind notAllowed: must be Monitor. Did you mean "Monitor"?',
      '422 /metadata/id malformed: must be an id: at most 128 letters, digits and . _ : -, of which the first is a letter or a digit',
      '422 /metadata/name tooShort: must not be empty',
      '422 /metadata/labels/no spaces malformed: is not allowed as a name here; names match ^[A-Za-z0-9][A-Za-z0-9._/-]{0,62}$',
      '422 /metadata/labels/team tooLong: has 257 characters; at most 256 are allowed',
      '422 /spec/check/interval malformed: must be a duration such as 250ms, 30s, 5m or 1h',
      '422 /spec/check/unhealthyThreshold tooSmall: must be a whole number from 1 to 1000',
      '422 /spec/check/healthyThreshold tooLarge: must be a whole number from 1 to 1000',
      '422 /spec/check/retries notWhole: must be a whole number from 0 to 10',
      '422 /spec/maintenance/0/start rule: must be a day that its month has',
      '422 /spec/maintenance/1/start malformed: must be a moment as RFC 3339, such as 2026-03-29T01:00:00.000Z',
      '422 /spec/tags tooMany: has 65 entries; at most 64 are allowed',
    ])
  })

  it('has at most 16 maintenance windows', () => {
    const windows = Array.from({ length: 17 }, () => ({ cron: '0 3 * * 0', duration: '1h' }))
    const told17 = told(v2.Monitor, { ...monitor, spec: { ...monitor.spec, maintenance: windows } })
    expect(told17).toEqual(['422 /spec/maintenance tooMany: has 17 entries; at most 16 are allowed'])
  })

  it('is 400 as soon as one thing is not understood, and names the rest too', () => {
    const both = { ...monitor, surprise: 1, metadata: { id: 'a b' } }
    const problem = problemOf(() => requireShape(v2.Monitor, both))
    expect([problem.code, problem.errors.map(({ field }) => field)]).toEqual([
      'invalidBody',
      ['/metadata/id', '/surprise'],
    ])
    expect(problemOf(() => requireShape(v2.Monitor, { ...monitor, metadata: { id: 'a b' } })).code).toBe(
      'invalidResource',
    )
    expect(requireShape(v2.Monitor, monitor)).toBe(monitor)
  })

  it('counts bytes where the page does', () => {
    expect(told(v2.ControlRequest, { revision: '1', reason: 'ü'.repeat(2_049) })).toEqual([
      '422 /reason rule: must not have more than 4096 bytes',
    ])
  })

  it.each([
    [null, 'must be an object, not null'],
    [[], 'must be an object, not a list'],
    ['{}', 'must be an object, not text'],
    [true, 'must be an object, not true'],
  ])('is not %j', (value, message) => {
    expect(shapeMistakes(v2.Monitor, value)).toEqual([
      { field: '', reason: 'wrongType', message, isShape: true },
    ])
    expect(problemOf(() => requireShape(v2.Monitor, value)).message).toBe(`The body ${message}.`)
  })

  it('takes names of the language for unknown members', () => {
    const value: unknown = JSON.parse('{"revision":"1","__proto__":{},"constructor":1,"toString":2}')
    expect(shapeMistakes(v2.ControlRequest, value).map(({ field, reason }) => [field, reason])).toEqual([
      ['/__proto__', 'unknownField'],
      ['/constructor', 'unknownField'],
      ['/toString', 'unknownField'],
    ])
  })

  it('never repeats a value', () => {
    const secret = 'hunter2hunter2'
    const credential = { ...(exchanges.CreateCredential.body as object), kind: secret, metadata: secret }
    const said = JSON.stringify([
      shapeMistakes(v2.Credential, credential),
      shapeMistakes(v2.Credential, { ...credential, spec: { value: secret.repeat(6_000), description: 7 } }),
      shapeMistakes(v2.ControlRequest, { revision: `${secret} "`, resolution: secret, duration: secret }),
    ])
    expect(said).not.toContain(secret)
  })

  it('is told as far as an answer has room, and that there is more', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`k${index}`, index]))
    const problem = problemOf(() => requireShape(v2.ControlRequest, many))
    const { errors, detail } = problem.documentFor('r')
    expect(errors).toHaveLength(v2.limits.problemErrors)
    expect(detail).toMatch(
      /^The body has more than 100 mistakes\. .* Only the first 100 mistakes are listed\.$/,
    )
  })
})

it('a day that its month does not have keeps the form and breaks a rule, to the service and to the peer', () => {
  const never = { ...monitor, status: { lastCheckedAt: '2026-02-29T00:00:00Z' } }
  const said = [shapeMistakes(v2.Monitor, never), mistakesOf(v2.Monitor, never)].map((mistakes) =>
    mistakes.map(({ field, reason }) => [field, reason]),
  )
  expect(said).toEqual(Array(2).fill([['/status/lastCheckedAt', 'rule']]))
})

describe('a union', () => {
  const item = (resource: unknown) => ({
    items: [{ id: 'a', contentDigest: 'x', source: 'f:1', resource }],
  })

  it('tells only the mistakes of the kind that was meant', () => {
    const { status: _, ...unobserved } = monitor
    const group = { ...unobserved, kind: 'NotificationGroup', spec: { endpointRefs: [], enabled: true } }
    expect(told(v2.UploadRequest, item(group))).toEqual([
      '422 /items/0/resource/spec/endpointRefs tooFew: must have at least 1 entry',
      '400 /items/0/resource/spec/enabled unknownField: is unknown; allowed: endpointRefs',
    ])
  })

  it('says which kinds there are when none was meant', () => {
    const kinds = v2.resourceKinds.join(', ')
    expect(told(v2.UploadRequest, item({ ...monitor, kind: 'Montior' }))).toEqual([
      `422 /items/0/resource/kind notAllowed: must be one of ${kinds}. Did you mean "Monitor"?`,
    ])
    expect(told(v2.UploadRequest, item({ kind: 1 }))).toEqual([
      '400 /items/0/resource/kind wrongType: must be text, not a number',
    ])
    expect(told(v2.UploadRequest, item({}))).toEqual([
      `400 /items/0/resource/kind required: is missing; expected: one of ${kinds}`,
    ])
    expect(told(v2.UploadRequest, item('monitor'))).toEqual([
      '400 /items/0/resource wrongType: must be an object, not text',
    ])
  })

  it('without kinds is meant by its members', () => {
    const control = { verb: 'snoze', ids: ['a'], selector: 'b' }
    expect(told(v2.OperationCreateRequest, { control })).toEqual([
      '422 /control/verb notAllowed: must be one of acknowledge, dismiss, reopen, snooze, unsnooze, enable, disable, recover. Did you mean "snooze"?',
    ])
    expect(told(v2.OperationCreateRequest, { control: { ...control, verb: 'snooze' } })).toEqual([
      '422 /control rule: must have either selector or ids',
    ])
    expect(told(v2.OperationCreateRequest, { itemCount: 0 })).toEqual([
      '422 /itemCount tooSmall: must be a whole number from 1 to 1000000',
      '400 /contentDigest required: is missing; expected: the digest of the whole collection. One that begins with sha256: is checked: over a line for each item in the order of upload, with its id, a space and its digest',
    ])
    const jobType = exchanges.CreateJobType.body as v2.JobType
    const schemas = { ...jobType, spec: { ...jobType.spec, parameterSchema: 'any', resultSchema: true } }
    expect(told(v2.JobType, schemas)).toEqual([
      '400 /spec/parameterSchema wrongType: must be an object or true or false, not text',
    ])
  })
})

/** Every type that a body may have, with a right value of it. */
const bodies = new Map<TSchema, unknown>(
  v2.operationNames.flatMap((name) => {
    const { body }: v2.V2Operation = v2.operations[name]
    return body === undefined ? [] : [[body.schema, exchanges[name].body] as const]
  }),
)
bodies.set(v2.CollectionOperation, exchanges.CreateOperation.body)
bodies.set(v2.ControlOperation, { control: { verb: 'recover', ids: ['a', 'b'], reason: 'x' } })

const oddities = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      true,
      0,
      -1,
      1.5,
      1e9,
      2 ** 60,
      '',
      'a',
      '1s',
      '1d',
      '2026-02-29T00:00:00Z',
      [],
      {},
      ['a'],
      [1],
    ],
    ...[
      '🛰'.repeat(256),
      '🛰'.repeat(257),
      'a'.repeat(129),
      '\u0000',
      'ü'.repeat(2_049),
      { a: 1 },
      { 'a\nb': 'c' },
    ],
    ...['Monitor', 'Credential', 'pulseward/v2', 'snooze', 'red', '*', '"', { type: 'http', config: null }],
  ),
  fc.jsonValue({ maxDepth: 2 }),
)

interface Change {
  readonly kind: 'set' | 'remove' | 'add'
  /** Which of the places of the value, counted around. */
  readonly place: number
  readonly key: string
  readonly value: unknown
}

const changes = fc.array(
  fc.record<Change>({
    kind: fc.constantFrom('set', 'remove', 'add'),
    place: fc.nat(200),
    key: fc.constantFrom('extra', '', '__proto__', 'constructor', 'a b', 'name', 'a/b~c', 'ä', 'a\nb'),
    value: oddities,
  }),
  { minLength: 1, maxLength: 3 },
)

function changed(value: unknown, list: readonly Change[]): unknown {
  const copy = structuredClone(value)
  for (const { kind, place, key, value } of list) {
    const places = [...placesIn(copy)]
    if (places.length === 0) continue
    const [holder, name] = places[place % places.length]!
    if (kind === 'remove') Reflect.deleteProperty(holder, name)
    else define(holder, kind === 'add' ? key : name, structuredClone(value))
  }
  // A hole in a list is not JSON.
  return JSON.parse(JSON.stringify(copy)) as unknown
}

function* placesIn(value: unknown): Generator<[holder: object, key: string]> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    yield [value, key]
    yield* placesIn(inner)
  }
}

/** As JSON.parse does: also __proto__ is a key like any other. */
function define(holder: object, key: string, value: unknown): void {
  if (Array.isArray(holder)) holder.push(value)
  else Object.defineProperty(holder, key, { value, writable: true, enumerable: true, configurable: true })
}

describe.each([...bodies].map(([schema, sample]) => [v2.nameOf(schema), schema, sample] as const))(
  'the checker of %s',
  (name, schema, sample) => {
    const library = Compile(schema)
    const isUnion = ['PreflightRequest', 'UploadRequest', 'OperationCreateRequest'].includes(name ?? '')

    it('accepts the example', () => expect(shapeMistakes(schema, sample)).toEqual([]))

    const title = 'decides as the schema library does, and finds nothing that the library does not'
    it(title, () => decidesAlike(60))
    it(`${title}, often`, { tags: 'long' }, () => decidesAlike(400))

    function decidesAlike(numRuns: number): void {
      fc.assert(
        fc.property(changes, (list) => {
          const value = changed(sample, list)
          const found = shapeMistakes(schema, value)
          expect(found.length === 0, JSON.stringify(value)).toBe(library.Check(value))
          if (isUnion) return
          const expected = mistakesOf(schema, value)
          const key = ({ field, reason }: { field: string; reason: string }) => `${field} ${reason}`
          expect(expected.map(key)).toEqual(expect.arrayContaining(found.map(key)))
          const fields = new Set(found.map(({ field }) => field))
          expect(expected.map(({ field }) => field).filter((field) => !fields.has(field))).toEqual([])
          expect(found.some(({ isShape }) => isShape)).toBe(expected.some(({ isShape }) => isShape))
        }),
        { numRuns },
      )
    }
  },
)
