// The key file of credentials becomes unusable between validation and activation: what the operation does then, and that
// everything that is written later is what was sent.
import { renameSync } from 'node:fs'
import { v2 } from '@pulseward/contract'
import { expectV2Answer } from '@pulseward/testing/api'
import { describe, expect, it } from 'vitest'
import { credential, endpoint, monitor, outcomesOf, ServedBulk } from './served.fixture.ts'

function described(id: string, description: string): v2.Resource {
  return { apiVersion: v2.apiVersion, kind: 'Credential', metadata: { id }, spec: { description } }
}

async function setKeyFile(served: ServedBulk, isThere: boolean): Promise<void> {
  const [key, aside] = [served.folder.path('data.key'), served.folder.path('aside.key')]
  if (isThere) renameSync(aside, key)
  else renameSync(key, aside)
  let values = 0
  const write = () => served.call('CreateCredential', { body: credential('probe', `p-${values++}`), headers })
  const headers = { 'if-none-match': '*' }
  // The service looks at the file from time to time.
  await expect.poll(async () => (await write()).status).toBe(isThere ? 412 : 503)
}

async function urlOf(served: ServedBulk, id: string): Promise<unknown> {
  const found = await served.call('GetNotificationEndpoint', { id })
  return (await expectV2Answer('GetNotificationEndpoint', found)).spec.config
}

describe('an operation while values cannot be sealed', () => {
  it('fails the credentials that get a value and applies the rest, and later writes are right', async () => {
    await using served = await ServedBulk.start()
    await served.put(credential('probe', 'made first'))
    await served.put(credential('kept', 'a value'))
    const id = await served.staged(
      described('kept', 'described anew'),
      credential('sealed', 'a new value'),
      endpoint('named'),
      monitor('beside'),
    )
    await setKeyFile(served, false)
    const operation = await served.activate(id)
    expect(outcomesOf(operation)).toEqual([
      'Credential/kept updated',
      'Credential/sealed failed',
      'NotificationEndpoint/named created',
      'Monitor/beside created',
    ])
    expect(operation).toMatchObject({ state: 'partial', reason: 'Of its items, 1 failed.' })
    expect(operation.items?.[1]?.message).toBe(
      'Its value cannot be stored: the key file of credentials is missing. Put the key file in order and apply it again.',
    )
    expect((await served.call('GetCredential', { id: 'sealed' })).status).toBe(404)

    await setKeyFile(served, true)
    for (const name of ['one', 'two', 'three']) {
      const url = `https://${name}.test/`
      await served.put(endpoint('named', { url }))
      expect(await urlOf(served, 'named')).toEqual({ url })
      await served.put(monitor(name))
      expect((await served.call('GetMonitor', { id: name })).status).toBe(200)
    }
    expect(outcomesOf(await served.apply(credential('sealed', 'a new value')))).toEqual([
      'Credential/sealed created',
    ])
  })
})

it('raises the generation of a credential whose value changes together with its labels', async () => {
  await using served = await ServedBulk.start()
  await served.put(credential('hook', 'first'))
  const second = credential('hook', 'second')
  const labelled = { ...second, metadata: { id: 'hook', labels: { team: 'red' } } } as v2.Resource
  expect(outcomesOf(await served.apply(labelled))).toEqual(['Credential/hook updated'])
  const { metadata } = await expectV2Answer(
    'GetCredential',
    await served.call('GetCredential', { id: 'hook' }),
  )
  expect(metadata.generation).toBe(2)
})
