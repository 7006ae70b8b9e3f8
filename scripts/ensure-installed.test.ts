// Runs the real script in throw-away projects whose only dependency is a local folder: no network is needed.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'

const scriptsUnderTest = ['ensure-installed.js', 'ensure-runtime.js']
const projects: string[] = []

afterEach(() => {
  for (const project of projects.splice(0)) rmSync(project, { recursive: true, force: true })
})

function writeJson(path: string, value: unknown) {
  writeFileSync(path, JSON.stringify(value))
}

interface ProjectOptions {
  /** Depends also on a package of the registry. */
  readonly fromRegistry?: boolean
  /** Its tests need the folder ./checker in it. */
  readonly hasTool?: boolean
  /** A shell script that the dependency brings as the program `node`. */
  readonly node?: string
}

/** A project with the scripts under test that depends on a folder of its own; so does its fallback for Node.js. */
function project(options: ProjectOptions = {}) {
  const root = mkdtempSync(join(tmpdir(), 'ensure-installed-'))
  projects.push(root)
  writeProject(root, options)
  mkdirSync(join(root, 'scripts'))
  if (options.node !== undefined)
    writeProject(join(root, 'scripts/fallback-runtime'), { node: '#!/bin/sh\necho the older one\n' })
  for (const script of scriptsUnderTest)
    cpSync(join(import.meta.dirname, script), join(root, 'scripts', script))
  return root
}

/** A project that depends on the folder ./greeter in it. */
function writeProject(root: string, { fromRegistry = false, hasTool = false, node }: ProjectOptions) {
  mkdirSync(join(root, 'greeter'), { recursive: true })
  const scripts = { postinstall: "node -e \"fs.writeFileSync('script-ran', '')\"" }
  const remote = fromRegistry ? { 'left-over': '1.0.0' } : {}
  const dependencies = { greeter: 'file:greeter', ...remote }
  const tools = hasTool && { devDependencies: { checker: 'file:checker' } }
  const bin = node === undefined ? {} : { bin: { node: 'node' } }
  if (node !== undefined) writeFileSync(join(root, 'greeter/node'), node, { mode: 0o755 })
  writeJson(join(root, 'package.json'), {
    name: 'project',
    version: '1.0.0',
    type: 'module',
    scripts,
    dependencies,
    ...tools,
  })
  if (hasTool) {
    mkdirSync(join(root, 'checker'))
    writeJson(join(root, 'checker/package.json'), { name: 'checker', version: '1.0.0' })
  }
  writeJson(join(root, 'greeter/package.json'), { name: 'greeter', version: '1.0.0', ...bin })
  writeJson(join(root, 'package-lock.json'), {
    name: 'project',
    version: '1.0.0',
    lockfileVersion: 3,
    requires: true,
    packages: {
      '': { name: 'project', version: '1.0.0', dependencies, ...tools },
      greeter: { version: '1.0.0', ...bin },
      'node_modules/greeter': { resolved: 'greeter', link: true },
      ...(hasTool && {
        checker: { version: '1.0.0', dev: true },
        'node_modules/checker': { resolved: 'checker', link: true, dev: true },
      }),
      ...(fromRegistry && { 'node_modules/left-over': { version: '1.0.0' } }),
    },
  })
}

async function ensureInstalled(root: string, wanted = { withTools: true }) {
  const script = JSON.stringify(pathToFileURL(join(root, 'scripts/ensure-installed.js')))
  const call = `import { ensureInstalled } from ${script}; ensureInstalled(${JSON.stringify(wanted)})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', call], {
    env: {
      ...process.env,
      npm_config_cache: join(root, 'npm-cache'),
      npm_config_registry: 'http://127.0.0.1:9/',
      npm_config_fetch_retries: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { code, stdout, stderr }
}

describe('ensure-installed', () => {
  it('installs what the lock file says when node_modules is missing, without running install scripts', {
    tags: 'long',
  }, async () => {
    const root = project()
    expect(await ensureInstalled(root)).toEqual({ code: 0, stdout: '', stderr: 'Installing dependencies…\n' })
    expect(existsSync(join(root, 'node_modules/greeter/package.json'))).toBe(true)
    expect(existsSync(join(root, 'script-ran'))).toBe(false)
  })

  it('says and does nothing when everything is there', { tags: 'long' }, async () => {
    const root = project()
    await ensureInstalled(root)
    expect(await ensureInstalled(root)).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('installs again when the lock file no longer fits what is installed', { tags: 'long' }, async () => {
    const root = project()
    await ensureInstalled(root)
    const hidden = join(root, 'node_modules/.package-lock.json')
    writeFileSync(hidden, readFileSync(hidden, 'utf8').replaceAll('"greeter"', '"elsewhere"'))
    expect((await ensureInstalled(root)).stderr).toBe('Installing dependencies…\n')
  })

  it('installs again when the folder of a dependency was deleted', { tags: 'long' }, async () => {
    const root = project()
    await ensureInstalled(root)
    rmSync(join(root, 'node_modules/greeter'))
    expect(await ensureInstalled(root)).toMatchObject({ code: 0, stderr: 'Installing dependencies…\n' })
    expect(existsSync(join(root, 'node_modules/greeter/package.json'))).toBe(true)
  })

  describe('the tools of tests and checks', () => {
    const installed = (root: string) =>
      ['greeter', 'checker'].map((name) => existsSync(join(root, 'node_modules', name, 'package.json')))

    it('are left out where only a service is wanted, which is then whole', { tags: 'long' }, async () => {
      const root = project({ hasTool: true })
      const first = await ensureInstalled(root, { withTools: false })
      expect(first).toEqual({ code: 0, stdout: '', stderr: 'Installing dependencies…\n' })
      expect(installed(root)).toEqual([true, false])
      expect((await ensureInstalled(root, { withTools: false })).stderr).toBe('')
    })

    it('are added beside what is there, which stays in its place', { tags: 'long' }, async () => {
      const root = project({ hasTool: true })
      await ensureInstalled(root, { withTools: false })
      const placed = lstatSync(join(root, 'node_modules/greeter')).ino
      const lock = readFileSync(join(root, 'package-lock.json'), 'utf8')
      const second = await ensureInstalled(root)
      expect(second).toEqual({ code: 0, stdout: '', stderr: 'Installing the tools of tests and checks…\n' })
      expect(installed(root)).toEqual([true, true])
      expect(lstatSync(join(root, 'node_modules/greeter')).ino).toBe(placed)
      expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).toBe(lock)
      expect((await ensureInstalled(root, { withTools: false })).stderr).toBe('')
    })

    it('are installed at once where they are wanted first', { tags: 'long' }, async () => {
      const root = project({ hasTool: true })
      expect((await ensureInstalled(root)).stderr).toBe('Installing dependencies…\n')
      expect(installed(root)).toEqual([true, true])
    })
  })

  it('puts an older Node.js in the place of one that does not start here', { tags: 'long' }, async () => {
    const root = project({ node: '#!/bin/sh\nexit 127\n' })
    const { code, stderr } = await ensureInstalled(root)
    expect([code, stderr]).toEqual([
      0,
      'Installing dependencies…\nInstalling an older Node.js: the bundled one does not start here…\n',
    ])
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/node'), { encoding: 'utf8' })
    expect(stdout).toBe('the older one\n')
  })

  it('tries again when that older Node.js could not be installed', { tags: 'long' }, async () => {
    const root = project({ node: '#!/bin/sh\nexit 127\n' })
    const lock = join(root, 'scripts/fallback-runtime/package-lock.json')
    const right = readFileSync(lock)
    writeFileSync(lock, '{')
    expect((await ensureInstalled(root)).code).toBe(1)
    writeFileSync(lock, right)
    expect(await ensureInstalled(root)).toMatchObject({
      code: 0,
      stderr: 'Installing an older Node.js: the bundled one does not start here…\n',
    })
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/node'), { encoding: 'utf8' })
    expect(stdout).toBe('the older one\n')
  })

  it('leaves a Node.js that starts alone', { tags: 'long' }, async () => {
    const root = project({ node: '#!/bin/sh\necho the bundled one\n' })
    expect((await ensureInstalled(root)).stderr).toBe('Installing dependencies…\n')
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/node'), { encoding: 'utf8' })
    expect(stdout).toBe('the bundled one\n')
  })

  it('installs once when two start at the same time', { tags: 'long' }, async () => {
    const root = project()
    const both = await Promise.all([ensureInstalled(root), ensureInstalled(root)])
    expect(both.map((one) => one.code)).toEqual([0, 0])
    expect(both.map((one) => one.stderr).join('')).toBe('Installing dependencies…\n')
  })

  it('does not wait for an install that was killed', { tags: 'long' }, async () => {
    const root = project()
    const killed = spawn(process.execPath, ['--version'], { stdio: 'ignore' })
    await once(killed, 'close')
    mkdirSync(join(root, '.cache'))
    writeFileSync(join(root, '.cache/installing'), String(killed.pid))
    expect((await ensureInstalled(root)).code).toBe(0)
  })

  it('says in one sentence what to do when the registry cannot be reached', { tags: 'long' }, async () => {
    const { code, stderr } = await ensureInstalled(project({ fromRegistry: true }))
    expect(code).toBe(1)
    expect(stderr).toBe(
      'Installing dependencies…\nThe npm registry cannot be reached: connect to the network or set npm_config_registry to a mirror, then try again.\n',
    )
  })

  it('says in one sentence what to do when the lock file does not fit package.json', {
    tags: 'long',
  }, async () => {
    const root = project()
    cpSync(join(root, 'greeter'), join(root, 'newcomer'), { recursive: true })
    const dependencies = { greeter: 'file:greeter', newcomer: 'file:newcomer' }
    writeJson(join(root, 'package.json'), { name: 'project', version: '1.0.0', type: 'module', dependencies })
    const { code, stderr } = await ensureInstalled(root)
    expect(code).toBe(1)
    expect(stderr).toBe(
      'Installing dependencies…\npackage-lock.json does not fit package.json: run `npm install --ignore-scripts` and commit the lock file.\n',
    )
  })

  it('says in one sentence what to do when the lock file is broken', { tags: 'long' }, async () => {
    const root = project()
    writeFileSync(join(root, 'package-lock.json'), '{ "packages": ')
    const { code, stderr } = await ensureInstalled(root)
    expect(code).toBe(1)
    expect(stderr).toBe('package-lock.json is missing or broken: restore it with `git checkout`.\n')
  })
})
