// serve --adopt: from a fleet file of the candidate to v2, over restarts, with real processes on one data directory.
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createServer } from 'node:net'
import type { v1 } from '@pulseward/client'
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, type RunningService, serveInProcess } from '@pulseward/testing/process'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInProcess } from '../client/command.fixture.ts'

const environment = { HOOK: 'https://hooks.example/secret-of-the-file' }
let folder: TemporaryFolder
let target: ReturnType<typeof createServer>
beforeEach(async () => {
  target = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
  await once(target, 'listening')
  const { port } = target.address() as { port: number }
  folder = temporaryFolder({ 'fleet.yaml': fleetWith(port), 'routes.yaml': routes })
})
afterEach(() => {
  target.close()
  folder[Symbol.dispose]()
})

const routes = 'routes: [ { match: { team: a }, colors: [gray], groups: [ops] } ]\n'

// Keys are not in the order of the store, and a secret is in a check: the text differs, the meaning does not.
const fleetWith = (port: number) => `
credentials: { hook: { env: HOOK } }
endpoints: { chat: { type: slack, config: { hook: { credential: hook } } } }
groups: { ops: [chat] }
${routes}
defaults: { check: { interval: 1s, timeout: 1s, unhealthy_threshold: 1, healthy_threshold: 1 } }
monitors:
  - { id: down, name: Down, labels: { team: a }, check: { type: tcp, config: { port: 1, host: 127.0.0.1 } } }
  - { id: up, name: Up, check: { type: tcp, config: { port: ${port}, host: 127.0.0.1 } } }
  - id: secret
    name: Secret
    check: { type: http, config: { url: 'http://127.0.0.1:1/', auth: { bearer: { credential: hook } } } }
`

type Served = { readonly url: string }

const inData = (...words: string[]) => ['--data', folder.path('data'), ...words]
const serve = (...words: string[]) => serveInProcess(inData(...words), { environment })
const adopt = (file: string): Promise<RunningService> =>
  RunningCommand.serve(inData('--edition', 'next', '--config', file, '--adopt'), { environment })

async function stop(service: RunningService): Promise<string> {
  service.signal('SIGTERM')
  const { code, stderr } = await service.ended
  expect(code).toBe(0)
  return stderr
}

const get = async <Body>(url: string, path: string) =>
  (await (await fetch(`${url}/api/v1/${path}`)).json()) as Body

/** What has to survive: numbers, revisions, which rise when a configuration changed, and incidents. */
async function standing({ url }: Served) {
  const { monitors } = await get<v1.MonitorList>(url, 'monitors')
  const { incidents } = await get<v1.IncidentList>(url, 'incidents')
  const revisionOf = async (id: string) => (await get<v1.State>(url, `state?monitor_id=${id}`)).revision
  return {
    numbers: monitors.map(({ id, monitor_id }) => [monitor_id, id]).sort(),
    revisions: await Promise.all(['down', 'secret'].map(revisionOf)),
    incidents: incidents.map(({ incident_id }) => incident_id).sort(),
  }
}

async function withIncidents(service: Served) {
  await expect.poll(async () => (await standing(service)).incidents.length).toBe(2)
  await expect.poll(async () => (await get<v1.Overview>(service.url, 'overview')).by_status.up).toBe(1)
  return standing(service)
}

describe('serve --adopt', () => {
  it('keeps ids, numbers, open incidents and history, now and after restarts without the file', async () => {
    const candidate = await serve('--config', folder.path('fleet.yaml'))
    const before = await withIncidents(candidate)
    await candidate[Symbol.asyncDispose]()
    const run = (service: Served, ...words: string[]) =>
      runInProcess([...words, '--server', service.url, '--data', folder.path('data')])

    const adopting = await adopt(folder.path('fleet.yaml'))
    expect(await standing(adopting)).toEqual(before)
    const secret = JSON.parse((await run(adopting, 'describe', 'monitor', 'secret', '-o', 'json')).stdout)
    expect(secret).toMatchObject({
      metadata: { managedBy: 'api', name: 'Secret' },
      spec: { check: { interval: '1s', driver: { credentialRefs: { 'auth.bearer': 'hook' } } } },
    })
    expect((await run(adopting, 'get', 'credentials')).stdout).toMatch(/^hook +yes/m)
    expect((await run(adopting, 'get', 'routes')).stdout).toMatch(/^route-1 +team=a +gray +ops /m)
    expect((await run(adopting, 'disable', 'up')).code).toBe(0)
    adopting.signal('SIGHUP')
    await adopting.until('stderr', /was not reloaded.*the fleet files have what v2 manages.*take them out/)
    expect(await stop(adopting)).toContain('Start without --adopt')

    const alone = await serve('--edition', 'next')
    expect(await standing(alone)).toEqual(before)
    const { events } = await get<v1.History>(alone.url, 'history?limit=500')
    const opened = events.filter(({ type }) => type === 'incident_opened')
    expect(opened.map(({ incident_id }) => incident_id).sort()).toEqual(before.incidents)
    await alone[Symbol.asyncDispose]()

    // With the old file, v2 counts; with nothing but routes in it, nothing is wrong.
    const withOldFile = await serve('--edition', 'next', '--config', folder.path('fleet.yaml'))
    expect(await standing(withOldFile)).toEqual(before)
    expect((await run(withOldFile, 'enable', 'up')).code).toBe(0)
    expect((await run(withOldFile, 'patch', 'group', 'ops', '-p', '{metadata: {name: Ops}}')).code).toBe(0)
    await withOldFile[Symbol.asyncDispose]()
    expect(withOldFile.logged.join('\n')).toContain(
      'Fleet files have what v2 manages, so it was left out: endpoint chat, group ops, ',
    )
    const withRoutes = await serve('--edition', 'next', '--config', folder.path('routes.yaml'))
    expect(await standing(withRoutes)).toEqual(before)
    expect((await run(withRoutes, 'delete', 'group', 'ops')).stderr).toContain('still refers to')
    await withRoutes[Symbol.asyncDispose]()
    expect(withRoutes.logged.filter((line) => line.startsWith('error'))).toEqual([])
  })

  // Four starts over 20,000 monitors: on a busy machine they take a while.
  it('that is killed goes on at the next start', { tags: 'long', timeout: 300_000 }, async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      JSON.stringify({
        id: `m-${index}`,
        name: `M ${index}`,
        check: { type: 'tcp', interval: '24h', config: { host: '127.0.0.1', port: 1 } },
      }),
    )
    const file = folder.write('many.ndjson', `${lines.join('\n')}\n`)
    const words = ['serve', '--listen', '127.0.0.1:0', '--edition', 'next', '--data', folder.path('data')]
    const killedWords = [...words, '--config', file, '--adopt', '--log-format', 'json']
    const written = () => statSync(folder.path('data/pulseward.db-wal'), { throwIfNoEntry: false })?.size ?? 0
    for (const bytes of [300_000, 600_000]) {
      await using killed = new RunningCommand(killedWords, { environment })
      const started = written()
      await expect
        .poll(() => Math.abs(written() - started), { interval: 5, timeout: 120_000 })
        .toBeGreaterThan(bytes)
      killed.signal('SIGKILL')
      // In the middle of it.
      expect((await killed.ended).stderr).not.toContain('were adopted')
    }
    await stop(await adopt(file))
    await using alone = await serve('--edition', 'next')
    const { total } = await get<v1.Overview>(alone.url, 'overview')
    expect(total).toBe(20_000)
  })
})
