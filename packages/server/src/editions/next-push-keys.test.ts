// Keys that the service makes for jobs, over HTTP: told once, used at once, and replaced without losing a signal.
import type { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { http, TestService } from '@pulseward/testing/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pushKeyPattern } from '../config/push-key.ts'

let next: ServedNext
beforeAll(async () => {
  next = await serveNext(await TestService.start({ monitors: [http('a', { every: '1h' })] }))
})
afterAll(() => next[Symbol.asyncDispose]())

async function newKey(credential: string): Promise<v2.PushKey> {
  const response = await next.call('CreatePushKey', { body: { credential } })
  expect(response.headers.get('location')).toBe(`/api/v2/credentials/${credential}`)
  expect(response.headers.get('cache-control')).toBe('no-store')
  return await expectV2Answer('CreatePushKey', response)
}

describe('a key that the service makes', () => {
  it('is one that nobody can guess, and another each time', async () => {
    const [one, other] = [await newKey('first-key'), await newKey('second-key')]
    expect(one.key).toMatch(pushKeyPattern)
    expect(one.key.length).toBeGreaterThanOrEqual(43)
    expect(other.key).not.toBe(one.key)
  })

  it('is told only once', async () => {
    const { key } = await newKey('told-once')
    const shown = await next.call('GetCredential', { id: 'told-once' })
    expect(await shown.text()).not.toContain(key)
    const history = await next.call('GetHistory')
    expect(await history.text()).not.toContain(key)
  })

  it('does not take the place of a credential that exists', async () => {
    await newKey('taken')
    const response = await next.call('CreatePushKey', { body: { credential: 'taken' } })
    await expectV2Problem('CreatePushKey', response, 'versionConflict')
  })

  it('is the key of a monitor, beside the previous one', async () => {
    await newKey('backup-key')
    const body = {
      apiVersion: 'pulseward/v2',
      kind: 'Monitor',
      metadata: { id: 'backup' },
      spec: {
        check: { driver: { type: 'push', config: { every: '1h' }, credentialRefs: { key: 'backup-key' } } },
      },
    }
    const made = await next.call('CreateMonitor', { body, headers: { 'if-none-match': '*' } })
    expect(made.status).toBe(201)
    await newKey('backup-key-2')
    const credentialRefs = { key: 'backup-key-2', previous_key: 'backup-key' }
    const patched = await next.call('PatchMonitor', {
      id: 'backup',
      body: { spec: { check: { driver: { credentialRefs } } } },
      headers: { 'if-match': made.headers.get('etag') ?? '' },
    })
    expect(patched.status).toBe(200)
  })
})
