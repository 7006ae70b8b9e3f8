// The rotation of the key as a person at a terminal does it: beside a running service, without one, and with either of
// them killed in the middle.
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dataDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { SqliteStore } from '@pulseward/server/internal/store/sqlite/sqlite-store.ts'
import { open, SecretText, wrappingKeyOf } from '@pulseward/server/internal/vault/envelope.ts'
import { KeyRing } from '@pulseward/server/internal/vault/key-ring.ts'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, serveInProcess } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'
import { samples } from '../client/served.fixture.ts'

let folder: TemporaryFolder
let service: (AsyncDisposable & { readonly url: string }) | null = null
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(async () => {
  await service?.[Symbol.asyncDispose]()
  service = null
  folder[Symbol.dispose]()
})

const values = { hook: 'https://hooks.test/hunter2', token: 'correct horse' } as const
const data = () => folder.path('data')
const keyFile = () => folder.path('data.key')
const rotateWords = () => ['credentials', 'rotate-key', '--data', data()]

const words = () => ['--edition', 'next', '--data', data(), '--log-level', 'error']

async function start(): Promise<void> {
  service = await serveInProcess(words())
}

/** As a process, which `stop` kills. */
async function startToKill(): Promise<void> {
  service = await RunningCommand.serve(words())
}

async function stop(): Promise<void> {
  await service?.[Symbol.asyncDispose]()
  service = null
}

const run = (...words: readonly string[]) =>
  runInProcess([...words, '--server', service?.url ?? '', '--data', data()])

async function startWithCredentials(begin = start): Promise<void> {
  await begin()
  const documents = [
    samples.credential('hook', values.hook),
    samples.credential('token', values.token),
    samples.endpoint('chat', 'hook'),
  ]
  const stdin = documents.map((one) => JSON.stringify(one)).join('\n---\n')
  const words = ['apply', '-f', '-', '--server', service?.url ?? '', '--data', data()]
  const { code, stderr } = await runInProcess(words, { stdin })
  expect([code, stderr]).toEqual([0, ''])
}

function ring(): KeyRing {
  const parsed = KeyRing.parse(readFileSync(keyFile(), 'latin1'))
  if (!(parsed instanceof KeyRing)) throw new Error('the key file is damaged')
  return parsed
}

/** What the store of a stopped service has: each value, and the keys that wrap them. */
async function stored(): Promise<{ opened: Record<string, string>; keys: Set<string | null> }> {
  await using store = await SqliteStore.open({ directory: data(), now: Date.now })
  const { resources } = await store.recover(0)
  const opened: Record<string, string> = {}
  const keys = new Set<string | null>()
  for (const { id, spec, sealed } of resources) {
    if (sealed === null) continue
    keys.add(wrappingKeyOf(sealed))
    const value = open(ring(), id, String(JSON.parse(spec).valueChange), sealed)
    opened[id] = value instanceof SecretText ? value.reveal() : 'does not open'
  }
  return { opened, keys }
}

const described = async () => (await run('describe', 'credential', 'token', '-o', 'json')).stdout
const history = async () => (await run('get', 'history', '-o', 'json')).stdout

/** Of a rotation beside a running service, as its files show them. */
const phases: [what: string, isReached: (oldKey: string) => boolean][] = [
  ['it has begun', () => true],
  ['the new key is in the file', (oldKey) => ring().currentId !== oldKey],
  ['the service has sealed everything by it', (oldKey) => ring().currentId !== oldKey && isSealedByRing()],
]

/** As the service tells it: within a quarter of a second, the command then removes the old key. */
function isSealedByRing(): boolean {
  const { keysInUse } = JSON.parse(readFileSync(dataDirectory(data()).sealing, 'utf8'))
  return keysInUse.join() === ring().currentId
}

it('makes a key file before there is a credential, for this user alone, and never a second one', async () => {
  const create = () => runInProcess(['credentials', 'create-key', keyFile()])
  const { code, stdout, stderr } = await create()
  expect([code, stdout]).toEqual([0, ''])
  expect(stderr).toContain('has a new key')
  expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
  const made = readFileSync(keyFile(), 'utf8')
  expect(await create()).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') })
  await startWithCredentials()
  expect(readFileSync(keyFile(), 'utf8')).toBe(made)
})

describe('a restored store', () => {
  it('is told to lack its keys, and works again when the lines of the old key file are back', {
    tags: 'long',
  }, async () => {
    await startWithCredentials()
    const [backup, oldKeys] = [folder.path('monday.db'), readFileSync(keyFile(), 'utf8')]
    expect((await runInProcess(['backup', '--data', data(), backup])).code).toBe(0)
    await stop()
    const restore = () => runInProcess(['restore', backup, '--data', data(), '--force'])
    expect((await restore()).stderr).toBe('')
    expect((await runInProcess(rotateWords())).code).toBe(0)
    expect((await restore()).stderr).toContain('is not the one that the stored credentials are sealed with')
    await start()
    expect(JSON.parse(await described()).status.available).toBe(false)
    writeFileSync(keyFile(), readFileSync(keyFile(), 'utf8') + oldKeys)
    await eventually(async () => expect(JSON.parse(await described()).status.available).toBe(true))
    await stop()
    rmSync(keyFile())
    expect((await restore()).stderr).toContain('is missing.')
  })
})

describe('credentials rotate-key', () => {
  it('has a running service rewrap everything, and leaves one key, no event and no new version', async () => {
    await startWithCredentials(startToKill)
    const [before, events, old] = [await described(), await history(), ring()]
    const { code, stdout, stderr } = await runInProcess(rotateWords())
    expect([code, stderr]).toEqual([0, expect.stringContaining('Keep a copy of the new key file.')])
    const now = ring()
    expect(stdout).toContain(
      `All credentials are sealed by the new key ${now.currentId}; the old key was removed`,
    )
    expect(now.ids).toEqual([now.currentId])
    expect(old.ids).not.toContain(now.currentId)
    expect(statSync(keyFile()).mode & 0o777).toBe(0o600)
    expect(await described()).toBe(before)
    expect(await history()).toBe(events)
    await stop()
    expect(await stored()).toEqual({ opened: values, keys: new Set([now.currentId]) })
    await start()
    expect(JSON.parse(await described()).status.available).toBe(true)
  })

  it('rewraps the store of a stopped service by itself', async () => {
    await startWithCredentials()
    await stop()
    const { code, stdout } = await runInProcess(rotateWords())
    expect([code, stdout]).toEqual([0, expect.stringContaining(ring().currentId)])
    expect(ring().ids).toHaveLength(1)
    expect(await stored()).toEqual({ opened: values, keys: new Set([ring().currentId]) })
  })

  it.each(phases)(
    'loses nothing when the service is killed once %s, and is completed without it',
    { tags: 'long' },
    async (_, isReached) => {
      await startWithCredentials(startToKill)
      const old = ring().currentId
      await using command = new RunningCommand(rotateWords())
      await expect.poll(() => isReached(old), { interval: 5 }).toBe(true)
      await stop()
      expect((await command.ended).code).toBe(0)
      expect(ring().ids).toHaveLength(1)
      expect(await stored()).toEqual({ opened: values, keys: new Set([ring().currentId]) })
    },
  )

  it.each(phases)(
    'loses nothing when it is killed itself once %s, and the next one completes it',
    { tags: 'long' },
    async (_, isReached) => {
      await startWithCredentials(startToKill)
      const old = ring().currentId
      {
        await using command = new RunningCommand(rotateWords())
        await expect.poll(() => isReached(old), { interval: 5 }).toBe(true)
        command.signal('SIGKILL')
        await command.ended
      }
      expect(JSON.parse(await described()).status.available).toBe(true)
      await stop()
      expect((await stored()).opened).toEqual(values)
      expect((await runInProcess(rotateWords())).code).toBe(0)
      expect(ring().ids).toHaveLength(1)
      expect((await stored()).opened).toEqual(values)
    },
  )

  it('changes nothing without a store, a key file or the right key file', { tags: 'long' }, async () => {
    const noStore = await runInProcess(rotateWords())
    expect([noStore.code, noStore.stderr]).toEqual([2, `pulseward: There is no store in ${data()}.\n`])
    await startWithCredentials()
    await stop()
    const right = readFileSync(keyFile())
    rmSync(keyFile())
    const missing = await runInProcess(rotateWords())
    expect([missing.code, missing.stderr]).toEqual([3, expect.stringContaining('is missing.')])
    writeFileSync(keyFile(), KeyRing.generate().fileText(), { mode: 0o600 })
    const wrong = await runInProcess(rotateWords())
    expect([wrong.code, wrong.stderr]).toEqual([3, expect.stringContaining('is not the one')])
    expect(ring().ids).toHaveLength(1)
    writeFileSync(keyFile(), right)
    expect((await stored()).opened).toEqual(values)
  })

  it('says what it can do', async () => {
    const { code, stderr } = await runInProcess(['credentials', 'rotate'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('pulseward credentials rotate-key')])
  })
})
