// check and test-notification with --server: the service does it, with its credentials, and keeps nothing.
import { eventually } from '@pulseward/testing'
import { answersBy, HttpTarget, readRequest } from '@pulseward/testing/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestedEnd } from '../client/command.fixture.ts'
import { ServedNext, samples } from '../client/served.fixture.ts'

const secret = 'bearer-secret-that-nobody-may-see'

let target: HttpTarget
let served: ServedNext
beforeAll(async () => {
  target = await HttpTarget.start()
  target.behave(
    answersBy((request) => ({
      status: request.startsWith('GET /bad') ? 503 : 200,
      body: `you sent ${readRequest(request).headers.get('authorization')}`,
    })),
  )
  served = await ServedNext.start({ environment: { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1' } })
  const http = (path: string, more: object = {}) => ({
    enabled: false,
    check: {
      driver: { type: 'http', config: { url: target.url(path) }, ...more },
      interval: '1h',
      timeout: '5s',
    },
  })
  await served.apply(
    samples.credential('token', secret),
    samples.monitor('shop', http('/', { credentialRefs: { 'auth.bearer': 'token' } }), { name: 'The shop' }),
    samples.monitor('bad', http('/bad?key=query-secret')),
    {
      apiVersion: 'pulseward/v2',
      kind: 'NotificationEndpoint',
      metadata: { id: 'ops' },
      spec: { type: 'webhook', config: { url: target.url('/hook') } },
    },
  )
  const draft = samples.monitor('draft', http('/', { credentialRefs: { 'auth.bearer': 'token' } }))
  served.folder.write('draft.yaml', JSON.stringify(draft))
  served.folder.write('check.yaml', `type: http\nconfig: { url: "${target.url('/bad')}" }\n`)
  served.folder.write(
    'wrong.json',
    JSON.stringify(samples.monitor('wrong', { check: { driver: { type: 'http', config: { ulr: 1 } } } })),
  )
  served.folder.write('group.json', JSON.stringify(samples.group('g', 'ops')))
})
afterAll(async () => {
  await served[Symbol.asyncDispose]()
  await target[Symbol.asyncDispose]()
})

/** Once more for a principal that has tried something within the last second. */
function run(...words: readonly string[]): Promise<TestedEnd> {
  return eventually(async () => {
    const end = await served.run(words, { cwd: served.folder.root })
    expect(end.stderr).not.toContain('per second')
    expect(end.stdout + end.stderr).not.toMatch(/bearer-secret|query-secret/)
    return { ...end, stdout: end.stdout.replaceAll(/ +\d+\.\d ms/g, ' N ms') }
  })
}

describe('pulseward check --server', () => {
  it('runs the check of a monitor that the service has, with its credentials', async () => {
    expect(await run('check', 'shop')).toEqual({
      code: 0,
      stderr: '',
      stdout: `The shop: http http://127.0.0.1:${target.port}/
  connected N ms
  first byte N ms
  total N ms
  address: 127.0.0.1:${target.port}
  status: 200, as expected (200-299)
It is healthy.
`,
    })
    expect(readRequest(target.requests.at(-1)!).headers.get('authorization')).toBe(`Bearer ${secret}`)
  })

  it('ends with 1 and the reason for one that is not healthy, also as JSON', async () => {
    const { code, stdout } = await run('check', 'bad', '-o', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      id: 'bad',
      status: 'failure',
      reason: 'status 503, expected 200-299',
      observations: [{ name: 'address' }, { name: 'status', seen: '503', expected: '200-299', met: false }],
    })
  })

  it('tries a resource or a check of a file that the service has never seen', async () => {
    expect(await run('check', '--file', 'draft.yaml')).toMatchObject({ code: 0, stderr: '' })
    expect((await run('check', '--file', 'check.yaml')).stdout).toMatch(/^It is not healthy: status 503/m)
    expect((await run('get', 'monitors')).stdout).not.toContain('draft')
  })

  it.for<[words: string[], code: number, sentence: RegExp]>([
    [['--file', 'wrong.json'], 3, /refused this: driver\.config\.ulr: is unknown; .* Did you mean "url"\?/],
    [['gone'], 1, /There is no monitor "gone"/],
    [[], 2, /Name one monitor: pulseward check ID --server URL/],
    [['--file', 'group.json'], 2, /group\.json is not a Monitor with metadata\.id and spec\.check\.driver\./],
    [
      ['shop', '--config', 'x.yaml'],
      2,
      /--config is for a trial in this process, and --server for one in a service/,
    ],
  ])('says what is wrong with %j', async ([words, code, sentence]) => {
    const end = await run('check', ...words)
    expect([end.code, end.stdout]).toEqual([code, ''])
    expect(end.stderr).toMatch(sentence)
  })
})

describe('pulseward test-notification --server', () => {
  it('sends one message through an endpoint of the service', async () => {
    const before = target.requests.length
    expect(await run('test-notification', 'ops')).toEqual({
      code: 0,
      stderr: '',
      stdout: `The test message to ops (webhook, http://127.0.0.1:${target.port}) was delivered.\n`,
    })
    expect(target.requests).toHaveLength(before + 1)
    expect((await run('test-notification', 'gone')).stderr).toContain('There is no endpoint "gone"')
  })
})
