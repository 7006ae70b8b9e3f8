// The whole service on PostgreSQL, as a process: what it decided survives it, it waits while the database is away, and
// nobody is told twice.
import { eventually, temporaryFolder } from '@pulseward/testing'
import { ServiceOnFiles } from '@pulseward/testing/process'
import {
  describeServer,
  type PostgresPlace,
  postgresPlace,
  postgresql,
  type RunningPostgresql,
  startPostgresql,
} from '@pulseward/testing/servers'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'

const opened = [
  'incident_opened',
  'action_queued red ops',
  'action_started red ops',
  'action_succeeded red ops accepted',
]
const closed = [
  'incident_closed recovered',
  'action_queued green ops',
  'action_started green ops',
  'action_succeeded green ops accepted',
]

describeServer(postgresql, (program) => {
  let server: RunningPostgresql
  let place: PostgresPlace
  beforeAll(async () => {
    server = await startPostgresql(program)
  })
  afterAll(() => server?.[Symbol.asyncDispose]())
  beforeEach(() => {
    place = postgresPlace(server)
  })
  afterEach(() => place[Symbol.dispose]())

  it('keeps its decisions there, waits while the database is away, and tells nobody twice', async () => {
    using folder = temporaryFolder()
    await using service = await ServiceOnFiles.start({ data: folder.path('data'), store: place.url })
    const told = () => service.provider.requests.length
    service.breakTarget()
    await eventually(async () => expect(sorted(await service.story())).toEqual(sorted(opened)))
    expect((await service.get('config')).body.store).toEqual({ mode: 'postgres' })
    expect(told()).toBe(1)

    await server.kill()
    await eventually(async () => expect(await service.readiness()).toContain('storage_unavailable'))
    service.mendTarget()
    await server.startAgain()
    await eventually(async () =>
      expect(sorted(await service.story())).toEqual(sorted([...opened, ...closed])),
    )
    expect(await service.readiness()).toEqual([])
    expect(told()).toBe(2)

    const story = await service.story()
    service.command.signal('SIGKILL')
    await service.command.ended
    await using next = await ServiceOnFiles.start({ data: folder.path('data'), store: place.url })
    expect((await next.story()).slice(-story.length)).toEqual(story)
    expect(next.provider.requests).toEqual([])
  })

  it('never shows the password: not in the API, the log or the banner', async () => {
    using folder = temporaryFolder()
    await using service = await ServiceOnFiles.start({ data: folder.path('data'), store: place.url })
    const password = encodeURIComponent(server.password)
    for (const path of ['state', 'config', 'readyz', 'overview']) {
      const { body } = await service.get(path)
      expect(JSON.stringify(body)).not.toContain(password)
    }
    service.command.signal('SIGTERM')
    const { stdout, stderr } = await service.command.ended
    expect(stdout).toContain(`postgres://ward@127.0.0.1:${server.port}/postgres`)
    expect(`${stdout}${stderr}`).not.toContain(password)
    expect(`${stdout}${stderr}`).not.toContain(server.password)
  })
})

function sorted(story: readonly string[]): string[] {
  return [...story].sort()
}
