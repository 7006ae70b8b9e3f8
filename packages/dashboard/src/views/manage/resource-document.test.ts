import { expect, it } from 'vitest'
import { emptyDocument, idFor, nameOf, writablePart } from './resource-document.ts'

it('leaves out what the service sets', () => {
  const metadata = { id: 'a', uid: 'u', name: 'A', resourceVersion: '1.1', generation: 2, managedBy: 'api' }
  expect(
    writablePart({ apiVersion: 'x', kind: 'Monitor', metadata, spec: { a: 1 }, status: { b: 1 } }),
  ).toEqual({
    apiVersion: 'pulseward/v2',
    kind: 'Monitor',
    metadata: { id: 'a', name: 'A' },
    spec: { a: 1 },
  })
})

it.each([
  ['Checkout API', 'checkout-api'],
  ['  Größe & Ämter!  ', 'gro-e-amter'],
  ['<script>alert(1)</script>', 'script-alert-1-script'],
  ['日本', ''],
])('makes an id of %j', (name, id) => {
  expect(idFor(name)).toBe(id)
})

it('calls a resource by its name, else by its id', () => {
  expect(nameOf({ metadata: { id: 'a', name: 'A' } })).toBe('A')
  expect(nameOf({ metadata: { id: 'a' } })).toBe('a')
  expect(nameOf(emptyDocument('Credential'))).toBe('')
})
