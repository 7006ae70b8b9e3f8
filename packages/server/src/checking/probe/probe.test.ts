// The probe without its thread: drivers, network and clock are the test's own.
import { FakeClock } from '@pulseward/testing'
import { type Static, type TObject, Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CheckDriver, type CheckRun, failure, type Outcome, success } from '../../checks/driver.ts'
import type { CheckPolicy } from '../../config/fleet-file/definition.ts'
import type { Network } from '../../platform/network/network.ts'
import { PackedWriter } from '../../platform/packed-strings.ts'
import { closed, Secret } from '../../platform/schema.ts'
import { Probe } from './probe.ts'
import {
  localEvidence,
  loopbackTarget,
  outcomeStatuses,
  outcomeStatusMask,
  type ProbeFleet,
  type ResultBatch,
} from './probe-protocol.ts'

interface Monitor {
  readonly type?: string
  readonly config?: object
  readonly timeoutMs?: number
  readonly retries?: number
}

function fleetOf(monitors: readonly Monitor[]): ProbeFleet {
  const configs = new PackedWriter()
  const values = monitors.map(({ type = 'fake', config = {}, timeoutMs = 1_000, retries = 0 }) => {
    configs.append(JSON.stringify(config))
    const policy = { type, timeoutMs, retries, enabled: true, intervalMs: 60_000 }
    return { ...policy, unhealthyThreshold: 3, healthyThreshold: 2 } satisfies CheckPolicy
  })
  return { configs: configs.finish(), policies: { values, of: Uint32Array.from(monitors.keys()) } }
}

const fakeConfig = closed({
  host: Type.Optional(Type.String()),
  password: Type.Optional(Secret),
})

type Check = (config: Static<typeof fakeConfig>, run: CheckRun) => Promise<Outcome>

function fakeDriver(check: Check): CheckDriver {
  const driver: CheckDriver<typeof fakeConfig> = {
    summary: 'A check of the test.',
    config: fakeConfig,
    target: ({ host = 'shop.test' }) => host,
    check,
  }
  return driver as unknown as CheckDriver<TObject>
}

let clock: FakeClock
let sent: ResultBatch[]
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  clock = new FakeClock()
  sent = []
})
afterEach(() => vi.useRealTimers())

function probeOf(check: Check, monitors: readonly Monitor[], credentials = new Map<string, string>()): Probe {
  const probe = new Probe({
    drivers: { fake: fakeDriver(check) },
    network: {} as Network,
    clock,
    send: (batch) => sent.push(batch),
  })
  probe.takeFleet(fleetOf(monitors), credentials)
  return probe
}

function runAll(probe: Probe, count: number, firstGeneration = 1): void {
  const rows = Uint32Array.from({ length: count }, (_, row) => row)
  probe.runChecks(
    rows,
    rows.map((row) => firstGeneration + row),
  )
}

/** How long results wait for others. */
const sentWithinMs = 20

/** What is ready happens first, then the time passes. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(0)
  await new Promise((resolve) => setImmediate(resolve))
  clock.advance(ms)
  await vi.advanceTimersByTimeAsync(ms)
}

/** A large batch is begun in parts, a turn of the loop each. */
async function allBegun(count: number): Promise<void> {
  for (let begun = 0; begun < count; begun += 64) await new Promise((resolve) => setImmediate(resolve))
  await pass(0)
}

function statusesOf(batch: ResultBatch): string[] {
  return Array.from(batch.outcomes, (verdict) => outcomeStatuses[verdict & outcomeStatusMask]!)
}

describe('results', () => {
  it('travel together, and at once when no other check is in flight', async () => {
    const probe = probeOf(async () => success(7), [{}, {}, {}])
    runAll(probe, 3, 11)
    await pass(0)
    expect(sent).toHaveLength(1)
    expect([...sent[0]!.rows]).toEqual([0, 1, 2])
    expect([...sent[0]!.generations]).toEqual([11, 12, 13])
    expect([...sent[0]!.latencyMs]).toEqual([7, 7, 7])
    expect(sent[0]!.notes).toEqual([])
    await pass(1_000)
    expect(sent).toHaveLength(1)
  })

  it('wait 20 milliseconds for those of checks in flight', async () => {
    const slow = Promise.withResolvers<Outcome>()
    const probe = probeOf(
      ({ host }) => (host === 'slow' ? slow.promise : Promise.resolve(success(1))),
      [{}, { config: { host: 'slow' } }],
    )
    runAll(probe, 2)
    await pass(sentWithinMs - 1)
    expect(sent).toEqual([])
    await pass(1)
    expect(sent.map(({ rows }) => [...rows])).toEqual([[0]])
    slow.resolve(success(40))
    await pass(sentWithinMs)
    expect(sent.map(({ rows }) => [...rows])).toEqual([[0], [1]])
  })

  it('wake up nobody twice in 20 milliseconds, when checks end that fast', async () => {
    const probe = probeOf(async () => success(1), [{}])
    for (let check = 1; check <= 8; check++) {
      runAll(probe, 1, check)
      await pass(5)
    }
    expect(sent.map(({ generations }) => [...generations])).toEqual([[1], [2, 3, 4, 5]])
    await pass(sentWithinMs)
    expect(sent.flatMap(({ generations }) => [...generations])).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    await pass(1_000)
    expect(sent).toHaveLength(3)
  })

  it('do not wait when a batch is full, and none is lost or sent twice', async () => {
    const monitors = Array.from({ length: 1_300 }, () => ({}))
    runAll(
      probeOf(async () => success(1), monitors),
      monitors.length,
    )
    await allBegun(monitors.length)
    expect(sent.map(({ rows }) => rows.length)).toEqual([512, 512])
    await pass(sentWithinMs)
    expect(sent.map(({ rows }) => rows.length)).toEqual([512, 512, 276])
    const rows = sent.flatMap((batch) => [...batch.rows])
    expect(new Set(rows).size).toBe(1_300)
    await pass(100)
    expect(sent).toHaveLength(3)
  })

  it('of a large batch are heard before the last of it is begun, and batches keep their order', async () => {
    const begun: number[] = []
    const monitors = Array.from({ length: 200 }, (_, number) => ({ config: { host: String(number) } }))
    const probe = probeOf(async ({ host }) => {
      begun.push(Number(host))
      return success(1)
    }, monitors)
    probe.runChecks(
      new Uint32Array(150).map((_, row) => row),
      new Uint32Array(150),
    )
    probe.runChecks(
      new Uint32Array(50).map((_, place) => 150 + place),
      new Uint32Array(50),
    )
    expect(begun).toHaveLength(64)
    await allBegun(200)
    expect(begun).toEqual([...monitors.keys()])
  })

  it('come in the order in which checks end, with their times', async () => {
    const answers = [Promise.withResolvers<Outcome>(), Promise.withResolvers<Outcome>()]
    const probe = probeOf(
      ({ host }) => answers[Number(host)]!.promise,
      [{ config: { host: '0' } }, { config: { host: '1' } }],
    )
    const startedMs = clock.monotonicMs()
    runAll(probe, 2)
    await pass(30)
    answers[1]!.resolve(success(30))
    await pass(2)
    answers[0]!.resolve(success(32))
    await pass(sentWithinMs)
    const [batch] = sent
    expect([...batch!.rows]).toEqual([1, 0])
    expect([...batch!.startedMs]).toEqual([startedMs, startedMs])
    expect([...batch!.finishedMs]).toEqual([startedMs + 30, startedMs + 32])
  })

  it('carry words only where there are any, each at its position', async () => {
    const outcomes: Record<string, Outcome> = {
      a: success(1),
      b: failure(1, 'connection refused'),
      c: success(1, 99),
      d: { ...success(1), warning: 'slow' },
    }
    const hosts = Object.keys(outcomes)
    const probe = probeOf(
      async ({ host }) => outcomes[host!]!,
      hosts.map((host) => ({ config: { host } })),
    )
    runAll(probe, 4)
    await pass(sentWithinMs)
    const nothing = { reason: null, warning: null, certificateExpiresAt: null }
    expect(sent[0]!.notes).toEqual([
      { ...nothing, position: 1, reason: 'connection refused' },
      { ...nothing, position: 2, certificateExpiresAt: 99 },
      { ...nothing, position: 3, warning: 'slow' },
    ])
  })

  it('begin with fresh positions after each batch', async () => {
    const probe = probeOf(async () => failure(1, 'refused'), [{}, {}])
    runAll(probe, 2)
    await pass(sentWithinMs)
    runAll(probe, 1)
    await pass(sentWithinMs)
    expect(sent.map(({ notes }) => notes.map(({ position }) => position))).toEqual([[0, 1], [0]])
  })
})

describe('outcomes', () => {
  it('say whether the evidence is only our own, but not of a success', async () => {
    const outcomes = [failure(1, 'no route', 'local'), failure(1, 'refused'), success(1)]
    const probe = probeOf(
      async ({ host }) => outcomes[Number(host)]!,
      [0, 1, 2].map((host) => ({ config: { host: `${host}` } })),
    )
    runAll(probe, 3)
    await pass(sentWithinMs)
    expect(statusesOf(sent[0]!)).toEqual(['failure', 'failure', 'success'])
    expect(Array.from(sent[0]!.outcomes, (verdict) => verdict & localEvidence)).toEqual([localEvidence, 0, 0])
  })

  it.each([
    ['127.0.0.1:80', true],
    ['[::1]:53', true],
    ['localhost', true],
    ['https://127.8.9.1/x', true],
    ['A shop.test at 127.0.0.1:53', true],
    ['A localhost', true],
    ['shop.test', false],
    ['https://shop.test/127.0.0.1/localhost', false],
    ['A localhost at 192.0.2.1', false],
    ['localhost.test:80', false],
  ])('tell whether the target %s is on this machine', async (host, isLoopback) => {
    runAll(
      probeOf(async () => success(1), [{ config: { host } }]),
      1,
    )
    await pass(sentWithinMs)
    expect((sent[0]!.outcomes[0]! & loopbackTarget) !== 0).toBe(isLoopback)
  })

  it('follow a target that moves with a new fleet', async () => {
    const probe = probeOf(async () => success(1), [{ config: { host: 'localhost' } }])
    runAll(probe, 1)
    probe.takeFleet(fleetOf([{ config: { host: 'shop.test' } }]), new Map())
    runAll(probe, 1, 2)
    await pass(sentWithinMs)
    expect(Array.from(sent[0]!.outcomes, (verdict) => verdict & loopbackTarget)).toEqual([loopbackTarget, 0])
  })
})

describe('credentials', () => {
  const monitor = { config: { password: { credential: 'DB' } } }

  it('are put in place where a driver runs, and nowhere else', async () => {
    const seen: unknown[] = []
    const check: Check = async (given) => {
      seen.push(given)
      return success(1)
    }
    runAll(probeOf(check, [monitor], new Map([['DB', 'hunter2']])), 1)
    await pass(sentWithinMs)
    expect(seen).toEqual([{ password: 'hunter2' }])
  })

  it('are taken out of what a driver says', async () => {
    const check: Check = async ({ password }) => failure(1, `the server refused ${password}`)
    runAll(probeOf(check, [monitor], new Map([['DB', 'hunter2']])), 1)
    await pass(sentWithinMs)
    expect(sent[0]!.notes[0]!.reason).toBe('the server refused [redacted]')
  })

  it.each<[string, Map<string, string>]>([
    ['is missing', new Map([['OTHER', 'x']])],
    ['is empty', new Map([['DB', '']])],
  ])('keep a check from running when one %s', async (_, credentials) => {
    let runs = 0
    const check: Check = async () => {
      runs++
      return success(1)
    }
    runAll(probeOf(check, [monitor, {}], credentials), 2)
    await pass(sentWithinMs)
    expect(runs).toBe(1)
    expect(statusesOf(sent[0]!)).toEqual(['no_data', 'success'])
    expect(sent[0]!.notes[0]!.reason).toBe(
      'the check could not be started: the credential "DB" has no value; define it under credentials in the fleet file',
    )
  })

  it('change with the next fleet', async () => {
    const check: Check = async ({ password }) => failure(password!.length, 'x')
    const probe = probeOf(check, [monitor], new Map([['DB', 'old']]))
    runAll(probe, 1)
    probe.takeFleet(fleetOf([monitor]), new Map([['DB', 'longer']]))
    runAll(probe, 1, 2)
    await pass(sentWithinMs)
    expect([...sent[0]!.latencyMs]).toEqual([3, 6])
  })
})

describe('a check under way', () => {
  it('ends as it began when the fleet is exchanged meanwhile', async () => {
    const { promise, resolve } = Promise.withResolvers<Outcome>()
    const hosts: (string | undefined)[] = []
    const check: Check = ({ host }) => {
      hosts.push(host)
      return promise
    }
    const probe = probeOf(check, [{ config: { host: 'localhost' } }, {}])
    probe.runChecks(Uint32Array.of(0), Uint32Array.of(5))
    probe.takeFleet(fleetOf([{ config: { host: 'other.test' } }]), new Map())
    resolve(success(1))
    await pass(sentWithinMs)
    expect(hosts).toEqual(['localhost'])
    expect([...sent[0]!.rows, ...sent[0]!.generations]).toEqual([0, 5])
    expect(sent[0]!.outcomes[0]! & loopbackTarget).toBe(loopbackTarget)
  })

  it('is held to the timeout and the retries of its policy', async () => {
    let tries = 0
    const check: Check = () => (++tries < 3 ? Promise.resolve(failure(1, 'refused')) : new Promise(() => {}))
    runAll(probeOf(check, [{ timeoutMs: 200, retries: 5 }]), 1)
    await pass(200)
    await pass(30 + sentWithinMs)
    expect(tries).toBe(3)
    expect(statusesOf(sent[0]!)).toEqual(['timeout'])
  })
})

describe('the TLS session of a monitor', () => {
  /** Each check leaves a session, and says whether the one before it had. */
  const leavesSession: Check = async (_config, { handshakes }) => {
    const { known } = handshakes!.offer('shop.test:443', 600_000)
    const certificateExpiresAt = clock.wallMs() + 90 * 86_400_000
    const session = Buffer.alloc(100)
    handshakes!.keep(
      'shop.test:443',
      { session, fullAtMs: clock.monotonicMs(), certificateExpiresAt },
      600_000,
    )
    return { ...success(1), warning: known === null ? 'full' : 'resumed' }
  }

  let generation = 0

  /** Every check of the service has a generation of its own. */
  async function warningsOf(probe: Probe): Promise<unknown[]> {
    sent = []
    probe.runChecks(Uint32Array.of(0, 1), Uint32Array.of(++generation, ++generation))
    await pass(sentWithinMs)
    return sent[0]!.notes.map(({ warning }) => warning)
  }

  const change = (probe: Probe, row: number) =>
    probe.amendFleet({ configs: null, policiesOf: null, policies: [] }, Uint32Array.of(row), null)

  it('is there for its next check, until the monitor changes or leaves', async () => {
    const probe = probeOf(leavesSession, [{}, {}])
    expect(await warningsOf(probe)).toEqual(['full', 'full'])
    expect(await warningsOf(probe)).toEqual(['resumed', 'resumed'])
    change(probe, 1)
    expect(await warningsOf(probe)).toEqual(['resumed', 'full'])
    probe.takeFleet(fleetOf([{}, {}]), new Map())
    expect(await warningsOf(probe)).toEqual(['full', 'full'])
  })

  it.each([
    ['another check', (probe: Probe) => change(probe, 0)],
    ['another fleet', (probe: Probe) => probe.takeFleet(fleetOf([{}, {}]), new Map())],
  ])('is not that of a check in flight when its row got %s', async (_what, changes) => {
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let begun = 0
    const probe = probeOf(
      async (config, run) => {
        await gates[begun++]?.promise
        return leavesSession(config, run)
      },
      [{}, {}],
    )
    probe.runChecks(Uint32Array.of(0, 1), Uint32Array.of(++generation, ++generation))
    await pass(0)
    changes(probe)
    for (const { resolve } of gates) resolve()
    await pass(sentWithinMs)
    expect((await warningsOf(probe))[0]).toBe('full')
    expect(await warningsOf(probe)).toEqual(['resumed', 'resumed'])
  })
})

describe('a monitor that cannot be checked', () => {
  it.each<[string, ProbeFleet, RegExp]>([
    [
      'has a type that nobody knows',
      fleetOf([{ type: 'gopher' }, {}]),
      /there is no check of the type gopher$/,
    ],
    ['has no configuration', withoutFirstConfig(fleetOf([{}, {}])), /could not be started/],
  ])('because it %s ends as no_data and leaves the others alone', async (_, fleet, words) => {
    const probe = probeOf(async () => success(1), [])
    probe.takeFleet(fleet, new Map())
    runAll(probe, 2)
    await pass(sentWithinMs)
    expect(statusesOf(sent[0]!)).toEqual(['no_data', 'success'])
    expect(sent[0]!.notes[0]!.reason).toMatch(words)
  })

  it('because its driver breaks ends as no_data and leaves the others alone', async () => {
    const check: Check = ({ host }) => {
      if (host === 'bad') throw new Error('a bug')
      return Promise.resolve(success(1))
    }
    runAll(probeOf(check, [{ config: { host: 'bad' } }, {}]), 2)
    await pass(sentWithinMs)
    expect(statusesOf(sent[0]!).sort()).toEqual(['no_data', 'success'])
  })
})

/** As the row of a monitor that was removed. */
function withoutFirstConfig(fleet: ProbeFleet): ProbeFleet {
  fleet.configs.starts[0] = 0
  return fleet
}
