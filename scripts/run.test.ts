// Runs the real script in small projects whose `node` is a shell script, and in one without a Node.js of its own.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')
const scriptsUnderTest = [
  'scripts/run.js',
  'scripts/ensure-installed.js',
  'scripts/ensure-runtime.js',
  'packages/cli/bin/replace-process.js',
]

/** A project with nothing to install. */
function project(files: Readonly<Record<string, string>>): TemporaryFolder {
  const folder = temporaryFolder({
    'package.json': '{ "type": "module" }',
    'package-lock.json': '{ "packages": {} }',
    'node_modules/.package-lock.json': '{ "packages": {} }',
    ...files,
  })
  for (const script of scriptsUnderTest) cpSync(join(root, script), folder.path(script))
  const node = 'node_modules/.bin/node'
  if (files[node] !== undefined) chmodSync(folder.path(node), 0o755)
  return folder
}

function startIn({ root }: TemporaryFolder, ...words: string[]): ChildProcess {
  return spawn(process.execPath, ['scripts/run.js', ...words], { cwd: root })
}

async function endOf(child: ChildProcess) {
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

const echo = '#!/bin/sh\necho "node $@"\n'
const failingBuild = '#!/bin/sh\necho "node $@"\ncase "$1" in */scripts/build.ts) exit 3;; esac\n'

describe('scripts/run.js', () => {
  it('hands its arguments to the bundled Node.js', async () => {
    using folder = project({ 'node_modules/.bin/node': echo })
    const end = await endOf(startIn(folder, '--max-semi-space-size=4', 'bench.ts', '--help'))
    expect(end).toEqual({ code: 0, stdout: 'node --max-semi-space-size=4 bench.ts --help\n', stderr: '' })
  })

  it('uses the host’s Node.js where none is bundled, and ends with the exit code of the command', async () => {
    using folder = project({ 'script.js': 'console.log(process.argv.slice(2)); process.exitCode = 7' })
    expect(await endOf(startIn(folder, 'script.js', 'word'))).toMatchObject({
      code: 7,
      stdout: "[ 'word' ]\n",
    })
  })

  it('puts the programs of the dependencies first on the PATH', async () => {
    using folder = project({ 'script.js': 'console.log(process.env.PATH.split(":")[0])' })
    const { stdout } = await endOf(startIn(folder, 'script.js'))
    expect(stdout).toBe(`${folder.path('node_modules/.bin')}\n`)
  })

  it('becomes the command, so that signals reach it', async () => {
    using folder = project({ 'script.js': 'console.log(process.pid); setInterval(() => {}, 1000)' })
    const child = startIn(folder, 'script.js')
    const [line] = await once(child.stdout!, 'data')
    expect(Number(line)).toBe(child.pid)
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM'])
  })

  it('builds first with --build', async () => {
    using folder = project({ 'node_modules/.bin/node': echo })
    const { stdout } = await endOf(startIn(folder, '--build', 'start.js'))
    expect(stdout).toBe(`node ${folder.path('scripts/build.ts')}\nnode start.js\n`)
  })

  it('installs the tools of tests unless it is told not to', async () => {
    const lock = '{ "packages": { "node_modules/tool": { "dev": true } } }'
    using folder = project({ 'node_modules/.bin/node': echo, 'package-lock.json': lock })
    expect(await endOf(startIn(folder, '--no-tools', '--build', 'start.js'))).toEqual({
      code: 0,
      stdout: `node ${folder.path('scripts/build.ts')}\nnode start.js\n`,
      stderr: '',
    })
    expect(await endOf(startIn(folder, 'test.js'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Installing the tools of tests and checks…\n'),
    })
  })

  it('does not start the command when the build fails', async () => {
    using folder = project({ 'node_modules/.bin/node': failingBuild })
    expect(await endOf(startIn(folder, '--build', 'start.js'))).toMatchObject({
      code: 3,
      stdout: `node ${folder.path('scripts/build.ts')}\n`,
    })
  })

  it('does not start the command when the dependencies cannot be installed', async () => {
    using folder = project({ 'node_modules/.bin/node': echo, 'package-lock.json': '{' })
    expect(await endOf(startIn(folder, 'start.js'))).toEqual({
      code: 1,
      stdout: '',
      stderr: 'package-lock.json is missing or broken: restore it with `git checkout`.\n',
    })
  })
})

describe('the scripts of package.json', () => {
  const scripts: Record<string, string> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts

  it('all start through scripts/run.js', () => {
    const others = Object.values(scripts).filter((command) => !command.startsWith('node scripts/run.js '))
    expect(others).toEqual([])
  })

  it('are at most twenty: what is seldom needed is a tool', () => {
    expect(Object.keys(scripts).length).toBeLessThanOrEqual(20)
  })
})
