import { describe, expect, expectTypeOf, it } from 'vitest'
import { lanesFrom } from './handlers.ts'
import {
  check,
  completed,
  createWorker,
  delivered,
  type FromSchema,
  type Handlers,
  jobType,
  notification,
  recovery,
  rejected,
  success,
  type WorkerOptions,
} from './index.ts'

const mailRoundtrip = jobType({
  id: 'mail-roundtrip',
  version: '1',
  kind: 'check',
  timeout: '30s',
  parameterSchema: {
    type: 'object',
    required: ['mailbox', 'folders'],
    properties: {
      mailbox: { type: 'string' },
      folders: { type: 'array', items: { enum: ['inbox', 'spam'] } },
      port: { type: 'integer' },
    },
  },
  resultSchema: { type: 'object', required: ['latencyMs'], properties: { latencyMs: { type: 'number' } } },
})

describe('types of a handler', () => {
  it('follow from the schemas of its job type', () => {
    check(mailRoundtrip.spec, (job) => {
      expectTypeOf(job.parameters.mailbox).toEqualTypeOf<string>()
      expectTypeOf(job.parameters.folders).toEqualTypeOf<readonly ('inbox' | 'spam')[]>()
      expectTypeOf(job.parameters.port).toEqualTypeOf<number | undefined>()
      return success({ latencyMs: 3 })
    })
    // @ts-expect-error the result has no latencyMs
    check(mailRoundtrip.spec, () => success({ latency: 3 }))
    // @ts-expect-error a check is not completed
    check(mailRoundtrip.spec, () => completed())
    // @ts-expect-error a recovery does not succeed
    recovery({}, () => success())
    // @ts-expect-error a recovery is not delivered
    recovery({}, () => delivered())
    notification({ rejectionCodes: ['no_such_pager'] }, () => rejected('no_such_pager'))
    // @ts-expect-error the job type has no such code
    notification({ rejectionCodes: ['no_such_pager'] }, () => rejected('other'))
  })

  it('are unknown where a schema says nothing, and never wrong', () => {
    expectTypeOf<FromSchema<true>>().toEqualTypeOf<unknown>()
    expectTypeOf<FromSchema<{ readonly anyOf: readonly [] }>>().toEqualTypeOf<unknown>()
    expectTypeOf<FromSchema<{ readonly type: readonly ['string', 'null'] }>>().toEqualTypeOf<string | null>()
    expectTypeOf<FromSchema<{ readonly const: 7 }>>().toEqualTypeOf<7>()
    expectTypeOf<FromSchema<{ readonly type: 'array' }>>().toEqualTypeOf<readonly unknown[]>()
  })
})

describe('a job type', () => {
  it('is the document that the service takes', () => {
    expect(mailRoundtrip).toMatchObject({
      apiVersion: 'pulseward/v2',
      kind: 'JobType',
      metadata: { id: 'mail-roundtrip' },
      spec: { version: '1', kind: 'check', handler: 'mail-roundtrip', protocolVersion: '1', timeout: '30s' },
    })
    expect(mailRoundtrip.spec).not.toHaveProperty('id')
  })
})

describe('handlers', () => {
  it('are checks when they are bare functions, and have the usual concurrency', () => {
    const lanes = lanesFrom(
      { 'a:b@v@2': () => success(), 'r@1': recovery({ concurrency: 3 }, () => completed()) },
      16,
    )
    expect(lanes).toMatchObject([
      { jobTypeID: 'a:b', version: 'v@2', kind: 'check', concurrency: 16 },
      { jobTypeID: 'r', version: '1', kind: 'recovery', concurrency: 3 },
    ])
  })

  it.each<[string, Handlers, string]>([
    ['none', {}, 'handlers is empty'],
    ['one without a version', { mail: () => success() }, 'job-type@version'],
    ['one with a bad name', { '../x@1': () => success() }, 'job-type@version'],
    [
      'one that runs nothing at once',
      { 'a@1': check({ concurrency: 0 }, () => success()) },
      'whole number from 1',
    ],
    ['one that is no function', { 'a@1': { kind: 'check' } as never }, 'must be a function'],
  ])('are refused: %s', (_, handlers, sentence) => {
    expect(() => lanesFrom(handlers, 16)).toThrow(sentence)
  })
})

describe('options', () => {
  const good: WorkerOptions = {
    server: 'https://pulseward.example',
    token: 'abc',
    journal: 'worker.journal',
    handlers: { 'a@1': () => success() },
  }
  it.each<[Partial<WorkerOptions>, string]>([
    [{ server: 'ftp://x' }, 'server must be an http or https URL'],
    [{ server: 'https://me:secret@x' }, 'must not contain credentials'],
    [{ server: 'http://pulseward.example' }, 'needs https'],
    [{ token: 'sec ret' }, 'visible ASCII'],
    [{ journal: ':memory:' }, 'path of a file'],
    [{ workerID: 'a b' }, 'workerID must be'],
    [{ outboxLimit: 0 }, 'outboxLimit must be'],
    [{ drainSeconds: -1 }, 'drainSeconds must be'],
    [{ concurrency: 1.5 }, 'concurrency must be'],
  ])('are refused before anything is opened: %j', (options, sentence) => {
    const attempt = () => createWorker({ ...good, ...options })
    expect(attempt).toThrow(sentence)
    expect(attempt).not.toThrow('secret')
  })

  it('let the token go over plain HTTP to this machine, and elsewhere only when told', () => {
    for (const server of ['http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])
      createWorker({ ...good, server })
    createWorker({ ...good, server: 'http://10.0.0.1', allowInsecureHttp: true })
  })
})
