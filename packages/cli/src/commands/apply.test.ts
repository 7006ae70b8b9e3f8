// apply and diff, in this process, against a peer that keeps to the contract.
import { createHash } from 'node:crypto'
import type { v2 } from '@pulseward/contract'
import { exchanges } from '@pulseward/contract/v2/examples'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand } from '@pulseward/testing/process'
import { misbehaviours, problemAnswer, ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal } from '../client/command.fixture.ts'

const secret = 'value-that-must-stay-secret'
const group = (id: string) => ({
  apiVersion: 'pulseward/v2',
  kind: 'NotificationGroup',
  metadata: { id },
  spec: { endpointRefs: ['ops-slack', 'ops-mail'] },
})
const credential = {
  apiVersion: 'pulseward/v2',
  kind: 'Credential',
  metadata: { id: 'ops-hook' },
  spec: { value: secret },
}

const wrong = `# two resources
apiVersion: pulseward/v2
kind: Monitor
metadata: { id: a, nmae: x }
spec:
  check:
    driver: { type: http }
    interval: 10 seconds
    timeout: 5s
---
kind: Monitr
apiVersion: pulseward/v2
--- # a secret in a broken place
apiVersion: pulseward/v2
kind: Credential
metadata: { id: b }
spec: { value: "${secret}", "${secret}": [ }
---
monitors: []
---
apiVersion: pulseward/v2
kind: Credential
metadata: { id: c }
spec: { value: "[REDACTED]" }
`
let folder: TemporaryFolder
let peer: ReferencePeer
beforeAll(async () => {
  peer = await ReferencePeer.start()
  folder = temporaryFolder({
    'right/b.yaml': `${JSON.stringify(group('ops'))}\n---\n${JSON.stringify(credential)}\n`,
    'right/a.ndjson': `${JSON.stringify(group('first'))}\n\n${JSON.stringify(group('second'))}\n`,
    'right/deeper/c.json': JSON.stringify({ items: [group('third')] }),
    'right/notes.txt': 'not ours',
    'wrong.yaml': wrong,
    'twice.yaml': `${JSON.stringify(group('ops'))}\n---\n${JSON.stringify(group('ops'))}\n`,
    'list.yaml': `items:\n  - ${JSON.stringify(group('ops'))}\n  - apiVersion: pulseward/v2\n    kind: JobType\n    metadata: { id: -x }\n`,
    'infinite.yaml':
      'apiVersion: pulseward/v2\nkind: NotificationEndpoint\nmetadata: { id: a }\nspec: { type: log, config: { limits: [1, .inf] } }\n',
    'empty.yaml': '# nothing\n---\n',
    'binary.yaml': Uint8Array.of(0xff, 0xfe, 0x00),
    'many.ndjson': Array.from(
      { length: 600 },
      (_, index) => `${JSON.stringify(group(`group-${index}`))}\n`,
    ).join(''),
    'none/x.txt': '',
  })
})
beforeEach(() => peer.requests.splice(0))
afterEach(() => peer.misbehave(null))
afterAll(async () => {
  await peer[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const run = (words: string[], on?: TestedTerminal) => runInProcess([...words, '--server', peer.url], on)
const calls = () => peer.requests.map(({ method, path }) => `${method} ${path.replace('/api/v2', '')}`)
const uploaded = () =>
  peer.requests
    .filter(({ path }) => path.endsWith('/items'))
    .map(({ body }) => (JSON.parse(body) as v2.UploadRequest).items)

/** Answers as the peer would, but for one operation. */
function changes(path: RegExp, change: (body: Record<string, unknown>) => object): void {
  peer.misbehave((response, { status, headers, body }) => {
    const isMeant = path.test(peer.lastRequest.path)
    const changed = isMeant ? JSON.stringify(change(JSON.parse(body) as Record<string, unknown>)) : body
    response.writeHead(status, headers).end(changed)
  })
}

function fails(path: RegExp, misbehaviour: Parameters<ReferencePeer['misbehave']>[0]): void {
  peer.misbehave((response, answer) => {
    if (path.test(peer.lastRequest.path)) misbehaviour!(response, answer)
    else response.writeHead(answer.status, answer.headers).end(answer.body)
  })
}

describe('apply', () => {
  it('stages, validates and activates all files as one operation', async () => {
    const { code, stdout, stderr } = await run(['apply', '-f', folder.path('right'), '-R'])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(
      /^ITEM .*\nNotificationGroup\/ops +updated .*\n\nOperation op-01JQ8X4E is completed; 1 updated\.\n$/,
    )
    const operation = '/operations/op-01JQ8X4E'
    expect(calls()).toEqual([
      'POST /operations',
      `PUT ${operation}/items`,
      `POST ${operation}/validate`,
      `POST ${operation}/activate`,
    ])
    expect(JSON.parse(peer.requests[0]!.body)).toEqual({
      contentDigest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      itemCount: 5,
    })
    expect(uploaded()[0]!.map(({ id, source }) => [id, source.split('/').at(-1)])).toEqual([
      ['NotificationGroup/first', 'a.ndjson:1'],
      ['NotificationGroup/second', 'a.ndjson:3'],
      ['NotificationGroup/ops', 'b.yaml:1'],
      ['Credential/ops-hook', 'b.yaml:3'],
      ['NotificationGroup/third', 'c.json:1'],
    ])
  })

  it('leaves the folders of a folder alone without -R, and other files always', async () => {
    await run(['apply', '-f', folder.path('right')])
    expect(uploaded().flat()).toHaveLength(4)
  })

  it('takes from stdin what get printed', async () => {
    const { stdout } = await run(['get', 'groups', '-o', 'yaml'])
    const { code } = await run(['apply', '-f', '-'], { stdin: stdout })
    expect(code).toBe(0)
    expect(uploaded()[0]![0]).toMatchObject({ id: 'NotificationGroup/ops', source: '-:1' })
  })

  it('uploads in calls of at most 256 items, and shows how far it is on a terminal only', async () => {
    const { stderr } = await run(['apply', '-f', folder.path('many.ndjson')], { columns: 80 })
    expect(uploaded().map((items) => items.length)).toEqual([256, 256, 88])
    // It is shown a few times a second, so which steps between are seen is not certain.
    expect(stderr).toContain('uploading ████████████████████████ 600/600')
    expect(stderr.endsWith('\r\u001b[K')).toBe(true)
    expect((await run(['apply', '-f', folder.path('many.ndjson')])).stderr).toBe('')
  })

  it.each([['--dry-run'], ['--dry-run=client'], ['--dry-run', 'client']])(
    'with %s compares with what the service has, and changes nothing',
    async (...flag) => {
      const { code, stdout } = await run(['apply', '-f', folder.path('right'), ...flag])
      expect(code).toBe(0)
      expect(calls().every((call) => call.startsWith('GET /'))).toBe(true)
      expect(stdout).toMatch(/^NotificationGroup\/ops +updated/m)
      expect(stdout).toMatch(/; nothing was changed\.\n$/)
    },
  )

  it('writes one by one where the service offers no operations, and at most 1,000', async () => {
    fails(/operations$/, misbehaviours.answersInstead(problemAnswer(501, 'featureUnavailable')))
    const { code, stdout } = await run(['apply', '-f', folder.path('right')])
    expect(code).toBe(0)
    expect(calls().filter((call) => !call.startsWith('GET '))).toEqual([
      'POST /operations',
      'PUT /credentials/ops-hook',
      'PUT /notification-groups/first',
      'PUT /notification-groups/second',
      'PUT /notification-groups/ops',
    ])
    expect(peer.lastRequest.headers['if-match']).toBe('"6"')
    expect(stdout).toMatch(/4 unchanged; written one by one\.\n$/)
    const many = Array.from({ length: 1_001 }, (_, index) => JSON.stringify(group(`g-${index}`)))
    const file = folder.write('too-many.ndjson', many.join('\n'))
    expect(await run(['apply', '-f', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `pulseward: ${peer.url} offers no operations, and at most 1000 resources are written one by one; apply the files in parts.\n`,
    })
  })

  it('one by one stops at a write in doubt, and tells what was done and where to look', async () => {
    peer.misbehave((response, answer) => {
      const { path, method } = peer.lastRequest
      if (method === 'PUT' && path.endsWith('/second')) return void response.socket?.destroy()
      const { status, headers, body } = path.endsWith('/operations')
        ? problemAnswer(501, 'featureUnavailable')
        : answer
      response.writeHead(status, headers).end(body)
    })
    const { code, stdout, stderr } = await run(['apply', '-f', folder.path('right'), '-o', 'json'])
    expect(code).toBe(3)
    expect(JSON.parse(stdout).items).toMatchObject([
      { id: 'Credential/ops-hook', outcome: 'unchanged' },
      { id: 'NotificationGroup/first', outcome: 'unchanged' },
      { id: 'NotificationGroup/ops', outcome: 'notAttempted' },
    ])
    expect(stderr).toContain('Look with `pulseward describe group second` before you send it again.')
  })

  it('gives an item the digest of its canonical JSON, however its keys look', async () => {
    const labels = { 10: 'ten', 9: 'nine' }
    const resource = { ...group('ops'), metadata: { id: 'ops', labels } }
    await run(['apply', '-f', '-'], { stdin: JSON.stringify(resource) })
    const canonical =
      '{"apiVersion":"pulseward/v2","kind":"NotificationGroup","metadata":{"id":"ops","labels":{"10":"ten","9":"nine"}},"spec":{"endpointRefs":["ops-slack","ops-mail"]}}'
    const digest = createHash('sha256').update(canonical).digest('hex')
    expect(uploaded()[0]![0]!.contentDigest).toBe(`sha256:${digest}`)
  })

  it('with --dry-run=server lets the service validate and changes nothing', async () => {
    const { code, stdout } = await run(['apply', '-f', folder.path('right'), '--dry-run=server'])
    expect([code, calls()]).toEqual([0, ['POST /collections/preflight']])
    expect(stdout).toMatch(/1 updated; nothing was changed\.\n$/)
  })

  it('says so when the service names only the first items', async () => {
    const { code, stdout } = await run(['apply', '-f', folder.path('many.ndjson'), '--dry-run=server'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/The collection is valid; of the first 1: 1 updated; nothing was changed\.\n$/)
  })

  it('has a collection that is too large for one body validated by staging and cancelling it, 4 MiB per call', async () => {
    const large = Array.from({ length: 70 }, (_, index) => ({
      ...credential,
      metadata: { id: `large-${index}` },
      spec: { value: 'x'.repeat(65_000) },
    }))
    folder.write('large.ndjson', large.map((one) => `${JSON.stringify(one)}\n`).join(''))
    expect((await run(['apply', '-f', folder.path('large.ndjson'), '--dry-run=server'])).code).toBe(0)
    expect(calls()).toEqual([
      'POST /operations',
      'PUT /operations/op-01JQ8X4E/items',
      'PUT /operations/op-01JQ8X4E/items',
      'POST /operations/op-01JQ8X4E/validate',
      'POST /operations/op-01JQ8X4E/cancel',
    ])
    expect(uploaded().map((items) => items.length)).toEqual([64, 6])
  })

  it('ends with 1 and says by source what the service found wrong, and that nothing was changed', async () => {
    changes(/validate$/, () => ({
      valid: false,
      errors: [{ field: '/items/0/resource/spec', message: `no such endpoint ${secret}` }],
    }))
    const { code, stdout, stderr } = await run(['apply', '-f', folder.path('right')])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      '/items/0/resource/spec: no such endpoint [secret].\npulseward: The collection is not valid; nothing was changed.\n',
    )
    expect(calls().some((call) => call.endsWith('activate'))).toBe(false)
  })

  it('with --wait waits for the end, and ends with 1 when not everything is applied', async () => {
    changes(/activate$/, (body) => ({ ...body, state: 'applying', items: [] }))
    expect((await run(['apply', '-f', folder.path('right'), '--wait'])).code).toBe(0)
    expect(calls().at(-1)).toBe('GET /operations/op-01JQ8X4E')
    changes(/(activate|op-01JQ8X4E)$/, (body) => ({ ...body, state: 'partial', reason: 'a conflict' }))
    const { code, stdout } = await run(['apply', '-f', folder.path('right'), '--wait'])
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('Operation op-01JQ8X4E is partial: a conflict'),
    ])
  })

  it('says what to do when the answer to activation is lost', async () => {
    fails(/activate$/, misbehaviours.dropsConnection)
    expect(await run(['apply', '-f', folder.path('right')])).toEqual({
      code: 3,
      stdout: '',
      stderr:
        'pulseward: Operation op-01JQ8X4E was told to apply once and its answer was lost, so it may be applying or not. Look with `pulseward get operation op-01JQ8X4E` before you apply again.\n',
    })
    expect(calls().filter((call) => call.endsWith('activate'))).toHaveLength(1)
  })

  it('uploads again what was lost on the way, which changes nothing', async () => {
    let lost = 0
    fails(/items$/, (response, answer) => {
      if (++lost <= 2) response.socket?.destroy()
      else response.writeHead(answer.status, answer.headers).end(answer.body)
    })
    expect((await run(['apply', '-f', folder.path('right')])).code).toBe(0)
    const [first, second, third] = uploaded()
    expect([second, third]).toEqual([first, first])
  })

  it('that a person stops is cancelled, and nothing was changed', async () => {
    const person = new AbortController()
    fails(/items$/, (response) => {
      response.socket?.destroy()
      person.abort()
    })
    const words = ['apply', '-f', folder.path('right'), '--wait']
    expect(await run(words, { interruption: person.signal })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'pulseward: Stopped; operation op-01JQ8X4E is cancelled, and nothing was changed.\n',
    })
    expect(calls().at(-1)).toBe('POST /operations/op-01JQ8X4E/cancel')
  })

  it.each([
    ['/operations', 3, 'Stopped before there was an answer.'],
    ['/validate', 1, 'Stopped; operation op-01JQ8X4E is cancelled, and nothing was changed.'],
  ])('that a person stops while %s is answered is cancelled too', async (path, code, sentence) => {
    const person = new AbortController()
    peer.misbehave((response, { status, headers, body }) => {
      if (peer.lastRequest.path.endsWith(path)) person.abort()
      response.writeHead(status, headers).end(body)
    })
    const end = await run(['apply', '-f', folder.path('right')], { interruption: person.signal })
    expect(end).toEqual({ code, stdout: '', stderr: `pulseward: ${sentence}\n` })
    expect(calls().at(-1)).toBe('POST /operations/op-01JQ8X4E/cancel')
  })

  it('that a person stops while it is applied goes on, and says what remains and how to look at it', async () => {
    const person = new AbortController()
    changes(/(activate|op-01JQ8X4E)$/, (body) => {
      if (peer.lastRequest.method === 'GET') person.abort()
      return { ...body, state: 'applying', items: [], itemCount: 40, applied: 12 }
    })
    const words = ['apply', '-f', folder.path('right'), '--wait']
    expect(await run(words, { interruption: person.signal })).toEqual({
      code: 1,
      stdout: '',
      stderr: `pulseward: Stopped waiting; operation op-01JQ8X4E goes on: 12 of 40 items applied.
pulseward: Look with \`pulseward get operation op-01JQ8X4E\`, wait with \`pulseward wait operation op-01JQ8X4E\`, or cancel what remains with \`pulseward delete operation op-01JQ8X4E\`.
`,
    })
    expect(calls().some((call) => call.endsWith('cancel'))).toBe(false)
  })

  it('that a person stops twice ends at once', async () => {
    const asked = { items: Promise.withResolvers<void>(), cancel: Promise.withResolvers<void>() }
    peer.misbehave((response, { status, headers, body }) => {
      const [, step = ''] = /\/(items|cancel)$/.exec(peer.lastRequest.path) ?? []
      if (step === 'items' || step === 'cancel') asked[step].resolve()
      else response.writeHead(status, headers).end(body)
    })
    await using stopped = new RunningCommand(['apply', '-f', folder.path('right'), '--server', peer.url])
    await asked.items.promise
    stopped.signal('SIGTERM')
    await asked.cancel.promise
    stopped.signal('SIGTERM')
    expect(await stopped.ended).toMatchObject({ code: null, signal: 'SIGTERM', stdout: '', stderr: '' })
  })

  it('that cannot be cancelled any more stays staged, and says how to go on', async () => {
    const person = new AbortController()
    fails(/(items|cancel)$/, (response) => {
      response.socket?.destroy()
      person.abort()
    })
    const words = ['apply', '-f', folder.path('right'), '-R', '--wait']
    const { code, stdout, stderr } = await run(words, { interruption: person.signal })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `pulseward: Stopped; what is uploaded stays staged for 24 hours, or for 10 minutes when another operation needs its place, and nothing was changed.
pulseward: Continue with: pulseward apply -f ${folder.path('right')} --recursive --wait --server ${peer.url} --resume op-01JQ8X4E\n`,
    )
    expect(calls().at(-1)).toBe('POST /operations/op-01JQ8X4E/cancel')
  })

  it.each([
    [403, 'forbidden', 'does not allow this: readers may not write'],
    [409, 'operationConflict', 'refused this: it takes no more items'],
  ])(
    'says in its words that the service refuses an upload with %i, and cancels',
    async (status, problem, words) => {
      const detail = words.slice(words.indexOf(': ') + 2)
      fails(/items$/, misbehaviours.answersInstead(problemAnswer(status, problem, { detail })))
      const { code, stdout, stderr } = await run(['apply', '-f', folder.path('right')])
      expect([code, stdout]).toEqual([3, ''])
      expect(stderr).toContain(words)
      expect(calls().at(-1)).toBe('POST /operations/op-01JQ8X4E/cancel')
    },
  )

  it('says that nothing was opened when that answer is lost', async () => {
    fails(/operations$/, misbehaviours.dropsConnection)
    expect(await run(['apply', '-f', folder.path('right')])).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: The answer of ${peer.url} was lost before anything was uploaded; nothing is active, so you may apply the files again.\n`,
    })
  })

  it('does not repeat a secret that a service sends back', async () => {
    peer.answer(
      problemAnswer(422, 'invalidResource', {
        errors: [{ field: 'spec.value', message: `${secret} is short` }],
      }),
    )
    const { code, stdout, stderr } = await run(['apply', '-f', folder.path('right')])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain('spec.value: [secret] is short')
    peer.answer(problemAnswer(404, 'api_version_not_served'))
    expect(await run(['apply', '-f', folder.path('right')])).toMatchObject({
      code: 3,
      stderr: `pulseward: ${peer.url} does not offer this: it serves no v2; start it with --edition next.\n`,
    })
  })
})

describe('files with mistakes', () => {
  const mistakes = [
    /^wrong\.yaml:4: metadata\.nmae: the key "nmae" is unknown; allowed: id, .*\. Did you mean "name"\?$/,
    /^wrong\.yaml:7: spec\.check\.driver: "config" is missing; expected: the driver.*\.$/,
    /^wrong\.yaml:8: spec\.check\.interval: "10 seconds" is not allowed here; expected: a duration such as 250ms, 30s, 5m or 1h\.$/,
    /^wrong\.yaml:11: kind: "Monitr" is not allowed here; use one of Monitor, .*\. Did you mean "Monitor"\?$/,
    /^wrong\.yaml:17: A { or \[ is not closed, .*\.$/,
    /^wrong\.yaml:19: is part of a fleet file; put it into a file of its own, apart from resources of pulseward\/v2\.$/,
    /^wrong\.yaml:24: spec\.value: is a placeholder; leave it out to keep the secret\.$/,
    /^pulseward: the files have 7 mistakes; nothing was sent\.$/,
  ].map((pattern) => expect.stringMatching(pattern))

  it.each([
    ['apply', 1],
    ['diff', 2],
  ])(
    'are all told by %s, with their lines and without secrets, and nothing is sent',
    async (command, exit) => {
      const { code, stdout, stderr } = await run([command, '-f', folder.path('wrong.yaml')])
      expect([code, stdout, calls()]).toEqual([exit, '', []])
      expect(stderr).not.toContain(secret)
      const lines = stderr.trimEnd().split('\n')
      expect(lines.map((line) => line.replace(`${folder.root}/`, ''))).toEqual(mistakes)
    },
  )

  it.each([
    ['twice.yaml', 3, 'metadata.id: occurs twice; first in '],
    ['list.yaml', 5, 'items[1].metadata.id: "-x" is not allowed here; expected: an id: at most 128 letters'],
    ['infinite.yaml', 4, 'spec.config.limits[1]: must be a finite number.'],
  ])('%s names line %i', async (file, line, words) => {
    const { code, stderr } = await run(['apply', '-f', folder.path(file)])
    expect([code, calls()]).toEqual([1, []])
    expect(stderr).toContain(`${folder.path(file)}:${line}: ${words}`)
  })

  it.each([
    [['apply'], 'Name the files with -f FILE, a folder, or - for stdin.'],
    [['apply', '-f', 'missing.yaml'], 'missing.yaml does not exist.'],
    [['apply', '-f', '-', '-f', '-'], 'Stdin can be read only once: -f - is given twice.'],
    [
      ['apply', '-f', '-', '--dry-run=sever'],
      '--dry-run: "sever" is not allowed here; use client or server. Did you mean server?',
    ],
    [['apply', '-f', '-'], 'The files have no resource in them.'],
    [
      ['apply', '-f', '-', '--resume', 'op-1', '--dry-run'],
      '--resume continues a real operation; leave --dry-run out.',
    ],
    [['diff', 'x', '-f', '-'], '"x" is not expected here.'],
    [
      ['apply', 'monitor.yaml'],
      '"monitor.yaml" is not expected here; write pulseward apply -f monitor.yaml.',
    ],
  ])('%j is wrong usage', async (words, sentence) => {
    expect(await run(words)).toEqual({ code: 2, stdout: '', stderr: `pulseward: ${sentence}\n` })
    expect(calls()).toEqual([])
  })

  it.each([
    ['empty.yaml', 'The files have no resource in them.'],
    ['binary.yaml', 'is not UTF-8 text.'],
    ['none', 'has no .yaml, .yml, .json or .ndjson file; -R looks into its folders.'],
  ])('%s is wrong usage', async (file, words) => {
    const { code, stderr } = await run(['apply', '-f', folder.path(file)])
    expect([code, calls()]).toEqual([2, []])
    expect(stderr).toContain(words)
  })
})

describe('diff', () => {
  it('shows field by field what apply would change, without secrets, and ends with 1', async () => {
    const file = folder.write(
      'diff.yaml',
      `${JSON.stringify(group('ops'))}\n---\n${JSON.stringify(credential)}\n`,
    )
    const { code, stdout, stderr } = await run(['diff', '-f', file])
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stderr: '',
      stdout: `NotificationGroup/ops: updated
  ~ spec.endpointRefs: ops-slack → ops-slack, ops-mail
Credential/ops-hook: updated
  - spec.description: The incoming hook of the operations channel
  ~ spec.value: written anew; secrets cannot be compared
`,
    })
    expect(calls()).toEqual([
      'POST /collections/preflight',
      'GET /notification-groups/ops',
      'GET /credentials/ops-hook',
    ])
  })

  it('shows what would be created', async () => {
    changes(/preflight$/, (body) => ({
      ...body,
      items: [{ id: 'NotificationGroup/new', outcome: 'created' }],
    }))
    const { code, stdout } = await run(['diff', '-f', '-'], { stdin: JSON.stringify(group('new')) })
    expect([code, stdout]).toEqual([
      1,
      'NotificationGroup/new: created\n  + spec.endpointRefs: ops-slack, ops-mail\n',
    ])
  })

  it('ends with 0 and says nothing when nothing differs', async () => {
    const { answer } = exchanges.GetNotificationGroup
    changes(/preflight$/, (body) => ({
      ...body,
      items: [{ id: 'NotificationGroup/ops', outcome: 'unchanged' }],
    }))
    expect(await run(['diff', '-f', '-'], { stdin: JSON.stringify(answer) })).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    })
  })

  it('ends with 1 when the service finds the collection wrong, and with 3 when it does not answer', async () => {
    changes(/preflight$/, () => ({ valid: false, errors: [{ field: 'spec', message: 'no such endpoint' }] }))
    const stdin = JSON.stringify(group('ops'))
    expect((await run(['diff', '-f', '-'], { stdin })).code).toBe(1)
    peer.misbehave(misbehaviours.dropsConnection)
    expect((await run(['diff', '-f', '-'], { stdin })).code).toBe(3)
  })
})
