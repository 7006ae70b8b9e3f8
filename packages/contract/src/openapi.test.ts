import { Ajv2020 } from 'ajv/dist/2020.js'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { openApi } from './openapi.ts'
import { type Api, editions, type Operation } from './operation.ts'
import { v1Api } from './v1/api.ts'

const info = { title: 'Pulseward', version: '1.2.3', description: 'What it serves.' }

interface Document {
  readonly paths: Record<string, Record<string, { operationId: string; parameters?: { name: string }[] }>>
  readonly components: Record<string, Record<string, { examples?: unknown[]; content?: object }>>
}

const documentOf = (edition: (typeof editions)[number], api: Api = v1Api) =>
  openApi({ info, edition, apis: [api], authentication: false }) as unknown as Document

function referencesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    key === '$ref' ? [inner as string] : referencesIn(inner),
  )
}

function smallApi(operation: Partial<Operation>, schemas: Api['schemas'] = {}): Api {
  const base: Operation = {
    summary: 'A thing',
    method: 'GET',
    path: '/thing',
    tag: 'things',
    editions: ['next'],
    answers: {},
    problems: [],
  }
  return {
    ...v1Api,
    operations: { GetThing: { ...base, ...operation } },
    tags: { things: 'What there is.' },
    schemas: { ...v1Api.schemas, ...schemas },
  }
}

describe.each(editions)('the OpenAPI document of %s', (edition) => {
  const document = documentOf(edition)

  it('has every operation that the edition serves, once', () => {
    const served = Object.entries<Operation>(v1Api.operations).filter(([, { editions }]) =>
      editions.includes(edition),
    )
    const written = Object.values(document.paths).flatMap((item) => Object.values(item))
    expect(written.map(({ operationId }) => operationId)).toEqual(served.map(([name]) => `v1.${name}`))
  })

  it('refers only to what it holds, and holds only what is referred to', () => {
    const references = new Set(referencesIn(document))
    const held = ['schemas', 'responses', 'headers'].flatMap((kind) =>
      Object.keys(document.components[kind]!).map((name) => `#/components/${kind}/${name}`),
    )
    expect(new Set(held)).toEqual(references)
  })

  it('has schemas that another validator understands, and examples that it accepts', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: document.components }, undefined, false, false)
    ajv.addVocabulary(['components'])
    for (const [name, { examples = [] }] of Object.entries(document.components['schemas']!)) {
      const validate = ajv.compile({ $ref: `document#/components/schemas/${name}` })
      for (const example of examples)
        expect(validate(example), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true)
    }
  })

  it('is the same every time', () => expect(documentOf(edition)).toEqual(document))
})

describe('an operation in the OpenAPI document', () => {
  it('has the parameters of path, query and headers, and a body', () => {
    const document = documentOf(
      'next',
      smallApi({
        method: 'PUT',
        path: '/things/{id}',
        pathParameters: Type.Object({ id: Type.String({ description: 'Which.' }) }),
        queryParameters: Type.Object({ limit: Type.Optional(Type.Integer()) }),
        headers: Type.Object({ 'If-Match': Type.String() }),
        body: { mediaType: 'application/json', schema: v1Api.schemas.Config, maxBytes: 10 },
      }),
    )
    expect(document.paths['/things/{id}']!['put']).toMatchObject({
      parameters: [
        { name: 'id', in: 'path', required: true, description: 'Which.', schema: { type: 'string' } },
        { name: 'limit', in: 'query', required: false, schema: { type: 'integer' } },
        { name: 'If-Match', in: 'header', required: true },
      ],
      requestBody: {
        content: { 'application/json': { schema: { $ref: '#/components/schemas/v1.Config' } } },
      },
    })
  })

  it('of another build is there only when that is on', () => {
    const api = smallApi({ build: 'external_jobs' })
    expect(documentOf('next', api).paths).toEqual({})
    const built = openApi({
      info,
      edition: 'next',
      apis: [api],
      authentication: true,
      builds: ['external_jobs'],
    })
    expect(Object.keys(built['paths'] as object)).toEqual(['/thing'])
  })

  it('says what a schema with a name means where it is used', () => {
    const When = Type.With(v1Api.schemas.Timestamp, { description: 'Then.' })
    const answer = { description: 'Yes.', mediaType: 'application/json', schema: Type.Object({ When }) }
    const document = documentOf('next', smallApi({ answers: { 200: answer } }))
    expect(referencesIn(document.paths)).toContain('#/components/schemas/v1.Timestamp')
    expect(JSON.stringify(document.paths)).toContain('"description":"Then."')
  })

  it('cannot have a code that the catalogue does not know', () => {
    expect(() => documentOf('next', smallApi({ problems: ['nonsense'] }))).toThrow('has no code nonsense')
  })

  it('cannot have two answers for one status', () => {
    const answers = { 405: { description: 'No.' } }
    expect(() => documentOf('next', smallApi({ answers }))).toThrow('two answers for 405')
  })

  it('cannot use a schema that has two names', () => {
    const schemas = { Settings: v1Api.schemas.Config }
    expect(() => documentOf('next', smallApi({}, schemas))).toThrow(
      'v1.Settings and v1.Config are the same schema',
    )
  })
})
