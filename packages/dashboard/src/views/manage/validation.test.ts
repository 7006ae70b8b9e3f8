import type { v2 } from '@pulseward/contract'
import { expect, it } from 'vitest'
import type { WriteOutcome } from '../../data/v2-request.ts'
import { preflightOf, validationOf } from './validation.ts'

const answered = (body: unknown) =>
  ({ kind: 'done', body: body as v2.Preflight, version: null }) satisfies WriteOutcome<v2.Preflight>
const refused = (errors: readonly v2.FieldError[]) =>
  ({ kind: 'refused', status: 400, code: null, sentence: 'Slow down.', errors }) as const

it('asks about the document as a whole', () => {
  expect(preflightOf({ kind: 'Monitor' })).toMatchObject({
    method: 'POST',
    path: '/api/v2/collections/preflight',
    body: { items: [{ resource: { kind: 'Monitor' } }] },
  })
})

it('names places in the document, not in the request around it', () => {
  const errors = [
    { field: '/items/0/resource/spec/check', message: 'is missing' },
    { field: '/items/0/resource', message: 'is not an object' },
    { field: '/items', message: 'is too long' },
  ]
  const inDocument = [
    { field: '/spec/check', message: 'is missing' },
    { field: '', message: 'is not an object' },
    { field: '/items', message: 'is too long' },
  ]
  expect(validationOf(answered({ valid: false, errors }), false)).toEqual({
    kind: 'invalid',
    errors: inDocument,
  })
  expect(validationOf(refused(errors), false)).toEqual({ kind: 'invalid', errors: inDocument })
})

it.each([
  ['created', true, { kind: 'valid', outcome: 'created', notes: [] }],
  ['updated', false, { kind: 'valid', outcome: 'updated', notes: [] }],
  ['unchanged', false, { kind: 'valid', outcome: 'unchanged', notes: [] }],
  [
    'updated',
    true,
    {
      kind: 'invalid',
      errors: [{ field: '/metadata/id', message: 'is taken already; choose another one' }],
    },
  ],
] as const)('takes what would be %s, new: %s, for what it is', (outcome, isNew, validation) => {
  expect(validationOf(answered({ valid: true, items: [{ outcome }] }), isNew)).toEqual(validation)
})

it('passes on what is worth knowing, which keeps nobody from saving', () => {
  const notes = [{ field: '/items/0/resource/spec/notifications/red', message: 'Nobody is told.' }]
  const body = { valid: true, items: [{ outcome: 'created' }], notes }
  expect(validationOf(answered(body), true)).toMatchObject({ kind: 'valid', notes: ['Nobody is told.'] })
})

it('holds nothing up when the service does not say', () => {
  expect(validationOf({ kind: 'unknown' }, true)).toEqual({
    kind: 'unavailable',
    sentence: 'Pulseward does not answer.',
  })
  expect(validationOf(refused([]), true)).toEqual({ kind: 'unavailable', sentence: 'Slow down.' })
})
