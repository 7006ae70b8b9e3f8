// A push key belongs to one monitor, however it was written: alone, at once with another, in a collection, as the new
// value of a credential, or in a fleet file. Refusals name the other monitor, and never show the key.
import type { v2 } from '@pulseward/contract'
import { expectV2Problem } from '@pulseward/testing/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { credential, monitor, ServedBulk } from './served.fixture.ts'

const file = {
  credentials: { 'file-key': { env: 'FILE_KEY' } },
  monitors: [{ id: 'of-file', name: 'Of file', check: push('file-key') }],
}
const fileKey = keyOf('of-the-file')

let served: ServedBulk
beforeAll(async () => {
  served = await ServedBulk.start({ fleet: file, environment: { FILE_KEY: fileKey, OTHER: keyOf('taken') } })
})
afterAll(() => served[Symbol.asyncDispose]())

function keyOf(word: string): string {
  return `${word}-`.padEnd(30, 'k')
}

function push(name: string) {
  return { type: 'push', config: { every: '1h', key: { credential: name } } }
}

function job(id: string, key: string, previousKey?: string) {
  const credentialRefs = { key, ...(previousKey === undefined ? {} : { previous_key: previousKey }) }
  const driver = { type: 'push', config: { every: '1h' }, credentialRefs }
  return monitor(id, { check: { driver } })
}

function write(resource: v2.Resource): Promise<Response> {
  const name = `Create${resource.kind}` as v2.OperationName
  return served.call(name, { body: resource, headers: { 'if-none-match': '*' } })
}

/** The mistakes for which a write is refused, none of which shows a key. */
async function mistakesOf(kind: v2.ResourceKind, response: Promise<Response>): Promise<string[]> {
  const name = `Create${kind}` as v2.OperationName
  const problem = await expectV2Problem(name, await response, 'invalidResource')
  expect(JSON.stringify(problem)).not.toContain('kkkk')
  return (problem.errors ?? []).map(({ field, message }) => `${field} ${message}`)
}

async function change(id: string, value: string): Promise<Response> {
  const found = await served.call('GetCredential', { id })
  const headers = { 'if-match': found.headers.get('etag') ?? '' }
  return served.call('ReplaceCredential', { id, body: credential(id, value), headers })
}

const ofKey = '/spec/check/driver/credentialRefs/key names a credential with the same value as a key of'

describe('the key of another monitor is refused', () => {
  it('for a monitor, whether v2 or a file has the other', async () => {
    await served.put(credential('one', keyOf('one')))
    await served.put(job('first', 'one'))
    await served.put(credential('alias', keyOf('one')))
    await served.put(credential('as-in-file', fileKey))
    for (const [key, owner] of [
      ['one', 'first'],
      ['alias', 'first'],
      ['as-in-file', 'of-file'],
    ] as const)
      expect(await mistakesOf('Monitor', write(job('second', key)))).toEqual([
        `${ofKey} the monitor "${owner}"; give each its own`,
      ])
  })

  it('for one of two monitors that are written at once', async () => {
    await served.put(credential('shared', keyOf('shared')))
    const answers = await Promise.all([write(job('left', 'shared')), write(job('right', 'shared'))])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422])
  })

  it('as the new value of a credential', async () => {
    await served.put(credential('two', keyOf('two')))
    await served.put(credential('two-before', keyOf('two-before')))
    await served.put(job('rotating', 'two', 'two-before'))
    const place = 'monitor/rotating at /spec/check/driver/credentialRefs/key'
    expect(await mistakesOf('Credential', change('two', fileKey))).toEqual([
      `/spec/value does not fit ${place}; it is the value of a key of the monitor "of-file"; give each its own`,
    ])
    expect(await mistakesOf('Credential', change('two', keyOf('two-before')))).toEqual([
      `/spec/value does not fit ${place}; it is the value of a key of this monitor already; give each its own`,
    ])
    expect(await mistakesOf('Credential', change('two', 'weak'))).toEqual([
      expect.stringMatching(`^/spec/value does not fit ${place}; expected: 22 to 128 letters`),
    ])
    expect((await change('two', keyOf('three'))).status).toBe(200)
    // What it had before is free.
    await served.put(credential('reuse', keyOf('two')))
    await served.put(job('reusing', 'reuse'))
  })

  it('in a fleet file that is read again', async () => {
    await served.put(credential('taken', keyOf('taken')))
    await served.put(job('taking', 'taken'))
    const credentials = { ...file.credentials, other: { env: 'OTHER' } }
    const more = { id: 'more', name: 'More', check: push('other') }
    const answer = await served.reloadOf({ credentials, monitors: [...file.monitors, more] })
    expect(answer).toMatchObject({ applied: false })
    expect(JSON.stringify(answer)).toContain('the key of monitor more, as a key of monitor taking')
    expect(JSON.stringify(answer)).not.toContain('kkkk')
    await served.reload(file)
  })
})

describe('in a collection', () => {
  /** Why its items are wrong. */
  async function rejected(...resources: readonly v2.Resource[]): Promise<(string | undefined)[]> {
    const id = await served.staged(...resources)
    expect(await served.validate(id)).toMatchObject({ valid: false })
    const { items = [] } = await served.read(id)
    expect(JSON.stringify(items)).not.toContain('kkkk')
    return items.map(({ message }) => message)
  }

  it('two monitors with one key are refused, and one with the key of a monitor outside of it', async () => {
    await served.put(credential('outside', keyOf('outside')))
    await served.put(job('is-outside', 'outside'))
    const found = await rejected(
      credential('c-one', keyOf('c-one')),
      credential('c-same', keyOf('c-one')),
      job('c-first', 'c-one'),
      job('c-second', 'c-same'),
      job('c-third', 'outside'),
    )
    const names = 'names a credential with the same value as a key of'
    expect(found).toEqual([
      expect.stringContaining(`${names} the monitor "c-first"; give each its own`),
      expect.stringContaining(`${names} the monitor "is-outside"; give each its own`),
    ])
  })

  it('a new value of a credential that is the key of another monitor is refused', async () => {
    await served.put(credential('v-one', keyOf('v-one')))
    await served.put(credential('v-two', keyOf('v-two')))
    await served.put(job('v-first', 'v-one'))
    await served.put(job('v-second', 'v-two'))
    expect(await rejected(credential('v-two', keyOf('v-one')))).toEqual([
      expect.stringContaining('it is the value of a key of the monitor "v-first"; give each its own'),
    ])
  })

  it('a key may go from one monitor to another when both are in it', async () => {
    await served.put(credential('m-old', keyOf('m-old')))
    await served.put(credential('m-new', keyOf('m-new')))
    await served.put(job('m-first', 'm-old'))
    const operation = await served.apply(job('m-first', 'm-new'), job('m-second', 'm-old'))
    expect(operation.items?.map(({ outcome }) => outcome)).toEqual(['updated', 'created'])
  })
})
