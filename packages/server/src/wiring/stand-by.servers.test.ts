// Two services as processes on one PostgreSQL: what the second one does with signals and with fleet files that change, and
// how client commands find the active one.
import { hostname } from 'node:os'
import { eventually, temporaryFolder } from '@pulseward/testing'
import { RunningCommand, runCommand } from '@pulseward/testing/process'
import {
  describeServer,
  freePort,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

const fleetCalled = (name: string) =>
  `version: 1\nmonitors: [{ id: one, name: ${name}, check: { type: tcp, config: { host: 127.0.0.1, port: 9 } } }]\n`

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let place: PostgresPlace
  let folder: ReturnType<typeof temporaryFolder>
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => {
    place = postgresPlace(server)
    folder = temporaryFolder()
  })
  afterEach(() => {
    place[Symbol.dispose]()
    folder[Symbol.dispose]()
  })

  const start = async (name: string) => {
    const url = `http://127.0.0.1:${await freePort()}`
    const fleet = folder.write(`${name}.yaml`, fleetCalled('One'))
    const listen = ['--listen', new URL(url).host, '--edition', 'candidate']
    const command = new RunningCommand(['serve', ...listen, '--config', fleet, '--data', folder.path(name)], {
      environment: { PULSEWARD_STORE: place.url },
    })
    const readiness = async () => {
      const answer = await fetch(`${url}/api/v1/readyz`).catch(() => null)
      const body = (await answer?.json()) as { reasons?: readonly string[] } | undefined
      return body === undefined ? ['not there'] : (body.reasons ?? [])
    }
    const becomes = (reasons: readonly string[]) =>
      eventually(async () => expect(await readiness()).toEqual(reasons))
    return Object.assign(command, { url, becomes })
  }

  it('has the second one stand by, follow its files, and take over when the first one is stopped', async () => {
    await using first = await start('first')
    await first.becomes([])
    await using second = await start('second')
    await second.becomes(['standby'])
    await eventually(async () => {
      const answer = await fetch(`${first.url}/api/v1/systems`)
      expect(((await answer.json()) as { processes: readonly object[] }).processes).toHaveLength(2)
    })
    const servers = ['--server', `${second.url},${first.url}`]
    const systems = await runCommand(['get', 'systems', '-o', 'json', ...servers])
    expect(JSON.parse(systems.stdout).processes).toEqual([
      { name: hostname(), url: first.url, role: 'active', same_files: true },
      { name: hostname(), url: second.url, role: 'standby', same_files: true },
    ])
    expect((await runCommand(['get', 'overview', '--server', second.url])).stderr).toContain(first.url)

    folder.write('second.yaml', fleetCalled('Another'))
    second.signal('SIGHUP')
    await second.becomes(['standby', 'files_differ'])
    folder.write('second.yaml', 'monitors: [')
    second.signal('SIGHUP')
    await second.until('stderr', /those that were read before stay/)
    await second.becomes(['standby', 'files_differ'])
    folder.write('second.yaml', fleetCalled('One'))
    second.signal('SIGHUP')
    await second.becomes(['standby'])

    first.signal('SIGTERM')
    expect(await first.ended).toMatchObject({ code: 0 })
    await second.becomes([])
    const overview = await fetch(`${second.url}/api/v1/overview`)
    expect(await overview.json()).toMatchObject({ total: 1 })
  })

  it('ends when it is stopped while it stands by, and leaves the list of processes', async () => {
    await using first = await start('first')
    await first.becomes([])
    const second = await start('second')
    await second.becomes(['standby'])
    await expect.poll(() => place.run('SELECT run FROM process'), { timeout: 60_000 }).toHaveLength(2)
    second.signal('SIGTERM')
    expect(await second.ended).toMatchObject({ code: 0 })
    expect(await place.run('SELECT run FROM process')).toHaveLength(1)
    await first.becomes([])
  })

  it('refuses an adoption while another process has the store', async () => {
    await using first = await start('first')
    await first.becomes([])
    const fleet = folder.write('adopted.yaml', fleetCalled('One'))
    const words = ['serve', '--listen', '127.0.0.1:0', '--edition', 'next', '--config', fleet, '--adopt']
    const { code, stderr } = await runCommand(words, { environment: { PULSEWARD_STORE: place.url } })
    expect([code, stderr]).toEqual([2, expect.stringContaining('stop it first')])
  })
})
