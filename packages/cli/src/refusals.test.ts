// What the command refuses: with which exit code, in which words, and that nothing was started. A process of its own
// only where the service gets as far as starting.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { runCommand } from '@pulseward/testing/process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from './client/command.fixture.ts'

const right = 'monitors: [ { name: a, check: { type: tcp, config: { host: 127.0.0.1, port: 1 } } } ]\n'
const wrong = `endpoints: { ops: { type: slak } }
monitors:
  - { nmae: a }
  - { name: b, check: { type: tcp, config: { host: 127.0.0.1, port: 0 } } }
`
let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({ 'right.yaml': right, 'wrong.yaml': wrong, 'empty.yaml': '' })
})
afterAll(() => folder[Symbol.dispose]())

async function refusal(
  words: readonly string[],
  run: typeof runInProcess | typeof runCommand = runInProcess,
) {
  const { code, stdout, stderr } = await run(words, { cwd: folder.root })
  expect(stderr).not.toMatch(/^\s+at /m)
  expect(stdout).toBe('')
  return { code, stderr }
}

const serve = ['serve', '--config', 'right.yaml']

describe('wrong usage ends with 2 and one sentence', () => {
  it.for<[words: string[], sentence: string]>([
    [['serv'], 'There is no command "serv". Did you mean serve?'],
    [['serve', '--confg', 'right.yaml'], 'There is no flag --confg. Did you mean --config?'],
    [['serve'], 'No fleet is given: pass --config PATH, or --allow-empty to start without monitors.'],
    [['serve', '--config', 'none.yaml'], 'none.yaml does not exist.'],
    [[...serve, '--adopt'], '--adopt needs --edition next, which keeps what it adopts.'],
    [
      ['serve', '--edition', 'next', '--adopt'],
      '--adopt needs the fleet files to adopt: pass --config PATH.',
    ],
    [
      [...serve, '--edition', 'next', '--adopt', '--store', 'memory'],
      '--adopt needs a store that a restart keeps: leave --store memory out.',
    ],
    [
      [...serve, '--listen', '0.0.0.0:0'],
      'Listening on 0.0.0.0 reaches beyond this machine and needs a token: pass --token-file.',
    ],
    [[...serve, '--settings', '.'], 'The settings file . cannot be read (EISDIR).'],
  ])('pulseward %j', async ([words, sentence]) => {
    expect(await refusal(words)).toEqual({ code: 2, stderr: `pulseward: ${sentence}\n` })
  })

  it('pulseward serve on a port that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    try {
      const words = [...serve, '--listen', `127.0.0.1:${port}`, '--log-level', 'error']
      expect(await refusal(words, runCommand)).toEqual({
        code: 2,
        stderr: `pulseward: Something else is listening on 127.0.0.1:${port} already; stop it or choose another with --listen.\n`,
      })
    } finally {
      other.close()
    }
  })
})

describe('an invalid fleet ends with 1, every mistake, and nothing started', () => {
  const mistakes = [
    /^wrong\.yaml:1: endpoints\.ops\.type: there is no notification of type "slak"; .* Did you mean "slack"\?$/,
    /^wrong\.yaml:3: monitors\[0\]\.nmae: the key "nmae" is unknown; .* Did you mean "name"\?$/,
    /^wrong\.yaml:3: monitors\[0\]: "name" is missing; expected: .*\.$/,
    /^wrong\.yaml:3: monitors\[0\]: "check" is missing; expected: .*\.$/,
    /^wrong\.yaml:4: monitors\[1\]\.check\.config\.port: must be a whole number from 1 to 65535, not 0\.$/,
    /^pulseward: the fleet has 5 mistakes; nothing was started\.$/,
  ].map((pattern) => expect.stringMatching(pattern))

  it.for([
    ['serve', '--listen', '127.0.0.1:0', '--config', 'wrong.yaml'],
    ['validate', 'wrong.yaml'],
  ])('pulseward %j', async (words) => {
    const { code, stderr } = await refusal(words)
    expect(code).toBe(1)
    expect(stderr.trimEnd().split('\n')).toEqual(mistakes)
  })
})

describe('what is right ends with 0', () => {
  it('pulseward validate says how many monitors there are', async () => {
    const { code, stdout } = await runInProcess(['validate', 'right.yaml', '--config=empty.yaml'], {
      cwd: folder.root,
    })
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^1 monitor in 2 files: everything is right \(\d+\.\d s\)\.\n$/),
    ])
  })

  it('pulseward settings shows each value and where it comes from', async () => {
    const words = ['settings', '--output', 'json', '--listen', '127.0.0.1:1']
    const { code, stdout } = await runInProcess(words, { environment: { PULSEWARD_WATCH: '1' } })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ setting: 'listen', value: '127.0.0.1:1', origin: 'flag --listen' }),
        expect.objectContaining({ setting: 'watch', value: true, origin: 'PULSEWARD_WATCH' }),
        expect.objectContaining({ setting: 'index_cap', value: 1_000_000, origin: 'default' }),
      ]),
    )
  })
})
