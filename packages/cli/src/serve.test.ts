// The service as a process: what it prints, how it reloads, and how it ends.
import { setTimeout as after } from 'node:timers/promises'
import { RunningCommand, temporaryFolder } from '@pulseward/testing'
import { describe, expect, it } from 'vitest'

const monitors = (...names: string[]) =>
  names
    .map((name) => `{"name":"${name}","check":{"type":"tcp","config":{"host":"127.0.0.1","port":1}}}\n`)
    .join('')

async function totalOf(url: string): Promise<number> {
  return ((await (await fetch(`${url}/api/v1/overview`)).json()) as { total: number }).total
}

describe.concurrent('pulseward serve', () => {
  it.for(['SIGINT', 'SIGTERM'] as const)(
    'says where it is, answers, and ends with 0 on %s',
    async (signal) => {
      using folder = temporaryFolder({ 'fleet.ndjson': monitors('a', 'b') })
      await using service = await RunningCommand.serve(['--config', folder.root, '--log-level', 'warn'])
      expect(await (await fetch(`${service.url}/api/v1/healthz`)).json()).toEqual({ status: 'ok' })
      expect(await totalOf(service.url)).toBe(2)
      // Ctrl+C often reaches the program twice.
      service.signal(signal)
      service.signal(signal)
      const { code, stdout, stderr } = await service.ended
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(
        /^Pulseward {2}http:\/\/127\.0\.0\.1:\d+\nEdition {4}candidate\nFleet {6}2 monitors\n/,
      )
    },
  )

  it('asks for the token of its file', async () => {
    using folder = temporaryFolder({ token: 's3cret\n' })
    const words = ['--allow-empty', '--edition', 'main', '--token-file', folder.path('token')]
    await using service = await RunningCommand.serve(words)
    const ask = (headers: Record<string, string>) => fetch(`${service.url}/api/v1/healthz`, { headers })
    expect((await ask({})).status).toBe(401)
    expect((await ask({ authorization: 'Bearer s3cret' })).status).toBe(200)
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

  it('reloads when a file changes and it is told to watch', async () => {
    using folder = temporaryFolder({ 'fleet.ndjson': monitors('a') })
    await using service = await RunningCommand.serve(['--config', folder.root, '--watch'])
    folder.write('more.ndjson', monitors('b', 'c'))
    await service.until(
      'stderr',
      /"added":2,"removed":0,"changed":0,"unchanged":1,"msg":"the fleet was reloaded"/,
    )
    expect(await totalOf(service.url)).toBe(3)
  })

  it('counts signals within a second once, and a later one ends it at once', async () => {
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
    await after(1_200)
    expect(isEnded).toBe(false)
    service.signal('SIGTERM')
    expect(await ended).toMatchObject({ code: 1, stderr: '' })
  })
})
