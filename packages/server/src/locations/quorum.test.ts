// Monitors that several places check, by probes in memory over a service whose time the test controls.
import { endpoints, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'
import { ConnectedProbe } from './connected-probe.fixture.ts'
import { type Answer, resultsOf } from './fake-probe.fixture.ts'

const places = ['fra', 'iad', 'sin'] as const
type Place = (typeof places)[number]

const edge = (check: Partial<MonitorDocument['check']> = {}): MonitorDocument => ({
  id: 'edge',
  name: 'edge',
  notify: { red: { endpoints: ['ops'] }, yellow: { endpoints: ['ops'] }, green: { endpoints: ['ops'] } },
  check: {
    type: 'tcp',
    interval: '10s',
    timeout: '5s',
    locations: [...places],
    unhealthy_threshold: 2,
    config: { host: '192.0.2.1', port: 1 },
    ...check,
  },
})

const up: Answer = { status: 'success' }
const refused: Answer = { status: 'failure', reason: 'connection refused' }

/** A service with a probe in each place, which answer what the test says. */
class World {
  readonly service: TestService
  readonly probes: Record<Place, ConnectedProbe>
  readonly answers: Record<Place, Answer | null> = { fra: up, iad: up, sin: up }

  private constructor(service: TestService) {
    this.service = service
    const at = (place: Place) => new ConnectedProbe(service, `${place}-1`, place)
    this.probes = { fra: at('fra'), iad: at('iad'), sin: at('sin') }
  }

  static async start(check: Partial<MonitorDocument['check']> = {}): Promise<World> {
    return new World(await TestService.start({ monitors: [edge(check)], head: endpoints('ops') }))
  }

  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second++) {
      await this.service.advance({ seconds: 1 })
      for (const place of places) {
        const answer = this.answers[place]
        if (answer !== null) this.probes[place].answer(answer)
      }
    }
  }

  /** Until each place was asked and none has answered. */
  async untilAsked(): Promise<void> {
    while (places.some((place) => this.probes[place].asked.length === 0))
      await this.service.advance({ ms: 100 })
  }

  get status(): string {
    return this.service.statusOf('edge')
  }

  get generation(): number {
    return this.service.fleet.columns.generation[this.service.rowOf('edge')]!
  }

  resultAt(place: string) {
    const view = this.service.engine.reading.placesOf(this.service.rowOf('edge'))
    return view?.places.find(({ location }) => location === place)?.last?.outcome ?? null
  }
}

describe('a monitor of three places', () => {
  it('runs at all of them at once, and a slot has one outcome', async () => {
    const world = await World.start()
    await world.untilAsked()
    const { generation } = world
    world.probes.fra.answer(refused)
    world.probes.iad.answer(up)
    expect(world.status).toBe('unknown')
    world.probes.sin.answer(up)
    expect(world.status).toBe('degraded')
    expect(world.generation).toBe(generation)
    expect(places.map((place) => world.resultAt(place))).toEqual(['failure', 'success', 'success'])
  })

  it('is red when two of them fail, by thresholds as ever, and says from where', async () => {
    const world = await World.start()
    await world.pass(12)
    expect(world.status).toBe('up')
    world.answers.fra = refused
    world.answers.iad = refused
    await world.pass(25)
    expect(world.status).toBe('incident')
    expect(JSON.stringify(await world.service.events('edge'))).toContain(
      'from fra and iad: connection refused; sin succeeds',
    )
    world.answers.iad = up
    await world.pass(25)
    expect(world.status).toBe('degraded')
    world.answers.fra = up
    await world.pass(12)
    expect(world.status).toBe('up')
  })

  it('is yellow and never red while one fails', async () => {
    const world = await World.start()
    await world.pass(12)
    world.answers.sin = { status: 'timeout' }
    await world.pass(120)
    expect(world.status).toBe('degraded')
    expect(world.service.told).toEqual(['edge yellow → ops'])
  })

  it('goes on without a place that is away, and does not know when two are', async () => {
    const world = await World.start()
    await world.pass(12)
    world.probes.sin.leaves()
    await world.pass(12)
    expect(world.status).toBe('up')
    world.probes.iad.leaves()
    world.answers.fra = refused
    await world.pass(60)
    expect(world.status).toBe('unknown')
    expect(world.service.told).toEqual([])
  })

  it('waits for the slowest place no longer than the timeout and a second', async () => {
    const world = await World.start()
    await world.untilAsked()
    world.probes.fra.answer(up)
    world.probes.iad.answer(up)
    await world.service.advance({ ms: 5_800 })
    expect(world.status).toBe('unknown')
    await world.service.advance({ ms: 600 })
    expect(world.status).toBe('up')
    // Too late for its slot, and not for the next one.
    world.probes.sin.answer(refused)
    await world.pass(12)
    expect(world.status).toBe('up')
    expect(world.resultAt('sin')).toBe('success')
  })

  it('gives no place two votes: one that answers twice breaks the protocol, and the slot stays open', async () => {
    const world = await World.start()
    await world.untilAsked()
    const asked = [...world.probes.fra.asked]
    world.probes.fra.answer(refused)
    expect(() => world.probes.fra.send(world.probes.fra.results(resultsOf(asked, refused)))).toThrow()
    world.probes.sin.answer(up)
    expect(world.status).toBe('unknown')
    world.probes.iad.answer(up)
    expect(world.status).toBe('degraded')
  })

  it('asks one of the probes of a place', async () => {
    const world = await World.start()
    const second = new ConnectedProbe(world.service, 'fra-2', 'fra')
    while (world.probes.iad.asked.length === 0) await world.service.advance({ ms: 100 })
    expect(world.probes.fra.asked.length + second.asked.length).toBe(1)
  })

  it('does not count results of a definition that has changed since', async () => {
    const world = await World.start()
    await world.untilAsked()
    world.probes.fra.answer(refused)
    await world.service.reload({
      monitors: [edge({ config: { host: '192.0.2.1', port: 2 } })],
      head: endpoints('ops'),
    })
    world.probes.iad.answer(refused)
    world.probes.sin.answer(refused)
    expect(world.status).toBe('unknown')
    await world.pass(12)
    expect(world.status).toBe('up')
    expect(world.probes.fra.ports).toEqual([2])
  })

  it('is told to forget by a place that it no longer names', async () => {
    const world = await World.start()
    await world.pass(12)
    await world.service.reload({
      monitors: [edge({ locations: ['fra', 'iad'] })],
      head: endpoints('ops'),
    })
    await world.pass(12)
    expect(places.map((place) => world.probes[place].ports)).toEqual([[1], [1], []])
    expect(world.resultAt('sin')).toBe(null)
  })

  it('is failed by any one of them, and recovers only with all, if it says so', async () => {
    const world = await World.start({ fails_when: 'any' })
    await world.pass(12)
    world.answers.fra = refused
    await world.pass(25)
    expect(world.status).toBe('incident')
    world.answers.fra = up
    world.probes.sin.leaves()
    await world.pass(40)
    expect(world.service.told.filter((words) => words.includes('green'))).toEqual([])
    world.probes.sin = new ConnectedProbe(world.service, 'sin-2', 'sin')
    await world.pass(25)
    expect(world.status).toBe('up')
  })

  it('fails only when all fail, if it says so', async () => {
    const world = await World.start({ fails_when: 'all' })
    world.answers.fra = refused
    world.answers.iad = refused
    await world.pass(60)
    expect(world.status).toBe('degraded')
    world.answers.sin = refused
    await world.pass(25)
    expect(world.status).toBe('incident')
  })
})

describe('the service as one of the places', () => {
  const mixed = { locations: ['local', 'fra', 'iad'] }

  it('votes as the others do', async () => {
    const world = await World.start(mixed)
    world.answers.fra = refused
    await world.pass(25)
    expect(world.status).toBe('degraded')
    world.service.target('edge').goesDown()
    await world.pass(25)
    expect(world.status).toBe('incident')
    expect([world.resultAt('local'), world.resultAt('iad')]).toEqual(['failure', 'success'])
  })

  it('is not enough alone', async () => {
    const world = await World.start(mixed)
    world.probes.fra.leaves()
    world.probes.iad.leaves()
    world.service.target('edge').goesDown()
    await world.pass(60)
    expect(world.status).toBe('unknown')
  })

  it('ends its slot also when the definition changes meanwhile', async () => {
    const world = await World.start(mixed)
    world.service.target('edge').hangs()
    await world.service.advance({ seconds: 12 })
    await world.service.reload({
      monitors: [edge({ ...mixed, config: { host: '192.0.2.1', port: 2 } })],
      head: endpoints('ops'),
    })
    world.service.target('edge').comesBack()
    await world.pass(30)
    expect(world.status).toBe('up')
    while (world.service.parts.checks.scheduler.isInFlight(world.service.rowOf('edge'))) await world.pass(1)
    expect(world.service.parts.checks.pool.busy).toBe(0)
  })
})
