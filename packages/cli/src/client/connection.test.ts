// How a client command finds its service and proves who it is.
import { chmodSync } from 'node:fs'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { ReferencePeer } from '@pulseward/testing/reference-peer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess, type TestedTerminal } from './command.fixture.ts'

const token = 'a-token-of-at-least-32-characters'
let peer: ReferencePeer
let folder: TemporaryFolder
beforeAll(async () => {
  peer = await ReferencePeer.start({ token })
  folder = temporaryFolder({
    token: `${token}\n`,
    other: 'another-token-altogether',
    open: token,
    empty: '\n',
    words: 'a b',
    lines: `${token}\n${token}\n`,
    short: 'short',
    'no.pem': 'x',
  })
  for (const name of ['token', 'other', 'empty', 'words', 'lines', 'short'])
    chmodSync(folder.path(name), 0o600)
  chmodSync(folder.path('open'), 0o644)
})
afterAll(async () => {
  await peer[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const health = (words: string[], environment: TestedTerminal['environment'] = {}) =>
  runInProcess(['health', ...words], { environment })

describe('the token', () => {
  it('comes from a file that the flag or the variable names, or from a variable', async () => {
    expect((await health(['--server', peer.url, '--token-file', folder.path('token')])).code).toBe(0)
    const server = { PULSEWARD_SERVER: peer.url }
    expect((await health([], { ...server, PULSEWARD_TOKEN_FILE: folder.path('token') })).code).toBe(0)
    expect((await health([], { ...server, PULSEWARD_TOKEN: token })).code).toBe(0)
  })

  it('comes from stdin where the flag says so', async () => {
    const words = ['health', '--server', peer.url, '--token-file', '-']
    expect((await runInProcess(words, { stdin: `${token}\n` })).code).toBe(0)
    for (const [stdin, mistake] of [
      ['', 'is empty.'],
      [`${token}\n${token}\n`, 'has more than one line; it must hold one token alone.'],
      ['x'.repeat(10_000), 'has more than one token.'],
    ] as const)
      expect(await runInProcess(words, { stdin })).toEqual({
        code: 2,
        stdout: '',
        stderr: `pulseward: Stdin, of --token-file -, ${mistake}\n`,
      })
  })

  it('in a file beats the variable, and the flag beats both', async () => {
    const environment = {
      PULSEWARD_SERVER: peer.url,
      PULSEWARD_TOKEN: token,
      PULSEWARD_TOKEN_FILE: folder.path('other'),
    }
    expect(await health([], environment)).toEqual({
      code: 3,
      stdout: '',
      stderr: `pulseward: ${peer.url} does not accept this token: it may be of another service, revoked or expired; pass another with --token-file.\n`,
    })
    expect((await health(['--token-file', folder.path('token')], environment)).code).toBe(0)
  })

  it.each([
    ['open', 'can be read by all users; run chmod 600 on it.'],
    ['empty', 'is empty.'],
    ['words', 'has spaces in it; it must hold one token alone.'],
    ['lines', 'has more than one line; it must hold one token alone.'],
    [
      'short',
      'holds a token of fewer than 16 characters; make a longer one, for example with openssl rand -hex 32.',
    ],
    ['missing', 'does not exist.'],
    ['', 'cannot be read (EISDIR).'],
  ])('of the file "%s" is refused before any request', async (name, words) => {
    const before = peer.requests.length
    const file = folder.path(name)
    expect(await health(['--server', peer.url, '--token-file', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `pulseward: The token file ${file} ${words}\n`,
    })
    expect(peer.requests.length).toBe(before)
  })

  it.each([
    'http://192.0.2.1:8060',
    'http://pulseward.example',
    'http://127.0.0.1.example',
    'http://localhost.example',
  ])('is not sent to %s over plain HTTP', async (server) => {
    expect(await health(['--server', server], { PULSEWARD_TOKEN: token })).toEqual({
      code: 2,
      stdout: '',
      stderr: `pulseward: A token is not sent to ${server} over plain HTTP; use https, or --allow-insecure-http if the network is trusted.\n`,
    })
  })

  it('is never shown, whatever the service says', async () => {
    const ends = [
      await health(['--server', peer.url, '--token-file', folder.path('token'), '-o', 'json']),
      await health(['--server', 'http://127.0.0.1:1', '--token-file', folder.path('token')]),
      await health(['--server', `http://svc:${token}@127.0.0.1:1`]),
    ]
    expect(JSON.stringify(ends)).not.toContain(token)
    expect(ends.map(({ code }) => code)).toEqual([0, 3, 2])
  })
})

describe('the address', () => {
  it.each([
    'not a url',
    'ftp://a.example',
    'http://user:secret@a.example',
    'http://a.example/?x=1',
    'http://a.example/#x',
  ])('%s is refused and not repeated', async (server) => {
    expect(await health(['--server', server])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'pulseward: --server must be an http or https URL without user, password, query and fragment.\n',
    })
  })

  it.each([
    ['no.pem', 'holds no PEM certificate.'],
    ['missing.pem', 'does not exist.'],
  ])('with the authorities of %s is refused', async (name, words) => {
    const file = folder.path(name)
    expect(await health(['--server', 'https://127.0.0.1:1', '--ca-file', file])).toMatchObject({
      code: 2,
      stderr: `pulseward: The file ${file} of --ca-file ${words}\n`,
    })
  })

  it('with no time at all is refused', async () => {
    expect((await health(['--server', peer.url, '--request-timeout', '0s'])).stderr).toBe(
      'pulseward: --request-timeout must be more than zero and at most 596h.\n',
    )
  })
})
