// check as a person at a terminal uses it, with targets on loopback.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { answersBy, certificates, HttpTarget } from '@pulseward/testing/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

const secret = 'bearer-secret-that-nobody-may-see'

let folder: TemporaryFolder
let plainTarget: HttpTarget
let secureTarget: HttpTarget
beforeAll(async () => {
  const behaviour = answersBy((request) => ({
    status: request.startsWith('GET /bad') ? 503 : 200,
    body: request.includes(secret) ? `hello ${secret}` : 'hello',
  }))
  plainTarget = await HttpTarget.start()
  plainTarget.behave(behaviour)
  secureTarget = await HttpTarget.start({ tls: { identity: certificates.good } })
  secureTarget.behave(behaviour)
  const http = (config: object) => ({ type: 'http', config })
  const fleet = {
    credentials: { token: { env: 'TOKEN' } },
    monitors: [
      { id: 'shop', name: 'The shop', check: http({ url: plainTarget.url('/', 'localhost') }) },
      { id: 'bad', name: 'The bad one', check: http({ url: plainTarget.url('/bad?key=query-secret') }) },
      { name: 'Nameless', check: { ...http({ url: plainTarget.url('/bad') }), retries: 3 } },
      {
        id: 'secure',
        name: 'With TLS',
        check: http({ url: secureTarget.url('/', 'localhost'), tls: { ca: certificates.authority } }),
      },
      {
        id: 'asserting',
        name: 'Asserting\u202e',
        check: http({
          url: plainTarget.url(),
          auth: { bearer: { credential: 'token' } },
          expect: { body: { contains: 'goodbye' } },
        }),
      },
      { id: 'twin-1', name: 'Twin', check: http({ url: plainTarget.url() }) },
      { id: 'twin-2', name: 'Twin', check: http({ url: plainTarget.url() }) },
    ],
  }
  folder = temporaryFolder({
    'fleet.json': JSON.stringify(fleet),
    'monitor.yaml': `name: Draft\ncheck:\n  type: http\n  config: { url: "${plainTarget.url()}" }\n`,
    'check.yaml': `type: http\nconfig: { url: "${plainTarget.url('/bad')}" }\n`,
    'wrong.yaml': 'type: http\ntimeout: 5s\nconfig: { ulr: x }\n',
    'secret.yaml': `type: http\nconfig:\n  url: "${plainTarget.url()}"\n  headers: { A: { credential: token } }\n`,
    'one.yaml': `monitors:\n  - { name: One, check: { type: http, config: { url: "${plainTarget.url()}" } } }\n`,
  })
})
afterAll(async () => {
  await plainTarget[Symbol.asyncDispose]()
  await secureTarget[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

async function check(...words: string[]) {
  const { code, stdout, stderr } = await runInProcess(['check', ...words], {
    cwd: folder.root,
    environment: { TOKEN: secret },
  })
  expect(stdout + stderr).not.toMatch(/bearer-secret|query-secret|\u202e/)
  return { code, stdout: stdout.replaceAll(/ +\d+\.\d ms/g, ' N ms'), stderr }
}

const ofFleet = ['--config', 'fleet.json']

describe('pulseward check', () => {
  it('shows a healthy monitor phase by phase', async () => {
    expect(await check('shop', ...ofFleet)).toEqual({
      code: 0,
      stderr: '',
      stdout: `The shop: http http://localhost:${plainTarget.port}/
  resolved N ms
  connected N ms
  first byte N ms
  total N ms
  address: 127.0.0.1:${plainTarget.port}
  status: 200, as expected (200-299)
It is healthy.
`,
    })
  })

  it('shows TLS and the end of the certificate', async () => {
    const { code, stdout } = await check('secure', ...ofFleet)
    expect(code).toBe(0)
    expect(stdout).toMatch(/ {2}resolved N ms\n {2}connected N ms\n {2}TLS N ms\n {2}first byte N ms\n/)
    expect(stdout).toMatch(/^The certificate ends at 2125-12-31 \d\d:\d\d:\d\d UTC, in \d+ days\.$/m)
  })

  it('ends with 1 for a monitor that is not healthy, after one try and with the reason', async () => {
    const before = plainTarget.requests.length
    const { code, stdout } = await check('Nameless', ...ofFleet)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^It is not healthy: .*503.*\.$/m)
    expect(plainTarget.requests).toHaveLength(before + 1)
  })

  it('names the assertion that failed, and no secret', async () => {
    const { code, stdout } = await check('asserting', ...ofFleet)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^Asserting : http /)
    expect(stdout).toMatch(/^It is not healthy: .*"goodbye"/m)
  })

  it('prints JSON', async () => {
    const { code, stdout } = await check('bad', ...ofFleet, '-o', 'json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toEqual({
      id: 'bad',
      name: 'The bad one',
      type: 'http',
      target: `http://127.0.0.1:${plainTarget.port}/bad`,
      status: 'failure',
      reason: expect.stringContaining('503'),
      warning: null,
      evidence: 'target',
      phases: [
        { phase: 'connect', at_ms: expect.any(Number) },
        { phase: 'first_byte', at_ms: expect.any(Number) },
      ],
      observations: [
        { name: 'address', seen: `127.0.0.1:${plainTarget.port}` },
        { name: 'status', seen: '503', expected: '200-299', met: false },
      ],
      latency_ms: expect.any(Number),
      certificate_expires_at: null,
    })
  })

  it('takes a file with a monitor, with a check, or with a fleet of one', async () => {
    expect(await check('--file', 'monitor.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Draft: /),
    })
    expect(await check('--file', 'one.yaml')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^One: /),
    })
    expect(await check('--file', 'check.yaml')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^check\.yaml: http /),
    })
  })

  it('says where a file of one check is wrong', async () => {
    const { code, stderr } = await check('--file', 'wrong.yaml')
    expect(code).toBe(1)
    expect(stderr).toMatch(/^wrong\.yaml:3: config\.ulr: .*Did you mean "url"\?$/m)
    expect((await check('--file', 'secret.yaml')).stderr).toMatch(
      /^secret\.yaml:4: config\.headers\.A\.credential: there is no credential "token" in a file of one monitor; /,
    )
  })

  it.for<[words: string[], sentence: string]>([
    [['shpo', ...ofFleet], 'There is no monitor "shpo". Did you mean "shop"?'],
    [['The shpo', ...ofFleet], 'There is no monitor "The shpo". Did you mean "The shop"?'],
    [['zzzzzz', ...ofFleet], 'There is no monitor "zzzzzz".'],
    [['Twin', ...ofFleet], '2 monitors have the name "Twin"; use an id: twin-1, twin-2.'],
    [['shop'], 'No fleet is given: pass --config PATH.'],
    [ofFleet, 'Name one monitor: pulseward check ID --config PATH, or pulseward check --file FILE'],
    [
      ['shop', '--file', 'monitor.yaml'],
      'Name one monitor: pulseward check ID --config PATH, or pulseward check --file FILE',
    ],
    [['--file', 'none.yaml'], 'none.yaml does not exist.'],
    [['--file', 'fleet.json'], 'fleet.json holds 7 monitors; it must hold one monitor or one check.'],
    [['--file', '.'], '. is a folder; name a file with one monitor or one check.'],
  ])('ends with 2 for %j', async ([words, sentence]) => {
    expect(await check(...words)).toEqual({ code: 2, stdout: '', stderr: `pulseward: ${sentence}\n` })
  })
})
