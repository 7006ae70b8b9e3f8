// Contexts: how they are kept, and which service a command then talks to.
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { runCommand } from '@pulseward/testing/process'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal } from '../client/command.fixture.ts'

const tokens = { prod: 'the-token-of-prod-00000', test: 'the-token-of-test-00000' }
let prod: ReferencePeer
let test: ReferencePeer
let folder: TemporaryFolder
beforeAll(async () => {
  ;[prod, test] = await Promise.all([
    ReferencePeer.start({ token: tokens.prod }),
    ReferencePeer.start({ token: tokens.test }),
  ])
})
afterAll(async () => {
  await Promise.all([prod[Symbol.asyncDispose](), test[Symbol.asyncDispose]()])
  folder[Symbol.dispose]()
})
beforeEach(() => {
  folder?.[Symbol.dispose]()
  folder = temporaryFolder({ 'prod.token': tokens.prod, 'test.token': `${tokens.test}\n` })
  for (const name of ['prod.token', 'test.token']) chmodSync(folder.path(name), 0o600)
})

const file = () => folder.path('config/pulseward/contexts.yaml')

const run = (words: string[], on: TestedTerminal = {}) =>
  runInProcess(words, {
    ...on,
    environment: { XDG_CONFIG_HOME: folder.path('config'), ...on.environment },
  })

async function setBoth(): Promise<void> {
  for (const [name, { url }] of Object.entries({ prod, test }))
    await run(['config', 'set-context', name, '--server', url, '--token-file', folder.path(`${name}.token`)])
}

const health = async (words: string[] = [], environment: Readonly<Record<string, string>> = {}) => {
  const before = [prod.requests.length, test.requests.length]
  const { code, stderr } = await run(['health', ...words], { environment })
  const asked = [prod, test].findIndex(({ requests }, index) => requests.length > before[index]!)
  return [code, ['prod', 'test'][asked] ?? stderr]
}

describe('config', () => {
  it('makes, changes, chooses, shows and deletes contexts', async () => {
    const words = ['config', 'set-context', 'prod', '--server', 'https://pulseward.example']
    expect(await run(words)).toEqual({ code: 0, stdout: 'Context prod is made.\n', stderr: '' })
    expect((await run(['config', 'current-context'])).code).toBe(1)
    await run(['config', 'set-context', 'test', '--server', 'http://127.0.0.1:8060', '--ca-file', '/ca.pem'])
    expect((await run(['config', 'use-context', 'test'])).stdout).toBe('test is the current context.\n')
    expect((await run(['config', 'current-context'])).stdout).toBe('test\n')
    expect(await run(['config', 'set-context', 'prod', '--token-file', 'prod.token'])).toMatchObject({
      stdout: 'Context prod is changed.\n',
    })
    expect((await run(['config', 'view'])).stdout).toBe(
      `current: test\ncontexts:\n  prod:\n    server: https://pulseward.example\n    token_file: ${process.cwd()}/prod.token\n  test:\n    server: http://127.0.0.1:8060\n    ca_file: /ca.pem\n`,
    )
    expect((await run(['config', 'get-contexts'])).stdout).toMatch(
      /^CURRENT +NAME +SERVER .*\n +prod +https:\/\/pulseward\.example .*\n\* +test +http:/,
    )
    expect(JSON.parse((await run(['config', 'get-contexts', '-o', 'json'])).stdout)).toMatchObject([
      { name: 'prod', current: false },
      { name: 'test', current: true, server: 'http://127.0.0.1:8060', ca_file: '/ca.pem' },
    ])
    await run(['config', 'set-context', 'prod', '--token-file', ''])
    expect((await run(['config', 'view'])).stdout).not.toContain('token_file')
    expect((await run(['config', 'delete-context', 'test'])).stdout).toBe(
      'Context test is deleted; no context is current now.\n',
    )
    expect((await run(['config', 'view', '-o', 'json'])).stdout).toBe(
      `${JSON.stringify({ contexts: { prod: { server: 'https://pulseward.example' } } }, null, 2)}\n`,
    )
  })

  it('keeps them in a file for the owner alone, without a token in it', async () => {
    await setBoth()
    expect(readFileSync(file(), 'utf8')).not.toContain('the-token-of')
    expect(readdirSync(folder.path('config/pulseward')).sort()).toEqual([
      'contexts.yaml',
      'contexts.yaml.lock',
    ])
    if (process.platform === 'win32') return
    expect(statSync(file()).mode & 0o777).toBe(0o600)
    expect(statSync(folder.path('config/pulseward')).mode & 0o777).toBe(0o700)
  })

  it('loses none of the changes that several commands make at once', async () => {
    const names = ['a', 'b', 'c']
    const environment = { XDG_CONFIG_HOME: folder.path('config') }
    const words = (name: string) => ['config', 'set-context', name, '--server', 'http://a.example']
    await Promise.all(names.map((name) => runCommand(words(name), { environment })))
    const shown = JSON.parse((await run(['config', 'view', '-o', 'json'])).stdout)
    expect(Object.keys(shown.contexts).sort()).toEqual(names)
  })

  it('keeps several addresses of one service, and goes on to the next that answers', async () => {
    const gone = await ReferencePeer.start()
    const servers = `${gone.url},${prod.url}`
    await gone[Symbol.asyncDispose]()
    await run([
      'config',
      'set-context',
      'both',
      '--server',
      servers,
      '--token-file',
      folder.path('prod.token'),
    ])
    expect(await health(['--context', 'both'])).toEqual([0, 'prod'])
    const token = ['--token-file', folder.path('prod.token')]
    expect(await health(['--server', servers, ...token])).toEqual([0, 'prod'])
  })

  it.each([
    [
      ['config'],
      'Say what to do: pulseward config set-context, use-context, get-contexts, current-context, delete-context or view. See --help.',
    ],
    [['config', 'set-context'], 'Name one context: pulseward config set-context NAME --server URL'],
    [['config', 'set-context', 'a'], 'Context a is new and needs an address: --server URL.'],
    [
      ['config', 'set-context', 'a b', '--server', 'http://a.example'],
      expect.stringMatching(/^The name must be /),
    ],
    [
      ['config', 'set-context', 'a', '--server', 'http://ann:secret@a.example'],
      '--server must be an http or https URL without user, password, query and fragment.',
    ],
    [
      ['config', 'set-context', 'a', '--server', 'http://a.example', '--token-file', `pw_${'x'.repeat(49)}`],
      '--token-file is a token; put it into a file and name the file.',
    ],
    [
      ['config', 'set-context', 'a', '--server', 'http://a.example,ftp://b.example'],
      '--server must be an http or https URL without user, password, query and fragment.',
    ],
    [
      ['config', 'set-context', 'a', '--server', 'http://a.example', '--token-file', '-'],
      '--token-file: a context cannot read stdin; name a file.',
    ],
    [['config', 'use-context', 'prd'], 'There is no context "prd". Did you mean prod?'],
    [
      ['config', 'delete-context', 'other'],
      'There is no context "other". pulseward config get-contexts shows all.',
    ],
    [['config', 'use-context', 'prod', '--server', 'x'], '--server does not apply to config use-context.'],
    [['health', '--context', 'tst'], 'There is no context "tst". Did you mean test?'],
    [
      ['health', '--context', 'test', '--server', 'http://127.0.0.1:1'],
      '--context and --server name a service each; leave one of them out.',
    ],
  ])('%j is wrong usage', async (words, sentence) => {
    await setBoth()
    const before = readFileSync(file(), 'utf8')
    const { code, stdout, stderr } = await run(words)
    expect([code, stdout, stderr.replace(/^pulseward: /, '').trimEnd()]).toEqual([2, '', sentence])
    expect(readFileSync(file(), 'utf8')).toBe(before)
  })

  it.each([
    ['contexts: [', /contexts\.yaml:1: A \{ or \[ is not closed, .* Close it/],
    [
      'contexts: { a: { sever: x } }',
      /contexts\.a: "sever" is not known here; there are server, token_file, ca_file\./,
    ],
    ['contexts: { a: {} }', /contexts\.a: server is missing\./],
    ['contexts: { a: { server: 5 } }', /contexts\.a\.server: must be text that is not empty\./],
    ['version: 2', /reads version 1 of this file only\./],
    ['current: a', /There is no context "a"/],
  ])('a file with %j is refused by every client command', async (text, words) => {
    folder.write('config/pulseward/contexts.yaml', text)
    const { code, stderr } = await run(['health'])
    expect([code, stderr]).toEqual([2, expect.stringMatching(words)])
  })

  it.runIf(process.platform !== 'win32')('a file that others can write is refused', async () => {
    await setBoth()
    chmodSync(file(), 0o620)
    expect((await run(['health', '--context', 'prod'])).stderr).toMatch(
      /can be written by other users.*chmod 600/,
    )
  })

  it('says what is missing where there is no home', async () => {
    const words = ['config', 'set-context', 'a', '--server', 'http://a.example']
    expect(await runInProcess(words, { environment: {} })).toMatchObject({
      code: 2,
      stderr: 'pulseward: The folder for contexts is unknown: set HOME or XDG_CONFIG_HOME.\n',
    })
  })
})

describe('a client command', () => {
  it('uses the context of the flag, else of the variable, else the current one', async () => {
    await setBoth()
    await run(['config', 'use-context', 'prod'])
    expect(await health()).toEqual([0, 'prod'])
    expect(await health([], { PULSEWARD_CONTEXT: 'test' })).toEqual([0, 'test'])
    expect(await health(['--context', 'prod'], { PULSEWARD_CONTEXT: 'test' })).toEqual([0, 'prod'])
  })

  it('takes a context whole or not at all, so that its token goes to its own server only', async () => {
    await setBoth()
    await run(['config', 'use-context', 'prod'])
    expect((await health(['--server', test.url]))[0]).toBe(3)
    expect(test.lastRequest.headers.authorization).toBeUndefined()
    expect((await health([], { PULSEWARD_SERVER: test.url }))[0]).toBe(3)
    expect(test.lastRequest.headers.authorization).toBeUndefined()
    expect(await health(['--context', 'prod'], { PULSEWARD_SERVER: test.url })).toEqual([0, 'prod'])
    expect(await health([], { PULSEWARD_SERVER: test.url, PULSEWARD_CONTEXT: 'prod' })).toEqual([
      2,
      'pulseward: PULSEWARD_CONTEXT and PULSEWARD_SERVER name a service each; unset one of them.\n',
    ])
  })

  it('takes a token that a flag or a variable names before that of the current context', async () => {
    await setBoth()
    await run(['config', 'use-context', 'prod'])
    await run(['config', 'set-context', 'prod', '--token-file', folder.path('missing')])
    expect((await health())[0]).toBe(2)
    expect(await health(['--token-file', folder.path('prod.token')])).toEqual([0, 'prod'])
    expect(await health([], { PULSEWARD_TOKEN_FILE: folder.path('prod.token') })).toEqual([0, 'prod'])
    expect(await health([], { PULSEWARD_TOKEN: tokens.prod })).toEqual([0, 'prod'])
    // A context that a flag names is as good as a flag.
    expect((await health(['--context', 'prod'], { PULSEWARD_TOKEN: tokens.prod }))[0]).toBe(2)
  })
})
