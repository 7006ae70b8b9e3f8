import { inspect } from 'node:util'
import { misbehaviours, problemAnswer, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { errorCategory } from './core/error-category.ts'
import {
  AmbiguousMutationError,
  AuthenticationError,
  CancelledError,
  type Client,
  ConflictError,
  createClient,
  type ErrorCategory,
  ExpiredOperationError,
  InvalidInputError,
  NotFoundError,
  OversizedResponseError,
  PulsewardError,
  TransportError,
  UnavailableError,
  UnavailableFeatureError,
} from './index.ts'

const token = 'the-secret-token-of-this-client-0123456789'
let peer: ReferencePeer
let client: Client

beforeAll(async () => {
  peer = await ReferencePeer.start()
  client = createClient({ baseUrl: peer.url, token, allowInsecureHttp: true, maxResponseBytes: 100_000 })
})
afterEach(() => peer.misbehave(null))
afterAll(() => peer[Symbol.asyncDispose]())

async function failureOf(call: Promise<unknown>): Promise<PulsewardError> {
  const error = await call.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(PulsewardError)
  return error as PulsewardError
}

const read = () => client.getMonitor({ id: 'edge' })
const write = () => client.deleteMonitor({ id: 'edge', ifMatch: '42' })

describe('error categories by a real exchange', () => {
  it.each([
    [409, 'resourceReferenced', ConflictError, 'conflict'],
    [412, 'versionConflict', ConflictError, 'conflict'],
    [404, 'notFound', NotFoundError, 'notFound'],
    [404, 'api_version_not_served', UnavailableFeatureError, 'unavailableFeature'],
    [501, 'featureUnavailable', UnavailableFeatureError, 'unavailableFeature'],
    [410, 'operationExpired', ExpiredOperationError, 'expiredOperation'],
    [401, 'unauthorized', AuthenticationError, 'authentication'],
    [403, 'forbidden', AuthenticationError, 'authentication'],
    [400, 'invalidBody', InvalidInputError, 'invalidInput'],
    [405, 'methodNotAllowed', InvalidInputError, 'invalidInput'],
    [413, 'bodyTooLarge', InvalidInputError, 'invalidInput'],
    [415, 'unsupportedMediaType', InvalidInputError, 'invalidInput'],
    [422, 'invalidResource', InvalidInputError, 'invalidInput'],
    [428, 'preconditionRequired', InvalidInputError, 'invalidInput'],
    [429, 'rateLimited', UnavailableError, 'unavailable'],
  ] as const)('%i %s is the same for a read and a write', async (status, code, kind, category) => {
    peer.answer(problemAnswer(status, code, { headers: { 'Retry-After': '7', 'X-Operation-ID': 'op-1' } }))
    for (const error of [await failureOf(read()), await failureOf(write())]) {
      expect(error).toBeInstanceOf(kind)
      expect(error.name).toBe(kind.name)
      expect(error).toMatchObject({ category, code, statusCode: status, requestId: 'req-of-the-peer' })
      expect(error).toMatchObject({ operationId: 'op-1', retryAfter: 7, reason: null })
    }
  })

  it.each([500, 502, 503, 504])(
    '%i is unavailable to a read and ambiguous to a write, sent once',
    async (status) => {
      peer.answer(problemAnswer(status, 'internalError'))
      expect(await failureOf(read())).toBeInstanceOf(UnavailableError)
      const before = peer.requests.length
      expect(await failureOf(write())).toBeInstanceOf(AmbiguousMutationError)
      expect(peer.requests).toHaveLength(before + 1)
    },
  )

  it('a 503 that says unavailable and when to come back leaves no doubt', async () => {
    peer.answer(problemAnswer(503, 'unavailable', { headers: { 'Retry-After': '2' } }))
    expect(await failureOf(write())).toBeInstanceOf(UnavailableError)
    peer.answer(problemAnswer(503, 'unavailable'))
    expect(await failureOf(write())).toBeInstanceOf(AmbiguousMutationError)
  })

  it('an answer above the ceiling is oversized', async () => {
    peer.misbehave(misbehaviours.pads(200_000))
    expect(await failureOf(read())).toBeInstanceOf(OversizedResponseError)
  })

  it('a connection that cannot be made is a transport error, also for a write: nothing has left', async () => {
    const gone = await ReferencePeer.start()
    const { url } = gone
    await gone[Symbol.asyncDispose]()
    const lonely = createClient({ baseUrl: url })
    for (const call of [lonely.getState(), lonely.deleteMonitor({ id: 'edge', ifMatch: '1' })]) {
      const error = await failureOf(call)
      expect(error).toBeInstanceOf(TransportError)
      expect(error).toMatchObject({ category: 'transport', reason: 'connectionFailed', statusCode: 0 })
    }
  })

  it('a read that the caller stops is cancelled', async () => {
    peer.misbehave(misbehaviours.neverAnswers)
    const controller = new AbortController()
    const call = client.getMonitor({ id: 'edge' }, { signal: controller.signal })
    await peer.nextRequest()
    controller.abort()
    expect(await failureOf(call)).toBeInstanceOf(CancelledError)
  })

  it('reads an unknown 4xx as invalid input', () => {
    const category = (status: number): ErrorCategory =>
      errorCategory({ status, code: '', hasRetryAfter: false, isMutation: true })
    expect([402, 418, 451, 499].map(category)).toEqual(Array(4).fill('invalidInput'))
  })
})

describe('what the service says about an error', () => {
  it('is there for those who ask', async () => {
    const errors = [{ field: 'spec.check.interval', reason: 'tooShort', message: 'is below 1s' }]
    peer.answer(problemAnswer(422, 'invalidResource', { detail: 'one field is wrong', errors }))
    const { problem } = await failureOf(write())
    expect(problem).toEqual({
      type: 'urn:pulseward:problem:invalidResource',
      code: 'invalidResource',
      detail: 'one field is wrong',
      errors,
    })
  })

  it.each([
    ['nothing', ''],
    ['no JSON', '{"code":'],
    ['a list', '[1]'],
    ['null', 'null'],
    ['a text', '"code"'],
    ['numbers for words', '{"code":7,"detail":{},"errors":"many"}'],
    ['broken field errors', '{"errors":[null,1,{"field":3},{"field":"a"}]}'],
    ['a code with markup', '{"code":"<b>bold</b>"}'],
  ])('may be %s: the status still tells the category', async (_, body) => {
    peer.misbehave(misbehaviours.answersInstead({ ...problemAnswer(409, 'operationConflict'), body }))
    const error = await failureOf(write())
    expect(error).toMatchObject({ category: 'conflict', statusCode: 409, code: '' })
    expect(error.problem?.errors ?? []).toEqual([])
  })

  it.each([
    ['breaks off', misbehaviours.cutsOff],
    ['is a page', misbehaviours.hasContentType('text/html')],
    ['is endless', misbehaviours.pads(10_000_000)],
  ])('may be unreadable because it %s: the status still tells the category', async (_, misbehaviour) => {
    const conflict = problemAnswer(409, 'operationConflict')
    peer.misbehave((response) => misbehaviour(response, conflict))
    expect(await failureOf(write())).toMatchObject({ category: 'conflict', statusCode: 409, problem: null })
  })
})

describe('secrets', () => {
  const value = 'the-value-of-the-credential'

  function everythingSaidBy(error: PulsewardError): string {
    const shown = [error.message, error.stack, String(error), JSON.stringify(error)]
    const inspected = [inspect(error, { depth: 10, showHidden: true }), inspect({ error }, { depth: 10 })]
    return [...shown, ...inspected, ...Object.values(error).map(String)].join('\n')
  }

  it.each([409, 500, 503])('are in no error, even when the service repeats them with %i', async (status) => {
    const detail = `you sent ${value} with ${token}`
    const headers = { 'X-Request-ID': token, 'X-Operation-ID': `op-${token}` }
    peer.answer(problemAnswer(status, 'conflictOfTheSecret', { detail, headers }))
    const error = await failureOf(
      client.createCredential({
        ifNoneMatch: '*',
        body: { apiVersion: 'pulseward/v2', kind: 'Credential', metadata: { id: 'c' }, spec: { value } },
      }),
    )
    expect(everythingSaidBy(error)).not.toContain(token)
    expect(everythingSaidBy(error)).not.toContain(value)
    expect(error.problem?.detail).toBe(detail)
  })

  it('are in no error when the platform fails with them', async () => {
    const leaking = createClient({
      baseUrl: peer.url,
      token,
      allowInsecureHttp: true,
      fetch: (url, init) =>
        Promise.reject(Object.assign(new Error(`${url} ${JSON.stringify(init)}`), { init })),
    })
    const error = await failureOf(leaking.getState())
    expect(error).toBeInstanceOf(TransportError)
    expect(everythingSaidBy(error)).not.toContain(token)
  })

  it('are not shown by the client itself', () => {
    expect(inspect(client, { depth: 10, showHidden: true })).not.toContain(token)
    expect(JSON.stringify(client)).not.toContain(token)
  })
})
