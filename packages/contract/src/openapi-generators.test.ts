// What generators of clients need of the documents: openapi-python-client, oapi-codegen and others skip an operation, or
// make a type without a name, where one of these is missing.
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { NamedSchemas, openApi } from './openapi.ts'
import { v1Api } from './v1/api.ts'
import { v2Api } from './v2/api.ts'

const info = { title: 'Pulseward', version: '1.2.3', description: 'What it serves.' }

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly pattern?: string
  readonly const?: unknown
}

interface Document {
  readonly tags: readonly { name: string; description?: string }[]
  readonly paths: Record<
    string,
    Record<
      string,
      {
        tags: string[]
        security: object[]
        parameters?: { name: string; in: string; schema: Schema & { $ref?: string; minLength?: number } }[]
      }
    >
  >
  readonly components: { schemas: Record<string, object> }
}

const of = (
  api: typeof v1Api | typeof v2Api,
  edition: 'main' | 'candidate' | 'next',
  authentication = true,
) => openApi({ info, edition, apis: [api], authentication, builds: ['external_jobs'] }) as unknown as Document

const documents: Record<string, Document> = {
  'v1 of main': of(v1Api, 'main'),
  'v1 of candidate': of(v1Api, 'candidate'),
  'v1 of next': of(v1Api, 'next'),
  v2: of(v2Api, 'next'),
}

/** Every schema, with the path to it; examples and other data are not schemas. */
function* schemasIn(value: unknown, path = ''): Generator<[path: string, schema: Schema]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value) && !path.endsWith('/properties')) yield [path, value as Schema]
  for (const [key, inner] of Object.entries(value))
    if (!['examples', 'example', 'enum', 'default'].includes(key)) yield* schemasIn(inner, `${path}/${key}`)
}

function pathsOf(document: Document, isMeant: (schema: Schema) => boolean): string[] {
  return [...schemasIn(document)].filter(([, schema]) => isMeant(schema)).map(([path]) => path)
}

describe.each(Object.entries(documents))('the OpenAPI document for generators: %s', (_, document) => {
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item))
  const parameters = operations.flatMap(({ parameters = [] }) => parameters)

  it('gives every list of words a name', () => {
    const unnamed = pathsOf(document, (schema) => 'enum' in schema)
    expect(unnamed.filter((path) => !/^\/components\/schemas\/[^/]+$/.test(path))).toEqual([])
  })

  it('says how wide every number is, and that times are times', () => {
    const isNumber = ({ type }: Schema) => type === 'integer' || type === 'number'
    expect(pathsOf(document, (schema) => isNumber(schema) && schema.format === undefined)).toEqual([])
    const isTime = ({ pattern }: Schema) => typeof pattern === 'string' && pattern.startsWith('^\\d{4}-')
    expect(pathsOf(document, isTime).length).toBeGreaterThan(0)
    expect(pathsOf(document, (schema) => isTime(schema) && schema.format !== 'date-time')).toEqual([])
  })

  it('has maps with values of a type, and no keys by their pattern', () => {
    expect(pathsOf(document, (schema) => 'patternProperties' in schema)).toEqual([])
  })

  it('has no parameter that is a constant, for which operations are left out', () => {
    expect(parameters.filter(({ schema }) => 'const' in schema)).toEqual([])
  })

  it('says what the operations of every tag are about', () => {
    const described = document.tags.filter(({ description = '' }) => description.length > 10)
    expect(described.map(({ name }) => name)).toEqual([...new Set(operations.flatMap(({ tags }) => tags))])
  })

  it('knows that a cursor is not empty', () => {
    for (const { schema } of parameters.filter(({ name }) => name === 'cursor'))
      expect(schema.minLength).toBe(1)
  })
})

describe('the login of the OpenAPI document', () => {
  it('may be left out only where no credential is needed', () => {
    const loginsOf = (document: Document) =>
      Object.values(document.paths).flatMap((item) => Object.values(item).map(({ security }) => security))
    for (const security of loginsOf(of(v1Api, 'candidate', true)))
      expect(security).toEqual([{ bearer: [] }, { basic: [] }])
    for (const security of loginsOf(of(v1Api, 'candidate', false)))
      expect(security).toEqual([{ bearer: [] }, { basic: [] }, {}])
  })
})

describe('a schema in the OpenAPI document', () => {
  const write = (schema: object) => new NamedSchemas(new Map()).expand(schema)

  it.each([
    [Type.Integer(), { type: 'integer', format: 'int64' }],
    [Type.Integer({ maximum: 500 }), { type: 'integer', maximum: 500, format: 'int32' }],
    [Type.Integer({ maximum: 2 ** 32 - 1 }), { type: 'integer', maximum: 2 ** 32 - 1, format: 'int64' }],
    [Type.Number(), { type: 'number', format: 'double' }],
    [Type.Number({ format: 'float' }), { type: 'number', format: 'float' }],
    [
      Type.Record(Type.String({ pattern: '^[a-z]+$' }), Type.String(), { additionalProperties: false }),
      { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, additionalProperties: { type: 'string' } },
    ],
    [
      Type.Record(Type.String(), Type.Boolean()),
      { type: 'object', additionalProperties: { type: 'boolean' } },
    ],
    [
      Type.Record(Type.String({ pattern: '^x' }), Type.String()),
      { type: 'object', patternProperties: { '^x': { type: 'string' } } },
    ],
  ])('%j is %j', (schema, written) => expect(write(schema)).toEqual(written))

  it('with a tag that nothing describes is refused', () => {
    expect(() => of({ ...v1Api, tags: {} } as unknown as typeof v1Api, 'main')).toThrow(
      'nothing says what the tag health is about',
    )
  })
})
