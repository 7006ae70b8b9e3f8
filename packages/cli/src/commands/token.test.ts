// The tokens of principals as a person at a terminal makes, lists and revokes them.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { FileLock, systemClock } from '@pulseward/server'
import { makeFirstOperator } from '@pulseward/server/internal/access/first-operator.ts'
import { principalsInFile } from '@pulseward/server/internal/access/principal-source.ts'
import { Principals } from '@pulseward/server/internal/access/principals.ts'
import { makeToken } from '@pulseward/server/internal/access/token.ts'
import { dataDirectory } from '@pulseward/server/internal/store/data-directory.ts'
import { eventually, type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { runCommand, whyNoSmallDisk } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'
import { exactTime } from '../client/table/local-time.ts'

const tokenForm = /^pw_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}\n$/

let folder: TemporaryFolder
beforeEach(() => {
  folder = temporaryFolder()
  mkdirSync(folder.path('data'), { mode: 0o700 })
})
afterEach(() => folder[Symbol.dispose]())

const run = (...words: readonly string[]) =>
  runInProcess(['token', ...words, '--data', 'data'], { cwd: folder.root })
const create = (name: string, ...words: readonly string[]) => run('create', name, ...words)
const listed = async () => JSON.parse((await run('list', '-o', 'json')).stdout)

describe('token create', () => {
  it('prints the token and nothing else on stdout', async () => {
    const first = await create('ann', '--role', 'operator')
    expect(first.code).toBe(0)
    expect(first.stdout).toMatch(tokenForm)
    expect(first.stderr).toBe(
      'pulseward: ann (operator) was added to data/principals.json. The token works until it is revoked and is not shown again; a running service knows it within a second.\n' +
        'pulseward: data/principals.json is new and has no other principal; the first start of the edition next will not make an operator.\n',
    )
    const second = await create('bob', '--role', 'reader')
    expect(second.stderr).toBe(
      'pulseward: bob (reader) was added to data/principals.json. The token works until it is revoked and is not shown again; a running service knows it within a second.\n',
    )
    expect(second.stdout).not.toBe(first.stdout)
    expect(statSync(folder.path('data/principals.json')).mode & 0o077).toBe(0)
  })

  it('makes a token that a running service takes, and revoke one that it takes no longer', async () => {
    const files = dataDirectory(folder.path('data'))
    makeFirstOperator(files)
    using _service = new FileLock(files.ownerLock)
    using principals = Principals.open(principalsInFile(files.principals), systemClock)
    principals.watch()
    const { stdout } = await create('w-1', '--role', 'worker', '--job-type', 'disk', '--expires', '1h')
    const principal = () => principals.principalOf(stdout.trim(), Date.now())
    await eventually(() =>
      expect(principal()).toMatchObject({ name: 'w-1', role: 'worker', jobTypes: ['disk'] }),
    )
    await run('revoke', 'w-1')
    await eventually(() => expect(principal()).toBe(null))
  })

  it.each([
    ['90d', 90 * 86_400_000],
    ['12h', 12 * 3_600_000],
    ['30m', 30 * 60_000],
    ['3650d', 3_650 * 86_400_000],
  ])('takes %s for how long the token works', async (text, ms) => {
    const before = Date.now()
    const { stderr } = await create('ann', '--role', 'reader', '--expires', text)
    const [{ expires }] = await listed()
    expect(stderr).toContain(`The token works until ${exactTime(expires, 'UTC')} and is not shown again`)
    expect(Date.parse(expires)).toBeGreaterThanOrEqual(before + ms)
    expect(Date.parse(expires)).toBeLessThanOrEqual(Date.now() + ms)
  })

  it('takes the data directory of the environment like the service', async () => {
    const { code } = await runInProcess(['token', 'create', 'ann', '--role', 'reader'], {
      cwd: folder.root,
      environment: { PULSEWARD_DATA: folder.path('data') },
    })
    expect(code).toBe(0)
    expect(await listed()).toHaveLength(1)
  })

  it('refuses a name that is taken, with 2', async () => {
    const { stdout } = await create('ann', '--role', 'reader')
    expect(await create('ann', '--role', 'operator')).toEqual({
      code: 2,
      stdout: '',
      stderr: 'pulseward: There is a principal ann already; choose another name, or revoke it first.\n',
    })
    using principals = Principals.open(principalsInFile(folder.path('data/principals.json')), systemClock)
    expect(principals.principalOf(stdout.trim(), 0)).toMatchObject({ role: 'reader' })
  })

  it('does not replace a principals file that was lost', async () => {
    makeFirstOperator(dataDirectory(folder.path('data')))
    rmSync(folder.path('data/principals.json'))
    const { code, stdout, stderr } = await create('ann', '--role', 'operator')
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^pulseward: The principals file data\/principals\.json is missing, although /)
    expect(existsSync(folder.path('data/principals.json'))).toBe(false)
  })

  it('ends with 3 when the data directory cannot be written', async () => {
    rmSync(folder.path('data'), { recursive: true })
    writeFileSync(folder.path('data'), 'a file')
    const { code, stdout, stderr } = await create('ann', '--role', 'operator')
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toMatch(/^pulseward: The data directory cannot be read or written\. \(ENOTDIR/)
  })

  it('succeeds for two processes at the same time', async () => {
    const names = ['a', 'b']
    const ends = await Promise.all(
      names.map((name) =>
        runCommand(['token', 'create', name, '--role', 'reader', '--data', folder.path('data')]),
      ),
    )
    for (const { code, stdout } of ends) {
      expect(code).toBe(0)
      expect(stdout).toMatch(tokenForm)
    }
    using principals = Principals.open(principalsInFile(folder.path('data/principals.json')), systemClock)
    for (const [index, { stdout }] of ends.entries())
      expect(principals.principalOf(stdout.trim(), 0)).toMatchObject({ name: names[index] })
    expect((await listed()).map(({ name }: { name: string }) => name).sort()).toEqual(names)
  })

  it.each<[words: string[], sentence: string]>([
    [[], 'Say what to do: pulseward token create NAME, list or revoke NAME. See --help.'],
    [['constructor'], 'Say what to do: pulseward token create NAME, list or revoke NAME. See --help.'],
    [['create'], 'Name one principal: pulseward token create NAME --role ROLE'],
    [['create', 'a', 'b'], 'Name one principal: pulseward token create NAME --role ROLE'],
    [
      ['create', 'a b', '--role', 'reader'],
      'The name must be at most 128 letters, digits and . _ : -, beginning with a letter or digit.',
    ],
    [['create', 'a'], 'Say what a may do: --role reader|operator|worker|probe.'],
    [
      ['create', 'a', '--role', 'oprator'],
      '--role: "oprator" is not allowed here; use reader, operator, worker or probe. Did you mean operator?',
    ],
    [
      ['create', 'a', '--role', 'worker'],
      'A worker runs nothing without a job type; name at least one with --job-type ID.',
    ],
    [
      ['create', 'a', '--role', 'operator', '--job-type', 'disk'],
      'Only a worker has job types; leave --job-type out, or say --role worker.',
    ],
    [
      ['create', 'a', '--role', 'probe'],
      'A probe checks nothing without a location; name at least one with --location ID.',
    ],
    [
      ['create', 'a', '--role', 'operator', '--location', 'fra'],
      'Only a probe has locations; leave --location out, or say --role probe.',
    ],
    [
      ['create', 'a', '--role', 'worker', '--job-type', 'a/b'],
      '--job-type must be at most 128 letters, digits and . _ : -, beginning with a letter or digit.',
    ],
    ...['90', '0d', '-1d', '3651d', '1y', '9999999h', 'soon', ''].map((text): [string[], string] => [
      ['create', 'a', '--role', 'reader', `--expires=${text}`],
      `--expires: "${text}" is not allowed here; say how long the token works, such as 90d, 12h or 30m, at most 3650d.`,
    ]),
    [['create', 'a', '--role', 'reader', '-o', 'json'], '--output does not apply to token create.'],
    [['list', '--role', 'reader'], '--role does not apply to token list.'],
    [['list', 'a'], '"a" is not expected here.'],
    [['list', '-o', 'yaml'], '--output: "yaml" is not allowed here; use table or json.'],
    [['revoke'], 'Name one principal: pulseward token revoke NAME'],
    [['revoke', 'a', '--expires', '1d'], '--expires does not apply to token revoke.'],
    [
      ['list'],
      'The principals file data/principals.json does not exist. pulseward token create makes it, and so does the first start of the edition next.',
    ],
  ])('ends with 2 for %j and leaves nothing', async (words, sentence) => {
    expect(await run(...words)).toEqual({ code: 2, stdout: '', stderr: `pulseward: ${sentence}\n` })
    expect(readdirSync(folder.path('data'))).toEqual([])
  })

  it('ends with 2 where there is no data directory', async () => {
    const words = ['token', 'create', 'a', '--role', 'reader', '--data', 'none']
    expect(await runInProcess(words, { cwd: folder.root })).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'pulseward: There is no folder none for the principals file; name another, or make it with mkdir -m 700.\n',
    })
    expect(existsSync(folder.path('none'))).toBe(false)
  })

  it('does not repeat a token that was given for a name', async () => {
    const token = makeToken()
    for (const words of [
      ['create', token, '--role', 'reader'],
      ['create', 'a', '--role', 'worker', '--job-type', token],
      ['revoke', token],
    ]) {
      const { code, stderr } = await run(...words)
      expect(code).toBe(2)
      expect(stderr).toMatch(/ looks like a token; write an id instead\.\n$/)
      expect(stderr).not.toContain(token.slice(3, 40))
    }
  })
})

describe.each(['list', 'create', 'revoke'])('token %s', (verb) => {
  const words = { list: [], create: ['ann', '--role', 'reader'], revoke: ['ann'] }[verb] ?? []

  it('ends with 2 on a principals file that is broken or open to others, and leaves it', async () => {
    const file = folder.path('data/principals.json')
    writeFileSync(file, '{"version": 1, "principals": [{"name": "ann"}]}', { mode: 0o600 })
    const broken = await run(verb, ...words)
    expect(broken.code).toBe(2)
    expect(broken.stderr).toMatch(
      /^pulseward: The principals file data\/principals\.json is not valid: principals\[0\]\.role: /,
    )
    chmodSync(file, 0o640)
    expect((await run(verb, ...words)).stderr).toBe(
      'pulseward: The principals file data/principals.json is open to other users (mode 640); run chmod 600 on it.\n',
    )
    expect(readFileSync(file, 'utf8')).toBe('{"version": 1, "principals": [{"name": "ann"}]}')
  })
})

describe('token list', () => {
  it('shows names, roles, times and job types, and neither tokens nor digests', async () => {
    const tokens = [
      await create('ann', '--role', 'operator'),
      await create('w-1', '--role', 'worker', '--job-type', 'disk', '--job-type', 'raid', '--expires', '9d'),
      await create('fra-1', '--role', 'probe', '--location', 'fra'),
    ].map(({ stdout }) => stdout.trim())
    const [, { expires }] = await listed()
    expect(await listed()).toEqual([
      { name: 'ann', role: 'operator', expires: null, jobTypes: [] },
      { name: 'w-1', role: 'worker', expires, jobTypes: ['disk', 'raid'] },
      { name: 'fra-1', role: 'probe', expires: null, jobTypes: [], locations: ['fra'] },
    ])
    const { code, stdout, stderr } = await run('list')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout.split('\n')[0]).toMatch(/^NAME +ROLE +EXPIRES +LOCATIONS +JOB TYPES$/)
    expect(stdout).toMatch(/^ann +operator +- +- +-$/m)
    expect(stdout).toMatch(/^w-1 +worker +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC +- +disk, raid$/m)
    expect(stdout).toMatch(/^fra-1 +probe +- +fra +-$/m)
    const shown = stdout + JSON.stringify(await listed())
    expect(shown).not.toContain('sha256')
    for (const token of tokens) expect(shown).not.toContain(token.slice(3, 40))
  })

  it('says which have expired, and that there are none', async () => {
    const file = folder.path('data/principals.json')
    const ann = { name: 'ann', role: 'reader', digest: `sha256:${'0'.repeat(64)}` }
    const document = { version: 1, principals: [{ ...ann, expires: '2020-01-01T00:00:00Z' }] }
    writeFileSync(file, JSON.stringify(document), { mode: 0o600 })
    expect((await run('list')).stdout).toMatch(/^ann +reader +2020-01-01 00:00:00 UTC \(expired\) +- +-$/m)
    await run('revoke', 'ann')
    expect((await run('list')).stdout).toBe('There are no principals in data/principals.json.\n')
    expect(await listed()).toEqual([])
  })
})

describe('token revoke', () => {
  it('revokes one, ends with 1 for one that is not there, and says when no operator is left', async () => {
    await create('ann', '--role', 'operator')
    await create('bob', '--role', 'operator')
    const said = (name: string) =>
      `${name} is revoked; a running service refuses its token within a second.\n`
    expect(await run('revoke', 'ann')).toEqual({ code: 0, stdout: said('ann'), stderr: '' })
    expect(await run('revoke', 'ann')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'pulseward: There is no principal ann in data/principals.json.\n',
    })
    expect(await run('revoke', 'bob')).toEqual({
      code: 0,
      stdout: said('bob'),
      stderr: 'pulseward: No operator is left; make one with pulseward token create NAME --role operator.\n',
    })
  })

  it('removes the token of the first operator with it', async () => {
    makeFirstOperator(dataDirectory(folder.path('data')))
    await run('revoke', 'first')
    expect(existsSync(folder.path('data/operator.token'))).toBe(false)
  })
})

/** Mounts a disk at the folder $0, puts the file $1 on it, fills it, runs the command and prints what is there. */
const onFullDisk =
  'mount -t tmpfs -o size=65536,mode=700 tmpfs "$0" && cp -p "$1" "$0/principals.json" && shift && ' +
  '{ cat /dev/zero > "$0/ballast" 2>/dev/null; "$@"; code=$?; cat "$0/principals.json"; ls "$0"; exit $code; }'

it('token create on a full disk ends with 3, prints no token and leaves the file as it was', async ({
  skip,
}) => {
  const problem = whyNoSmallDisk(folder.path('data'))
  if (problem !== null) skip(problem)
  await create('ann', '--role', 'operator')
  const before = readFileSync(folder.path('data/principals.json'), 'utf8')
  copyFileSync(folder.path('data/principals.json'), folder.path('before.json'))
  const names = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c', onFullDisk]
  const { code, stdout, stderr } = await runCommand(
    ['token', 'create', 'bob', '--role', 'reader', '--data', folder.path('data')],
    { through: [...names, folder.path('data'), folder.path('before.json')] },
  )
  expect(code).toBe(3)
  expect(stderr).toMatch(/^pulseward: The disk of the data directory is full; free some space\. \(ENOSPC/)
  expect(stdout).toBe(`${before}ballast\nprincipals.json\nprincipals.json.lock\n`)
})
