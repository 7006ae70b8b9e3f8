// Checks at other locations, by probes in memory over a service whose time the test controls.
import { TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import type { MonitorDocument } from '../config/fleet-file/schema.ts'
import { ConnectedProbe } from './connected-probe.fixture.ts'
import { type Answer, resultsOf } from './fake-probe.fixture.ts'
import { ProtocolFault } from './frame.ts'

const elsewhere = (
  id: string,
  port: number,
  check: Partial<MonitorDocument['check']> = {},
): MonitorDocument => ({
  id,
  name: id,
  check: {
    type: 'tcp',
    interval: '10s',
    timeout: '5s',
    locations: ['fra'],
    unhealthy_threshold: 2,
    config: { host: '192.0.2.1', port },
    ...check,
  },
})

/** Lets time pass; every probe answers within each second. */
async function pass(
  service: TestService,
  seconds: number,
  answers: readonly (readonly [ConnectedProbe, Answer])[],
) {
  for (let second = 0; second < seconds; second++) {
    await service.advance({ seconds: 1 })
    for (const [probe, answer] of answers) probe.answer(answer)
  }
}

const up: Answer = { status: 'success' }
const refused: Answer = { status: 'failure', reason: 'connection refused' }

describe('a monitor of another location', () => {
  it('is as its probe finds it, and failures name the place', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    const probe = new ConnectedProbe(service)
    await pass(service, 12, [[probe, up]])
    expect(service.statusOf('edge')).toBe('up')
    await pass(service, 20, [[probe, refused]])
    expect(service.statusOf('edge')).toBe('incident')
    const events = await service.events('edge')
    expect(JSON.stringify(events)).toContain('from fra: connection refused')
    await pass(service, 20, [[probe, up]])
    expect(service.statusOf('edge')).toBe('up')
  })

  it('is unknown, and not down, while its location has no probe', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    await service.advance({ seconds: 60 })
    expect(service.statusOf('edge')).toBe('unknown')
    expect(service.told).toEqual([])
    expect(service.remote.counts.checks([])).toContainEqual({ location: 'fra', outcome: 'failure', count: 0 })
    const probe = new ConnectedProbe(service, 'iad-1', 'iad')
    await pass(service, 20, [[probe, up]])
    expect(probe.definitions.size).toBe(0)
    expect(service.statusOf('edge')).toBe('unknown')
  })

  it('has no data when its probe goes during a check, and is checked by another one next', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    const first = new ConnectedProbe(service)
    await pass(service, 12, [[first, up]])
    while (first.asked.length === 0) await service.advance({ seconds: 1 })
    first.leaves()
    expect(service.statusOf('edge')).toBe('unknown')
    const second = new ConnectedProbe(service, 'fra-2')
    await pass(service, 11, [[second, up]])
    expect(service.statusOf('edge')).toBe('up')
    expect(outcomes(service)).toMatchObject({ no_data: 1, failure: 0, timeout: 0 })
  })

  it('has no data when its probe does not answer within the timeout and a second; a late answer changes nothing', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    const probe = new ConnectedProbe(service)
    while (probe.asked.length === 0) await service.advance({ seconds: 1 })
    await service.advance({ seconds: 5 })
    expect(outcomes(service)['no_data']).toBe(0)
    await service.advance({ ms: 1_300 })
    expect(outcomes(service)['no_data']).toBe(1)
    probe.answer(refused)
    await service.advance({ ms: 100 })
    expect(outcomes(service)).toMatchObject({ no_data: 1, failure: 0 })
  })

  it('is checked again at its place after a restart of the service', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    await pass(service, 12, [[new ConnectedProbe(service), up]])
    await service.restart()
    await pass(service, 12, [[new ConnectedProbe(service), up]])
    expect(service.statusOf('edge')).toBe('up')
  })
})

describe('a probe', () => {
  it('gets the definitions of its own location only, with only the credentials that they name', async () => {
    const monitors = [
      elsewhere('here', 1),
      elsewhere('there', 2, { locations: ['iad'] }),
      { ...elsewhere('us', 3, { locations: ['local'] }) },
    ]
    const service = await TestService.start({ monitors })
    const probe = new ConnectedProbe(service)
    await pass(service, 12, [[probe, up]])
    expect(probe.ports).toEqual([1])
    expect([...probe.definitions.values()][0]).toMatchObject({
      type: 'tcp',
      timeoutMs: 5_000,
      credentials: {},
    })
  })

  it('gets a changed definition before the next check, and is told to forget a removed one', async () => {
    const service = await TestService.start({ monitors: [elsewhere('a', 1), elsewhere('b', 2)] })
    const probe = new ConnectedProbe(service)
    await pass(service, 12, [[probe, up]])
    expect(probe.ports).toEqual([1, 2])
    await service.reload({ monitors: [elsewhere('a', 7)] })
    await pass(service, 12, [[probe, up]])
    expect(probe.ports).toEqual([7])
    await service.reload({ monitors: [elsewhere('a', 7, { locations: ['iad'] })] })
    await pass(service, 12, [[probe, up]])
    expect(probe.ports).toEqual([])
  })

  it('shares the monitors of its location with others: each has one, and few move when one comes or goes', async () => {
    const monitors = Array.from({ length: 60 }, (_, index) => elsewhere(`m${index}`, index + 1))
    const service = await TestService.start({ monitors })
    const first = new ConnectedProbe(service, 'fra-1')
    const second = new ConnectedProbe(service, 'fra-2')
    await pass(service, 12, [
      [first, up],
      [second, up],
    ])
    expect([...first.ports, ...second.ports].sort()).toEqual(monitors.map((_, index) => index + 1).sort())
    expect(Math.min(first.ports.length, second.ports.length)).toBeGreaterThan(15)
    const before = { first: first.ports, second: second.ports }
    const third = new ConnectedProbe(service, 'fra-3')
    await pass(service, 12, [
      [first, up],
      [second, up],
      [third, up],
    ])
    expect(before.first).toEqual(expect.arrayContaining([...first.ports]))
    expect(before.second).toEqual(expect.arrayContaining([...second.ports]))
    expect(first.ports.length + second.ports.length + third.ports.length).toBe(60)
    third.leaves()
    await pass(service, 12, [
      [first, up],
      [second, up],
    ])
    expect([first.ports, second.ports]).toEqual([before.first, before.second])
    expect(outcomes(service)).toMatchObject({ no_data: 0, failure: 0 })
  })

  it('gets no more checks once it drains, and the result of the last one counts', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    const probe = new ConnectedProbe(service)
    while (probe.asked.length === 0) await service.advance({ seconds: 1 })
    probe.send(probe.state({ isDraining: true }))
    expect(probe.ports).toEqual([1])
    probe.answer(up)
    expect(service.statusOf('edge')).toBe('up')
    expect(probe.ports).toEqual([])
    await service.advance({ seconds: 12 })
    expect(probe.asked).toEqual([])
  })

  it('gets no checks while it is overloaded or its connection is too slow: these have no data', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    const probe = new ConnectedProbe(service)
    await pass(service, 12, [[probe, up]])
    probe.send(probe.state({ isOverloaded: true }))
    await pass(service, 11, [[probe, refused]])
    expect(service.statusOf('edge')).toBe('unknown')
    probe.send(probe.state({}))
    await pass(service, 11, [[probe, up]])
    expect(service.statusOf('edge')).toBe('up')
    probe.unsentBytes = 100 << 20
    await pass(service, 11, [[probe, refused]])
    expect(service.statusOf('edge')).toBe('unknown')
    expect(outcomes(service)).toMatchObject({ failure: 0 })
  })

  it.each([
    [
      'a check that it was never asked for',
      (probe: ConnectedProbe) => probe.send(probe.results(resultsOf([{ ticket: 99, number: 0 }], refused))),
    ],
    [
      'the same check twice',
      (probe: ConnectedProbe) => {
        const asked = [...probe.asked]
        probe.answer(up)
        probe.send(probe.results(resultsOf(asked, refused)))
      },
    ],
    [
      'a frame that it has sent before',
      (probe: ConnectedProbe) => {
        const frame = probe.answers(up)
        probe.send(frame)
        probe.send(frame)
      },
    ],
  ])('that reports %s breaks the protocol, and no target is blamed', async (_, act) => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    const probe = new ConnectedProbe(service)
    while (probe.asked.length === 0) await service.advance({ seconds: 1 })
    expect(() => act(probe)).toThrow(ProtocolFault)
    expect(outcomes(service)).toMatchObject({ failure: 0 })
  })

  it('may not send a frame of another session', async () => {
    const service = await TestService.start({ monitors: [elsewhere('edge', 1)] })
    const first = new ConnectedProbe(service)
    const frame = first.state({})
    const second = new ConnectedProbe(service, 'fra-2')
    expect(() => second.session.take(frame)).toThrow('another session')
  })
})

function outcomes(service: TestService): Record<string, number> {
  const counts = service.remote.counts.checks(['fra']).filter(({ location }) => location === 'fra')
  return Object.fromEntries(counts.map(({ outcome, count }) => [outcome, count]))
}
