import { Value } from 'typebox/value'
import { describe, expect, it } from 'vitest'
import { examples, exchanges } from './examples.ts'
import type { V2Operation } from './operations/parts.ts'
import { operationNames, operations, successOf } from './operations.ts'
import { nameOf } from './wire/wire-type.ts'
import { wireTypes } from './wire-types.ts'

const types = Object.entries(wireTypes)

describe('wire types', () => {
  it.each(types)('%s bears its name and says what it is', (name, schema) => {
    expect(nameOf(schema)).toBe(name)
    expect((schema as { description?: string }).description).toBeTruthy()
  })

  it.each(Object.keys(examples))('the example of %s fits its type', (name) => {
    const schema = wireTypes[name as keyof typeof wireTypes]
    expect(Value.Errors(schema, examples[name])).toEqual([])
  })

  it.each(Object.keys(examples).filter((name) => name !== 'MergePatch'))(
    '%s refuses a property that it does not list',
    (name) => {
      const schema = wireTypes[name as keyof typeof wireTypes]
      expect(Value.Check(schema, { ...(examples[name] as object), surprise: 1 })).toBe(false)
    },
  )

  it('describes every property of every type', () => {
    const bare = types.flatMap(([name, schema]) =>
      Object.entries((schema as { properties?: Record<string, { description?: string }> }).properties ?? {})
        .filter(
          ([property, inner]) => !inner.description && !['items', 'apiVersion', 'kind'].includes(property),
        )
        .map(([property]) => `${name}.${property}`),
    )
    expect(bare).toEqual([])
  })
})

describe('exchanges', () => {
  it.each(operationNames)('the exchange of %s fits what the operation says', (name) => {
    const operation: V2Operation = operations[name]
    const exchange = exchanges[name]
    const { status, answer } = successOf(operation)
    expect(exchange.status).toBe(status)
    expect(Value.Errors(answer.schema!, exchange.answer)).toEqual([])
    if (operation.body) expect(Value.Errors(operation.body.schema, exchange.body)).toEqual([])
    else expect(exchange.body).toBeUndefined()
    if (operation.pathParameters) expect(Value.Errors(operation.pathParameters, exchange.path)).toEqual([])
    if (operation.queryParameters) expect(Value.Errors(operation.queryParameters, exchange.query)).toEqual([])
    if (operation.headers) expect(Value.Errors(operation.headers, exchange.headers)).toEqual([])
    expect(Value.Errors(answer.headers!, exchange.answerHeaders)).toEqual([])
  })

  it('sends the revision of a control as its precondition too', () => {
    const controls = operationNames.filter((name) => operations[name].path.match(/\/\{id\}\/(?!items|notes)/))
    for (const name of controls) {
      const { body, headers } = exchanges[name]
      if (body !== undefined) expect(headers['If-Match']).toBe(`"${(body as { revision: string }).revision}"`)
    }
  })

  it('never shows the value of a credential in an answer', () => {
    for (const name of operationNames) {
      expect(JSON.stringify(exchanges[name].answer)).not.toContain('example-secret-value')
    }
    expect(JSON.stringify(exchanges.CreateCredential.body)).toContain('example-secret-value')
  })
})
