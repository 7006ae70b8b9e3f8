// Push monitors as v2 takes them: what they may leave out, what they may not say, and whose key is whose.
import type { v2 } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import { driverShapes } from '../config/driver-shapes.ts'
import type { Surroundings } from './surroundings.ts'
import { ResourceValidator } from './validate-resource.ts'

const validator = new ResourceValidator(driverShapes)
const values = {
  mine: 'a-key-of-22-characters',
  same: 'a-key-of-22-characters',
  other: 'another-key-of-24-letters',
}

function around(owners: Readonly<Record<string, string>> = {}): Surroundings {
  const credentials: Readonly<Record<string, string>> = { ...values, weak: 'weak' }
  return {
    drivers: driverShapes,
    allowsLocalDrivers: false,
    allowsJobTypes: false,
    jobType: () => null,
    has: (kind, id) => kind === 'Credential' && id in credentials,
    someIds: () => [],
    credentialValue: (id) => credentials[id] ?? null,
    monitorWithKey: (key) => owners[key] ?? null,
    pageAtHost: () => null,
    componentsOf: () => null,
    parentsOf: () => [],
  }
}

const driver = (credentialRefs: Record<string, string>, config: object = { every: '1h' }) => ({
  type: 'push',
  config,
  credentialRefs,
})

function errorsOf(check: v2.Monitor['spec']['check'], owners?: Readonly<Record<string, string>>): string[] {
  const sent = { metadata: { id: 'backup' }, spec: { check } }
  return validator
    .errors('Monitor', sent, around(owners), true)
    .map(({ field, message }) => `${field} ${message}`)
}

describe('a push monitor of v2', () => {
  it('needs neither interval nor timeout', () => {
    expect(errorsOf({ driver: driver({ key: 'mine' }) })).toEqual([])
  })

  it.each(['interval', 'timeout'] as const)('takes no %s', (field) => {
    expect(errorsOf({ driver: driver({ key: 'mine' }), [field]: '30s' })).toEqual([
      expect.stringMatching(new RegExp(`^/spec/check/${field} .*does not apply to a push check`)),
    ])
  })

  it('needs a key that may stand in an address, and says nothing of it', () => {
    expect(errorsOf({ driver: driver({}) })).toHaveLength(1)
    const [error] = errorsOf({ driver: driver({ key: 'weak' }) })
    expect(error).toMatch(/^\/spec\/check\/driver\/credentialRefs\/key .*expected: 22 to 128 letters/)
  })

  it('needs a key that no other monitor has', () => {
    const check = { driver: driver({ key: 'mine' }) }
    expect(errorsOf(check, { [values.mine]: 'backup' })).toEqual([])
    expect(errorsOf(check, { [values.mine]: 'nightly' })).toEqual([
      '/spec/check/driver/credentialRefs/key names a credential with the same value as a key of the monitor "nightly"; give each its own',
    ])
    expect(errorsOf({ driver: driver({ key: 'mine', previous_key: 'same' }) })).toEqual([
      expect.stringMatching(
        /^\/spec\/check\/driver\/credentialRefs\/previous_key .* of this monitor already/,
      ),
    ])
    expect(errorsOf({ driver: driver({ key: 'mine', previous_key: 'other' }) })).toEqual([])
  })
})

it('leaves interval and timeout required for every other check', () => {
  const http = { type: 'http', config: { url: 'http://shop.test/' } }
  expect(errorsOf({ driver: http })).toEqual([
    '/spec/check "interval" is missing; a check of the type http needs it',
    '/spec/check "timeout" is missing; a check of the type http needs it',
  ])
})
