// The program from its bundles, which is what people run, and from its sources, which is what a checkout runs while they
// are newer. The run of the tests has bundled it, so `pulseward` in any test means the bundles.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import { describe, expect, it } from 'vitest'
import { isFresh } from './is-fresh.js'
import { bundledSources, bundleFolder, bundleStamp, programEntry, sourceEntry } from './program.js'

const sourceFolder = fileURLToPath(new URL('../../server/src', import.meta.url))

describe('the bundles', () => {
  it('are what is started while they are fresh', () => {
    expect(isFresh(bundleStamp, bundledSources)).toBe(true)
    expect(fileURLToPath(programEntry())).toBe(join(bundleFolder, 'main.js'))
  })

  it('hold every thread that the service starts', () => {
    const threads = readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('-thread.ts'))
      .map((name) => `${/[^/\\]+$/.exec(name)![0].slice(0, -'.ts'.length)}.js`)
    expect(threads.length).toBeGreaterThan(5)
    expect(readdirSync(bundleFolder)).toEqual(expect.arrayContaining(threads))
    for (const name of readdirSync(bundleFolder).filter((file) => file.endsWith('.js')))
      expect(readFileSync(join(bundleFolder, name), 'utf8')).not.toMatch(/new URL\("[^"]*\.ts"/)
  })

  it('check, keep, answer and query in threads of their own, and end well', async () => {
    const check = { type: 'tcp', interval: '1s', config: { host: '127.0.0.1', port: 1 } }
    const monitors = Array.from({ length: 1_200 }, (_, number) => ({ name: `Monitor ${number}`, check }))
    using folder = temporaryFolder({ 'fleet.json': JSON.stringify({ monitors }) })
    await using service = await RunningCommand.serve(['--config', folder.path('fleet.json')])
    const get = async (path: string) =>
      (await fetch(`${service.url}/api/v1/${path}`)).json() as Promise<Record<string, Record<string, number>>>
    await expect.poll(async () => (await get('overview'))['by_status']?.['down']).toBeGreaterThan(0)
    expect(await get('monitors?q=monitor%20777')).toMatchObject({ total: 1 })
    service.signal('SIGTERM')
    expect((await service.ended).code).toBe(0)
  })

  it('run every kind of command', async () => {
    expect(await runCommand(['--version'])).toMatchObject({ code: 0, stderr: '' })
    const help = await runCommand(['--help'])
    expect(help.stdout).toContain('completion')
    expect(await runCommand(['worker', 'init'])).toMatchObject({ code: 2 })
  })
})

it('the sources run as they are', { tags: 'long' }, () => {
  const { status, stdout } = spawnSync(process.execPath, [sourceEntry, '--version'], { encoding: 'utf8' })
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
})
