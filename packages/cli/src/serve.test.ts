// The service as a process: what it prints, how it reloads, and how it ends.
import { chmodSync, mkdirSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import { temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand, serveInProcess } from '@pulseward/testing/process'
import { describe, expect, it } from 'vitest'

const monitors = (...names: string[]) =>
  names
    .map((name) => `{"name":"${name}","check":{"type":"tcp","config":{"host":"127.0.0.1","port":1}}}\n`)
    .join('')

async function totalOf(url: string): Promise<number> {
  return ((await (await fetch(`${url}/api/v1/overview`)).json()) as { total: number }).total
}

describe.concurrent('pulseward serve', () => {
  it('says where it is, answers, and ends with 0 on Ctrl+C', async () => {
    using folder = temporaryFolder({ 'fleet.ndjson': monitors('a', 'b') })
    await using service = await RunningCommand.serve(['--config', folder.root, '--log-level', 'error'])
    expect(await (await fetch(`${service.url}/api/v1/healthz`)).json()).toEqual({ status: 'ok' })
    expect(await totalOf(service.url)).toBe(2)
    // It often reaches the program twice.
    service.signal('SIGINT')
    service.signal('SIGINT')
    const { code, stdout, stderr } = await service.ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(
      /^Pulseward {2}http:\/\/127\.0\.0\.1:\d+\nEdition {4}candidate\nFleet {6}2 monitors\n/,
    )
  })

  it('in the edition next reloads files that hold nearly another fleet', { tags: 'long' }, async () => {
    const names = (prefix: string) => Array.from({ length: 1_500 }, (_, index) => `${prefix}-${index}`)
    using folder = temporaryFolder({ 'fleet.ndjson': monitors(...names('a')) })
    await using service = await serveInProcess(['--config', folder.root, '--edition', 'next'])
    expect(await totalOf(service.url)).toBe(1_500)
    folder.write('fleet.ndjson', monitors(...names('b'), 'c'))
    expect(await service.reload()).toMatchObject({ applied: true, report: { added: 1_501, removed: 1_500 } })
    expect(await totalOf(service.url)).toBe(1_501)
  })

  it('logs its start, its stop and nothing but JSON when it is told to log JSON', {
    tags: 'long',
  }, async () => {
    using folder = temporaryFolder({ 'fleet.ndjson': monitors('a', 'b') })
    const words = ['serve', '--listen', '127.0.0.1:0', '--config', folder.root, '--log-format', 'json']
    await using service = new RunningCommand(words)
    await service.until('stderr', /"msg":"the service started"/)
    service.signal('SIGTERM')
    const { code, stdout, stderr } = await service.ended
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
    const lines = stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
    const lineOf = (msg: string) => lines.find((line) => line['msg'] === msg)
    expect(lineOf('the service started')).toMatchObject({
      listen: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      level: 'info',
      edition: 'candidate',
      monitors: 2,
      store: 'sqlite',
    })
    expect(lineOf('the service stops')).toMatchObject({
      signal: 'SIGTERM',
      ranForSeconds: expect.any(Number),
    })
    expect(lines.at(-1)).toMatchObject({
      msg: 'the service stopped',
      signal: 'SIGTERM',
      tookMs: expect.any(Number),
    })
  })

  it.runIf(process.platform !== 'win32')(
    'warns about a data directory that everybody may write',
    { tags: 'long' },
    async () => {
      using folder = temporaryFolder()
      mkdirSync(folder.path('data'))
      chmodSync(folder.path('data'), 0o777)
      await using service = await serveInProcess(['--allow-empty', '--data', folder.path('data')])
      expect(service.logged).toContainEqual(
        expect.stringMatching(/^warn: The data directory \S+ can be written by everybody/),
      )
    },
  )

  it('does not start with a token file that holds no token', async () => {
    using folder = temporaryFolder({ token: 'short\n' })
    const { code, stdout, stderr } = await runCommand([
      'serve',
      '--allow-empty',
      '--edition',
      'main',
      '--token-file',
      folder.path('token'),
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(
      `pulseward: The token file ${folder.path('token')} holds a token of fewer than 16 characters`,
    )
    expect(stderr).not.toContain('short\n')
  })

  it('asks for the token of its file', { tags: 'long' }, async () => {
    using folder = temporaryFolder({ token: 's3cret-of-sixteen\n' })
    const words = ['--allow-empty', '--edition', 'main', '--token-file', folder.path('token')]
    await using service = await RunningCommand.serve(words)
    const ask = (headers: Record<string, string>) => fetch(`${service.url}/api/v1/healthz`, { headers })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'Bearer s3cret-of-sixteen' })).status).toBe(200)
  })

  it('reloads on SIGHUP, whole or not at all', async () => {
    using folder = temporaryFolder({ 'fleet.ndjson': monitors('a', 'b', 'c') })
    await using service = await RunningCommand.serve(['--config', folder.root])
    folder.write('fleet.ndjson', `${monitors('a', 'd')}{"nmae":"e"}\n`)
    service.signal('SIGHUP')
    await service.until(
      'stderr',
      /"msg":"the fleet was not reloaded and goes on as before: the fleet has 3 mistakes"/,
    )
    expect(await totalOf(service.url)).toBe(3)
    folder.write('fleet.ndjson', monitors('a', 'd'))
    service.signal('SIGHUP')
    await service.until(
      'stderr',
      /"added":1,"removed":2,"changed":0,"unchanged":1,"msg":"the fleet was reloaded"/,
    )
    expect(await totalOf(service.url)).toBe(2)
  })

  it('reloads when a file changes and it is told to watch', async ({ expect }) => {
    using folder = temporaryFolder({ 'fleet.ndjson': monitors('a') })
    await using service = await serveInProcess(['--config', folder.root, '--watch'])
    folder.write('more.ndjson', monitors('b', 'c'))
    await expect.poll(() => totalOf(service.url)).toBe(3)
    expect(service.logged).toContain('info: the fleet was reloaded')
  })

  it('counts signals within a second once, and a later one ends it at once', { tags: 'long' }, async () => {
    // A listener that never closes keeps the orderly end from coming.
    using folder = temporaryFolder({
      'never-closes.mjs':
        "import net from 'node:net'\nnet.Server.prototype.close = function () { return this }\n",
    })
    const environment = { NODE_OPTIONS: `--import=${folder.path('never-closes.mjs')}` }
    await using service = await RunningCommand.serve(['--allow-empty'], { environment })
    let isEnded = false
    const ended = service.ended.then((end) => {
      isEnded = true
      return end
    })
    service.signal('SIGINT')
    service.signal('SIGTERM')
    service.signal('SIGINT')
    // The second counts from when the service has heard the first.
    await service.until('stderr', /the service stops/)
    await after(1_200)
    expect(isEnded).toBe(false)
    service.signal('SIGTERM')
    const { code, stderr } = await ended
    expect(code).toBe(1)
    expect(stderr).toMatch(/"signal":"SIGTERM","msg":"the service ends at once, without waiting/)
  })
})
