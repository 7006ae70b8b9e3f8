// The documents against the official schema of OpenAPI 3.1, which the validator carries.
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { openApi } from './openapi.ts'
import { editions } from './operation.ts'
import { v1Api } from './v1/api.ts'

const info = { title: 'Pulseward', version: '1.2.3', description: 'What it serves.' }

it.each(editions)('the document of %s is OpenAPI 3.1', async (edition) => {
  const validator = new Validator()
  // A copy, because the validator may change what it is given.
  const document = structuredClone(openApi({ info, edition, apis: [v1Api], authentication: false }))
  expect(await validator.validate(document)).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
})

it('a document that is not is noticed', async () => {
  const { info: _, ...broken } = openApi({ info, edition: 'main', apis: [v1Api], authentication: false })
  expect(await new Validator().validate(broken)).toMatchObject({ valid: false })
})
