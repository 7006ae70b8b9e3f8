import type { AnswerOf, BodyOf } from '@pulseward/contract'
import { v2 as contract } from '@pulseward/contract'
import { type Exchange, exchanges } from '@pulseward/contract/v2/examples'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'
import { type Client, createClient, type Response, type V2Methods } from './index.ts'

const token = 'a-token-of-at-least-32-characters'
let peer: ReferencePeer
let client: Client

beforeAll(async () => {
  peer = await ReferencePeer.start({ token })
  client = createClient({ baseUrl: peer.url, token, allowInsecureHttp: true })
})
afterAll(() => peer[Symbol.asyncDispose]())

type AnyMethod = (given: unknown, options?: unknown) => Promise<Response<unknown>>

function methodOf(name: contract.OperationName): AnyMethod {
  return client[methodName(name)] as AnyMethod
}

function methodName(name: contract.OperationName) {
  return (name[0]!.toLowerCase() + name.slice(1)) as keyof V2Methods
}

function argumentsFor({ path, query, headers, body }: Exchange): Record<string, unknown> {
  return {
    ...path,
    ...query,
    ...(headers['If-Match'] && { ifMatch: headers['If-Match'].slice(1, -1) }),
    ...(headers['If-None-Match'] && { ifNoneMatch: headers['If-None-Match'] }),
    ...(body === undefined ? {} : { body }),
  }
}

describe('the 66 operations of the contract, and what stands beside them', () => {
  it('are exactly the methods of the client, beside its helpers', () => {
    const { v1, waitForOperation, streamMetrics, ...methods } = client
    expect([v1, waitForOperation, streamMetrics]).not.toContain(undefined)
    expect(Object.keys(methods).sort()).toEqual(contract.operationNames.map(methodName).sort())
    expect(Object.keys(methods)).toHaveLength(66 + contract.additionNames.length)
  })

  it.each(contract.operationNames)('%s sends what the contract says and decodes the answer', async (name) => {
    const operation: contract.V2Operation = contract.operations[name]
    const exchange = exchanges[name]
    const response = await methodOf(name)(argumentsFor(exchange))

    const { method, path, query, headers, body } = peer.lastRequest
    expect(method).toBe(operation.method)
    expect(path).toBe(operation.path.replace('{id}', encodeURIComponent(exchange.path['id'] ?? '')))
    expect(query).toEqual(
      Object.fromEntries(Object.entries(exchange.query).map(([key, value]) => [key, `${value}`])),
    )
    expect(headers['if-match']).toBe(exchange.headers['If-Match'])
    expect(headers['if-none-match']).toBe(exchange.headers['If-None-Match'])
    expect(headers['content-type']).toBe(operation.body?.mediaType)
    expect(headers.authorization).toBe(`Bearer ${token}`)
    expect(headers.accept).toBe('application/json')
    expect(body === '' ? undefined : JSON.parse(body)).toEqual(exchange.body)

    expect(response).toEqual({
      data: exchange.answer,
      statusCode: exchange.status,
      requestId: exchange.answerHeaders['X-Request-ID'],
      operationId: exchange.answerHeaders['X-Operation-ID'] ?? '',
      resourceVersion: exchange.answerHeaders['ETag']?.slice(1, -1) ?? '',
      retryAfter: null,
    })
  })
})

type Table = typeof contract.operations
type Data<Name extends contract.OperationName> = V2Methods[Uncapitalize<Name>] extends (
  ...given: never
) => Promise<Response<infer Answered>>
  ? Answered
  : never
type Body<Name extends contract.OperationName> = V2Methods[Uncapitalize<Name>] extends (
  given: infer Given,
  ...rest: never
) => unknown
  ? Given extends { body: infer Sent }
    ? Sent
    : undefined
  : never
type Success<Name extends contract.OperationName> = keyof Table[Name]['answers'] & number
type IsSame<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false

describe('generated types', () => {
  it('accept and give exactly what the schemas of the contract do', () => {
    type Answers = {
      [Name in contract.OperationName]: IsSame<Data<Name>, AnswerOf<Table[Name], Success<Name>>>
    }
    type Bodies = { [Name in contract.OperationName]: IsSame<Body<Name>, BodyOf<Table[Name]>> }
    expectTypeOf<Answers[contract.OperationName]>().toEqualTypeOf<true>()
    expectTypeOf<Bodies[contract.OperationName]>().toEqualTypeOf<true>()
  })
})
