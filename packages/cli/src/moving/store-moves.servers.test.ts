// A service moves to PostgreSQL and back, as its operator does it: it goes on with the incident that was open, keeps its
// history, and tells nobody twice.
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
import { runInProcess } from '../client/command.fixture.ts'

const told = (color: string) => `action_succeeded ${color} ops accepted`

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

  it('moves a service there and back: it goes on with its open incident, and tells nobody twice', async () => {
    using folder = temporaryFolder()
    const data = folder.path('data')
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await runInProcess(['store', ...words])
      expect(stderr.replace(/pulseward: The password of the store is on the command line.*\n/, '')).toBe('')
      expect(code).toBe(0)
      expect(stdout).not.toContain(server.password)
      return stdout
    }
    const before = await storyOf({ data }, async (service) => {
      service.breakTarget()
      await eventually(async () => expect(await service.story()).toContain(told('red')))
    })

    const moved = await run('copy', '--from', `sqlite:${data}`, '--to', place.url)
    expect(moved).toContain(`and --data ${data}.`)
    expect(moved).not.toContain('bring what')
    expect(await run('verify', '--from', data, '--to', place.url)).toMatch(/are identical: \d+ rows/)

    const there = await storyOf({ data, store: place.url }, async (service) => {
      await eventually(async () => expect(await service.story()).toContain(told('green')))
    })
    expect(there.slice(0, before.length)).toEqual(before)

    const back = folder.path('back')
    await run('copy', '--from', place.url, '--to', back)
    const after = await storyOf({ data: back }, async () => {})
    expect(after.slice(0, there.length)).toEqual(there)
    for (const color of ['red', 'green']) expect(after.filter((line) => line === told(color))).toHaveLength(1)
  })

  /** What the service has told when it is stopped; its target is healthy at first. */
  async function storyOf(
    options: { readonly data: string; readonly store?: string },
    work: (service: ServiceOnFiles) => Promise<void>,
  ): Promise<string[]> {
    await using service = await ServiceOnFiles.start(options)
    await work(service)
    const story = await service.story()
    service.command.signal('SIGTERM')
    await service.command.ended
    return story
  }
})
