// `pulseward worker init NAME`, and the project that it writes: installed from the packed libraries, tested, type-checked
// and run as its README says.
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder, until } from '@pulseward/testing'
import { runCommand } from '@pulseward/testing/process'
import { ServicePeer } from '@pulseward/testing/worker-peer'
import { describe, expect, it } from 'vitest'
import { packLibraries } from './packages/pack-packages.ts'

const root = join(import.meta.dirname, '..')

describe('pulseward worker init', () => {
  it('writes a project that installs, passes its test, type-checks and runs', {
    tags: 'long',
  }, async () => {
    using folder = temporaryFolder()
    const init = await runCommand(['worker', 'init', 'reach:db'], { cwd: folder.root })
    expect(init).toMatchObject({ code: 0, stderr: '' })
    expect(init.stdout).toContain('reach:db/src/handler.ts\n')
    const cwd = folder.path('reach:db')
    const options = { cwd, encoding: 'utf8' } as const
    // Tests have no registry: what is for development comes from this checkout.
    execFileSync('npm', ['pkg', 'delete', 'devDependencies'], options)
    const words = ['install', '--offline', '--no-audit', '--no-fund', '--ignore-scripts']
    execFileSync('npm', [...words, ...(await packLibraries(folder.root, ['client', 'worker']))], options)
    mkdirSync(join(cwd, 'node_modules/@types'), { recursive: true })
    symlinkSync(join(root, 'node_modules/@types/node'), join(cwd, 'node_modules/@types/node'))
    execFileSync(process.execPath, ['--test', 'src/handler.test.ts'], options)
    expect(execFileSync(join(root, 'node_modules/.bin/tsc'), [], options)).toBe('')
    const old = "Object.defineProperty(process.versions, 'node', { value: '20.11.0' })"
    writeFileSync(join(cwd, 'old-node.cjs'), old)
    const refused = spawnSync(process.execPath, ['--require', './old-node.cjs', 'check-node.js'], options)
    expect([refused.status, refused.stderr]).toEqual([
      1,
      'This worker needs Node.js 24 or newer, and this is Node.js 20.11.0. Install a newer one, then try again.\n',
    ])
    const written = execFileSync(process.execPath, ['src/job-type.ts'], options)
    expect(JSON.parse(written)).toEqual(JSON.parse(readFileSync(join(cwd, 'job-type.json'), 'utf8')))

    await using peer = await ServicePeer.start()
    const { port, hostname: host } = new URL(peer.url)
    const env = { ...process.env, PULSEWARD_URL: peer.url, PULSEWARD_TOKEN: peer.token }
    const worker = spawn(process.execPath, ['src/worker.ts'], { cwd, env, stdio: 'ignore' })
    try {
      const executionID = peer.submit({ jobTypeID: 'reach:db', parameters: { host, port: Number(port) } })
      await until(() => peer.outcome(executionID) !== null)
      expect(peer.outcome(executionID)).toMatchObject({ status: 'success' })
    } finally {
      worker.kill('SIGKILL')
    }
  })

  it('writes nothing over what is there, and nothing outside its folder', { tags: 'long' }, async () => {
    using folder = temporaryFolder({ 'mine/notes.txt': 'keep', taken: 'a file' })
    const init = (...words: readonly string[]) => runCommand(['worker', ...words], { cwd: folder.root })
    expect(await init('init', 'mine')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The folder mine has something in it.'),
    })
    expect(await init('init', 'taken')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('a file has that name'),
    })
    expect(await init('init', '../out')).toMatchObject({ code: 2 })
    expect(await init('init')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Name the job type'),
    })
    expect(await init('begin', 'x')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('pulseward worker init NAME'),
    })
    expect(readFileSync(folder.path('mine/notes.txt'), 'utf8')).toBe('keep')
    expect(readFileSync(folder.path('taken'), 'utf8')).toBe('a file')
  })
})
