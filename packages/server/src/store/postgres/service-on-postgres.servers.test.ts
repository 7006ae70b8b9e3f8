// The whole service on PostgreSQL, as a process: what it decided survives it, it waits while the database is away, and
// nobody is told twice.
import { readFileSync } from 'node:fs'
import { type Operation, v1Operations, v2 } from '@pulseward/contract'
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

/** Of everything that can be read without naming something. */
const readPaths = [
  ...Object.values(v1Operations).filter(({ method }: Operation) => method === 'GET'),
  ...Object.values(v2.operations).filter(({ method }: v2.V2Operation) => method === 'GET'),
]
  .map(({ path }) => path)
  .filter((path) => !path.includes('{'))
const answersWithinMs = 20_000

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

  it('never shows the password: in no answer, metric, event, line of the log, nor in the words of its process', async () => {
    using folder = temporaryFolder()
    const data = folder.path('data')
    const secret = 'telltale % and more'
    await place.run(`CREATE ROLE telling LOGIN SUPERUSER PASSWORD '${secret}'`)
    // On the command line, where it is seen soonest.
    await using service = await ServiceOnFiles.start({
      data,
      store: `postgres://telling:${encodeURIComponent(secret)}@127.0.0.1:${server.port}/postgres?schema=${place.address.schema}`,
      logLevel: 'debug',
      words: ['--edition', 'next'],
    })
    const { command } = service
    const authorization = `Bearer ${readFileSync(`${data}/operator.token`, 'utf8').trim()}`
    const everything = async () => {
      const paths = ['/metrics', '/', ...readPaths]
      const answers = paths.map(async (path) => {
        const left = AbortSignal.timeout(answersWithinMs)
        const answer = await fetch(`${command.url}${path}`, { headers: { authorization }, signal: left })
        return `${[...answer.headers].join()} ${await answer.text()}`
      })
      // A stream of events has no end.
      const texts = await Promise.all(answers.map((answer) => answer.catch(() => '')))
      expect(texts.filter((text) => text !== '').length).toBeGreaterThan(paths.length / 2)
      return texts.join('\n')
    }
    const before = await everything()
    await place.run("ALTER ROLE telling PASSWORD 'another'")
    await place.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'telling'")
    await eventually(async () => expect(await service.readiness()).toContain('storage_unavailable'))
    const during = await everything()
    expect(during).toContain('PostgreSQL refuses the password')
    const words = readFileSync(`/proc/${command.pid}/cmdline`, 'utf8')
    const title = readFileSync(`/proc/${command.pid}/comm`, 'utf8')
    command.signal('SIGTERM')
    const { stdout, stderr } = await command.ended
    expect(stderr).toMatch(/password of the store is on the command line/)
    expect(stdout).toContain(`postgres://telling@127.0.0.1:${server.port}/postgres`)
    for (const shown of [before, during, words, title, stdout, stderr])
      expect(shown).not.toContain('telltale')
  })
})

function sorted(story: readonly string[]): string[] {
  return [...story].sort()
}
