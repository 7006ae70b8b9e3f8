import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { openApi } from '../openapi.ts'
import { v2Api } from './api.ts'
import { exchanges } from './examples.ts'
import type { V2Operation } from './operations/parts.ts'
import {
  contractOperationNames,
  defaultOperationNames,
  isAddition,
  operationNames,
  operations,
  successOf,
} from './operations.ts'
import { nameOf } from './wire/wire-type.ts'

const info = { title: 'Pulseward', version: '1.2.3', description: 'What it serves.' }

interface Written {
  readonly operationId: string
  readonly 'x-pulseward-addition'?: boolean
  readonly requestBody?: { content: Record<string, { example?: unknown }> }
  readonly responses: Record<string, { links?: Record<string, { operationId: string }> }>
}

interface Document {
  readonly paths: Record<string, Record<string, Written>>
  readonly components: {
    readonly schemas: Record<string, { examples?: unknown[] }>
    readonly responses: Record<string, { headers?: Record<string, { required?: boolean }> }>
  }
}

const documentOf = (builds: 'external_jobs'[]) =>
  openApi({ info, edition: 'next', apis: [v2Api], authentication: true, builds }) as unknown as Document
const document = documentOf(['external_jobs'])
const written = Object.values(document.paths).flatMap((item) => Object.values(item))

describe('the OpenAPI document of v2', () => {
  it('has the 66 operations, 55 without external jobs, each at its place', () => {
    for (const name of operationNames) {
      const { path, method } = operations[name]
      expect(document.paths[path]?.[method.toLowerCase()]?.operationId).toBe(`v2.${name}`)
    }
    const ofContract = written.filter((one) => one['x-pulseward-addition'] === undefined)
    expect(ofContract.map(({ operationId }) => operationId).sort()).toEqual(
      contractOperationNames.map((name) => `v2.${name}`).sort(),
    )
    expect(ofContract).toHaveLength(66)
    const plain = Object.values(documentOf([]).paths).flatMap((item) => Object.values(item))
    const plainOfContract = plain.filter((one) => one['x-pulseward-addition'] === undefined)
    expect(plainOfContract.map(({ operationId }) => operationId)).toEqual(
      defaultOperationNames.filter((name) => !isAddition(name)).map((name) => `v2.${name}`),
    )
    expect(plainOfContract).toHaveLength(55)
  })

  it('marks what stands beside the contract', () => {
    const marked = written.filter((one) => one['x-pulseward-addition'] === true)
    expect(marked.map(({ operationId }) => operationId)).toEqual(
      operationNames.filter(isAddition).map((name) => `v2.${name}`),
    )
  })

  it('is OpenAPI 3.1 by its official schema', async () => {
    // A copy, because the validator may change what it is given.
    expect(await new Validator().validate({ ...structuredClone(document) })).toEqual({ valid: true })
  })

  it('shows a body for every operation that has one', () => {
    const bodies = written.flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))
    expect(bodies.filter(({ example }) => example === undefined)).toEqual([])
    expect(bodies).toHaveLength(operationNames.filter((name) => exchanges[name].body !== undefined).length)
  })

  it('is not for the other editions', () => {
    for (const edition of ['main', 'candidate'] as const) {
      expect(
        openApi({ info, edition, apis: [v2Api], authentication: true, builds: ['external_jobs'] })['paths'],
      ).toEqual({})
    }
  })

  it('leads from a create to its get, patch and delete', () => {
    const created = document.paths['/api/v2/monitors']!['post']!.responses['201']!
    expect(created.links).toMatchObject({
      GetMonitor: { operationId: 'v2.GetMonitor', parameters: { id: '$response.body#/metadata/id' } },
      PatchMonitor: { parameters: { 'If-Match': '$response.header.ETag' } },
      DeleteMonitor: { operationId: 'v2.DeleteMonitor' },
    })
    const known = new Set(written.map(({ operationId }) => operationId))
    const links = written.flatMap(({ responses }) =>
      Object.values(responses).flatMap(({ links }) => [links ?? {}]),
    )
    const targets = links.flatMap((link) => Object.values(link).map(({ operationId }) => operationId))
    expect(targets.filter((target) => !known.has(target))).toEqual([])
    expect(targets.length).toBeGreaterThan(50)
  })

  it('promises Retry-After with 429 and allows it with 503', () => {
    const { responses } = document.components
    const headerOf = (code: string) =>
      Object.entries(responses).find(([name]) => name.includes(code))?.[1].headers?.['Retry-After']
    expect(headerOf('rateLimited')).toMatchObject({ required: true })
    expect(headerOf('unavailable')).toMatchObject({ required: false })
    expect(headerOf('versionConflict')).toBeUndefined()
  })

  it('refers to every type by its name, and writes each once', () => {
    const names = Object.keys(document.components.schemas).map((name) => name.replace('v2.', ''))
    expect(names.sort()).toEqual(Object.keys(v2Api.schemas).sort())
  })

  it('has schemas that another validator understands, and exchanges that it accepts', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, validateFormats: false })
    ajv.addSchema({ $id: 'document', components: document.components }, undefined, false, false)
    ajv.addVocabulary(['components'])
    for (const name of operationNames) {
      const operation: V2Operation = operations[name]
      const { body, answer } = exchanges[name]
      const parts = [
        [nameOf(successOf(operation).answer.schema!), answer],
        ...(operation.body ? [[nameOf(operation.body.schema), body]] : []),
      ]
      for (const [type, value] of parts) {
        const validate = ajv.compile({ $ref: `document#/components/schemas/v2.${type}` })
        expect(validate(value), `${name}: ${ajv.errorsText(validate.errors)}`).toBe(true)
      }
    }
  })
})
