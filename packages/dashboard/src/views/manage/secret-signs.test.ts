import { expect, it } from 'vitest'
import type { Json } from './json.ts'
import { secretSigns } from './secret-signs.ts'

const monitor = (config: Json, metadata: Json = { id: 'a' }): Json => ({
  kind: 'Monitor',
  metadata,
  spec: { check: { driver: { type: 'http', config, credentialRefs: { 'auth.bearer': 'Aa1'.repeat(12) } } } },
})

it.each<[string, Json]>([
  ['a password in an address', { url: 'https://user:hunter2@example.com/' }],
  ['a token in an address', { url: 'https://example.com/?api_key=abcdef123' }],
  ['a login in a header', { headers: { Authorization: 'Bearer abcdefghij' } }],
  ['a key of AWS', { body: 'AKIAABCDEFGHIJKLMNOP' }],
  ['a private key', { body: '-----BEGIN RSA PRIVATE KEY-----\nabc' }],
  ['something random', { note: 'Zx81kQ0pLm93Tn4vB7cW2yH6dF5gJ8sA' }],
  ['a secret by its name', { password: 'hunter2' }],
])('warns of %s, and does not repeat it', (_, config) => {
  const [sign, ...others] = secretSigns(monitor(config))
  expect(others).toEqual([])
  expect(sign?.pointer).toMatch(/^\/spec\/check\/driver\/config\//)
  for (const text of Object.values(config as object)) expect(sign?.message).not.toContain(text)
})

it.each<[string, Json]>([
  ['an address', { url: 'https://example.com:8443/a/very/long/path/with/Many123/parts?page=2' }],
  ['an id that is a digest', { database: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822c' }],
  ['a sentence', { body: 'The password of this service is kept elsewhere' }],
])('is quiet about %s', (_, config) => {
  expect(secretSigns(monitor(config))).toEqual([])
})

it('looks at names and labels, too', () => {
  const signs = secretSigns(monitor({}, { id: 'a', labels: { team: 'ghp_abcdefghijklmnopqrstuvwxyz0123' } }))
  expect(signs.map(({ pointer }) => pointer)).toEqual(['/metadata/labels/team'])
})

it('lets the value of a credential be a secret', () => {
  const value = 'ghp_abcdefghijklmnopqrstuvwxyz0123'
  expect(
    secretSigns({ kind: 'Credential', spec: { value, description: value } }).map(({ pointer }) => pointer),
  ).toEqual(['/spec/description'])
})
