// test-notification as a person at a terminal uses it, with a provider on loopback.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { answers, closesEarly, HttpTarget, readRequest, TcpTarget } from '@pulseward/testing/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

const secret = 'hook-secret-that-must-stay-secret'

let folder: TemporaryFolder
let provider: HttpTarget
let nobody: TcpTarget
beforeAll(async () => {
  provider = await HttpTarget.start()
  nobody = await TcpTarget.start()
  await nobody.refuses()
  const at = (port: number) =>
    `{ url: "http://127.0.0.1:${port}/hooks?key=query-secret", headers: { X-Key: { credential: hook } } }`
  folder = temporaryFolder({
    'fleet.yaml': `
credentials: { hook: { env: OPS_HOOK } }
endpoints:
  ops-webhook: { type: webhook, config: ${at(provider.port)} }
  gone-webhook: { type: webhook, config: ${at(nobody.port)} }
  ops-log: { type: log }
`,
    'empty.yaml': '{}',
  })
})
afterAll(async () => {
  await provider[Symbol.asyncDispose]()
  await nobody[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function send(words: readonly string[], environment: Record<string, string> = {}) {
  const { code, stdout, stderr } = await runInProcess(['test-notification', ...words], {
    cwd: folder.root,
    environment: { OPS_HOOK: secret, PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '1', ...environment },
  })
  expect(stdout + stderr).not.toMatch(/hook-secret|query-secret|inner words/)
  return [code, stdout, stderr]
}

const toOps = ['ops-webhook', '--config', 'fleet.yaml']

describe('pulseward test-notification', () => {
  it('sends one message that is marked as a test, and says that it was delivered', async () => {
    provider.behave(answers({ body: 'inner words' }))
    const before = provider.requests.length
    expect(await send(toOps)).toEqual([
      0,
      `The test message to ops-webhook (webhook, http://127.0.0.1:${provider.port}) was delivered.\n`,
      '',
    ])
    expect(provider.requests).toHaveLength(before + 1)
    const { headers, body } = readRequest(provider.requests.at(-1)!)
    expect(headers.get('x-key')).toBe(secret)
    expect(JSON.parse(body)).toMatchObject({
      monitor_id: 'pulseward-test',
      color: 'gray',
      severity: 'info',
      summary: expect.stringMatching(/^Test: /),
    })
  })

  it.each([
    [400, 'the provider answered 400'],
    [503, 'the provider answered 503'],
    [410, 'the provider answered 410: the destination is gone'],
  ])('ends with 1 and without the body when the provider answers %s', async (status, reason) => {
    provider.behave(answers({ status, body: 'inner words' }))
    const [code, stdout, stderr] = await send(toOps)
    expect([code, stderr]).toEqual([1, ''])
    expect(stdout).toBe(
      `The test message to ops-webhook (webhook, http://127.0.0.1:${provider.port}) was not delivered: ${reason}.\n`,
    )
  })

  it('ends with 1 when the outcome is unknown', async () => {
    provider.behave(closesEarly())
    const [code, stdout] = await send(toOps)
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^It is unknown whether the test message to ops-webhook .* was delivered: sent, but /,
    )
  })

  it('ends with 3 when nothing listens, and when the network settings forbid it', async () => {
    expect(await send(['gone-webhook', '--config', 'fleet.yaml'])).toEqual([
      3,
      '',
      expect.stringMatching(/^pulseward: gone-webhook .* was not reached: connection refused by .*\.\n$/),
    ])
    const before = provider.acceptedSockets
    expect(await send(toOps, { PULSEWARD_ALLOW_LOOPBACK_NOTIFY: '0' })).toEqual([
      3,
      '',
      expect.stringContaining('unless network.allow_loopback_notify is set'),
    ])
    expect(provider.acceptedSockets).toBe(before)
  })

  it('shows what the log notifier would write', async () => {
    const [code, stdout] = await send(['ops-log', '--config', 'fleet.yaml'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^Test: .*\nThe test message to ops-log \(log, the log of the service\) was delivered\.\n$/,
    )
  })

  it.for<[words: string[], sentence: string]>([
    [
      ['ops-webhok', '--config', 'fleet.yaml'],
      'There is no endpoint "ops-webhok". Did you mean "ops-webhook"?',
    ],
    [['zzz', '--config', 'fleet.yaml'], 'There is no endpoint "zzz".'],
    [['a', '--config', 'empty.yaml'], 'There is no endpoint "a": the fleet has none.'],
    [['ops-webhook'], 'No fleet is given: pass --config PATH.'],
    [[], 'Name one endpoint: pulseward test-notification ENDPOINT --config PATH'],
    [['a', '--config', 'none.yaml'], 'none.yaml does not exist.'],
  ])('ends with 2 for %j', async ([words, sentence]) => {
    expect(await send(words)).toEqual([2, '', `pulseward: ${sentence}\n`])
  })

  it('ends with 1 when a credential is not there', async () => {
    const [code, , stderr] = await send(toOps, { OPS_HOOK: '' })
    expect([code, stderr]).toEqual([1, expect.stringContaining('the environment variable OPS_HOOK is empty')])
  })
})
