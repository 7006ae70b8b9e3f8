import type { v2 } from '@pulseward/contract'
import { expect, it } from 'vitest'
import { ReadFailure } from '../../data/failure.ts'
import type { V2Requests, V2Write, WriteOutcome } from '../../data/v2-request.ts'
import type { Json } from './json.ts'
import { wordsOf } from './kinds.ts'
import { conflictOver, saveDocument } from './save-document.ts'

const sent: Json = {
  apiVersion: 'pulseward/v2',
  kind: 'Credential',
  metadata: { id: 'key' },
  spec: { description: 'mine', value: 'secret' },
}
const stored = (description: string, version: string) => ({
  body: {
    apiVersion: 'pulseward/v2',
    kind: 'Credential',
    metadata: { id: 'key', resourceVersion: version, managedBy: 'api' },
    spec: { description },
    status: { available: true },
  } as unknown as v2.Resource,
  version,
})
const base = { id: 'key', version: '1' }
const refusal = (status: number, errors: readonly v2.FieldError[] = []) =>
  ({ kind: 'refused', status, code: null, sentence: 'It was refused.', errors }) as const

/** A service that answers the one write so, and then has this. */
class Service implements V2Requests {
  readonly writes: V2Write[] = []
  readonly reads: string[] = []
  readonly #answer: WriteOutcome<v2.Resource>
  readonly #now: ReturnType<typeof stored> | ReadFailure
  constructor(answer: WriteOutcome<v2.Resource>, now: ReturnType<typeof stored> | ReadFailure = gone) {
    this.#answer = answer
    this.#now = now
  }
  async read<Body>(path: string) {
    this.reads.push(path)
    if (this.#now instanceof ReadFailure) throw this.#now
    return this.#now as { body: Body; version: string }
  }
  async write<Body>(asked: V2Write) {
    this.writes.push(asked)
    return this.#answer as WriteOutcome<Body>
  }
}
const gone = new ReadFailure('absent', 'There is none.')
const silent = new ReadFailure('unreachable', 'Pulseward does not answer.')
const save = (requests: V2Requests, from: typeof base | null = base) =>
  saveDocument({ words: wordsOf('Credential'), requests, base: from }, sent)

it('creates only what is not there, and changes only what was read', async () => {
  const service = new Service({ kind: 'done', ...stored('mine', '2') })
  await save(service, null)
  await save(service)
  expect(service.writes).toEqual([
    { method: 'POST', path: '/api/v2/credentials', body: sent, isCreate: true },
    { method: 'PUT', path: '/api/v2/credentials/key', body: sent, ifMatch: '1' },
  ])
})

it.each([
  ['2', 'Saved.'],
  ['1', 'Nothing had changed.'],
])('is at version %s: %s', async (version, sentence) => {
  const { body } = stored('mine', version)
  expect(await save(new Service({ kind: 'done', body, version }))).toEqual({
    outcome: { kind: 'said', sentence, isTrouble: false },
    saved: { resource: body, version },
  })
})

it('passes on why it was refused, with every mistake', async () => {
  const errors = [{ field: '/spec', message: 'is missing' }]
  expect(await save(new Service(refusal(400, errors)))).toEqual({
    outcome: { kind: 'refused', sentence: 'It was refused.', errors },
    saved: null,
  })
})

it('shows what is there when somebody was faster, and says so of an id that is taken', async () => {
  const theirs = stored('theirs', '2')
  expect(await save(new Service(refusal(412), theirs))).toEqual({
    outcome: { kind: 'conflict', now: { resource: theirs.body, version: '2' } },
    saved: null,
  })
  expect((await save(new Service(refusal(412)))).outcome).toEqual({ kind: 'conflict', now: null })
  expect((await save(new Service(refusal(412)), null)).outcome).toEqual({
    kind: 'refused',
    sentence: 'There is a credential with this id already.',
    errors: [],
  })
})

it('says that a conflict cannot be shown when it cannot be read', async () => {
  const place = { words: wordsOf('Credential'), requests: new Service(refusal(412), silent), base }
  expect(await conflictOver(place, 'key')).toEqual({
    kind: 'said',
    sentence:
      'Somebody changed it in the meantime, and the new version cannot be read. Pulseward does not answer.',
    isTrouble: true,
  })
})

it.each([
  ['what was sent is there', stored('mine', '2'), /what is stored now is what you see here/, '2'],
  [
    'what was sent was there before',
    stored('mine', '1'),
    /what is stored now is what you see here/,
    undefined,
  ],
  ['something else is there', stored('theirs', '2'), /your change is not stored/, undefined],
  ['nothing is there', gone, /your change is not stored/, undefined],
  ['nobody answers', silent, /It is unknown whether this was saved/, undefined],
])('looks, and does not write again, when the answer is lost: %s', async (_, now, sentence, version) => {
  const service = new Service({ kind: 'unknown' }, now)
  const { outcome, saved } = await save(service)
  expect(outcome).toMatchObject({ kind: 'said', isTrouble: true, sentence: expect.stringMatching(sentence) })
  expect(saved?.version).toBe(version)
  expect([service.writes.length, service.reads]).toEqual([1, ['/api/v2/credentials/key']])
})

it('looks for a new one by the id that was sent', async () => {
  const service = new Service({ kind: 'unknown' }, stored('mine', '1'))
  expect((await save(service, null)).saved?.version).toBe('1')
  expect(service.reads).toEqual(['/api/v2/credentials/key'])
})
