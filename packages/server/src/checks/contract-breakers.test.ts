// Drivers that break one promise each, and the contract that catches them. Each is the tcp check with one defect, so
// that the finding can only be about that defect.
import type { Socket } from 'node:net'
import { type CheckScenarios, contractFindings, type Peers } from '@pulseward/testing/checks'
import { Type } from 'typebox'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'

import { type CheckDriver, failure, type Outcome, success } from './driver.ts'
import { startPeers, troubles as tcpTroubles } from './tcp/peers.ts'
import { tcp } from './tcp/tcp.ts'

const honest = tcp as unknown as CheckDriver
type Check = CheckDriver['check']

/** The few peers that it takes to show a fault, with short deadlines; they serve one driver after the other. */
let scenarios: CheckScenarios
beforeAll(async () => {
  const world = await startPeers()
  const { healthy, refusing, silent, garbage, endless, reflecting } = world.peers
  const quick = { timeoutMs: 60 }
  const peers: Peers = {
    healthy,
    refusing,
    silent: { ...silent, ...quick },
    garbage: { ...garbage, ...quick },
    endless: { ...endless, ...quick },
    reflecting: { ...reflecting!, ...quick },
  }
  const refused = tcpTroubles.refused.filter(({ peer }) => peer === 'refusing')
  const troubles = { ...tcpTroubles, refused, black_hole: [], wrong_protocol: [], slow: [] }
  scenarios = { ...world, peers, troubles }
})
afterAll(() => scenarios[Symbol.asyncDispose]())

let leaked: Disposable[] = []
afterEach(() => {
  for (const leak of leaked) leak[Symbol.dispose]()
  leaked = []
})

const kept = { async [Symbol.asyncDispose]() {} }
const findingsOf = (driver: CheckDriver) => contractFindings(driver, async () => ({ ...scenarios, ...kept }))
const withCheck = (check: Check): CheckDriver => ({ ...honest, check })
const leak = (dispose: () => void): void => void leaked.push({ [Symbol.dispose]: dispose })
/** In the run that warms up and with the first two peers: the contract spends its patience on each leak. */
const mayLeak = (): boolean => leaked.length < 3

/** The honest outcome with something about it changed. */
function retold(change: (outcome: Outcome, config: Record<string, unknown>) => unknown): CheckDriver {
  return withCheck(async (config, run) => change(await honest.check(config, run), config) as Outcome)
}

it('finds nothing wrong with an honest driver', async () => {
  expect(await findingsOf(honest)).toEqual([])
})

const leaksSocket: Check = async (config, run) => {
  const target = { host: '127.0.0.1', port: config['port'] as number }
  const socket: Socket | null = mayLeak() ? await run.network.connect(target).catch(() => null) : null
  if (socket !== null) leak(() => socket.on('error', () => {}).destroy())
  return honest.check(config, run)
}

const leaksTimer: Check = (config, run) => {
  if (!mayLeak()) return honest.check(config, run)
  const timer = setInterval(() => {}, 1_000).unref()
  leak(() => clearInterval(timer))
  return honest.check(config, run)
}

const leaksListener: Check = (config, run) => {
  if (!mayLeak()) return honest.check(config, run)
  const listener = (): void => {}
  process.setMaxListeners(0)
  process.on('SIGWINCH', listener)
  leak(() => process.off('SIGWINCH', listener))
  return honest.check(config, run)
}

it.each<[string, Check, RegExp]>([
  ['a socket', leaksSocket, /^healthy peer: leaves behind .*1 × connection at a target/m],
  ['a timer', leaksTimer, /^refusing peer: leaves behind 1 × timer of a run$/m],
  ['a listener', leaksListener, /^refusing peer: leaves behind 1 × listener on the process$/m],
])('catches a driver that leaves %s behind', async (_, check, finding) => {
  expect((await findingsOf(withCheck(check))).join('\n')).toMatch(finding)
})

it('catches a driver that leaves something behind only when many run at once', async () => {
  let inFlight = 0
  const leaksInACrowd: Check = (config, run) => {
    inFlight++
    const check = inFlight === 60 ? leaksTimer : honest.check
    return check(config, run).finally(() => inFlight--)
  }
  expect(await findingsOf(withCheck(leaksInACrowd))).toEqual([
    'after 80 runs at once: leaves behind 1 × timer of a run',
  ])
})

it('catches a driver that mixes up its peers when many run at once', async () => {
  let latest: Promise<Outcome> | null = null
  const shares: Check = (config, run) => {
    latest ??= honest.check(config, run).finally(() => {
      latest = null
    })
    return latest
  }
  expect(await findingsOf(withCheck(shares))).toEqual(['is wrong about 40 of 80 peers at once'])
})

it('catches a driver that gives away a secret only to a person who tries it', async () => {
  const tellsAll: Check = (config, run) => {
    run.observe?.({ name: 'sent', seen: String(config['send'] ?? 'nothing'), expected: null, isMet: null })
    return honest.check(config, run)
  }
  expect(await findingsOf(withCheck(tellsAll))).toEqual([
    'reflecting peer: reveals a secret in what it saw of sent',
  ])
})

it('catches a driver that judges otherwise when it is observed', async () => {
  const differs: Check = async (config, run) =>
    run.observe === undefined ? await honest.check(config, run) : failure(1, 'it was seen')
  expect((await findingsOf(withCheck(differs)))[0]).toBe(
    'healthy peer: ends as failure (it was seen) instead of success',
  )
})

it('catches a driver that does not end at its deadline', async () => {
  const ignoresDeadline: Check = async (config, run) => {
    const outcome = await honest.check(config, run)
    return outcome.status === 'timeout' ? new Promise(() => {}) : outcome
  }
  expect(await findingsOf(withCheck(ignoresDeadline))).toContain(
    'silent peer: gives no outcome of its own by its deadline',
  )
})

it('catches a driver that holds up its thread past its deadline', async () => {
  let holdUps = 0
  const holdsUp: Check = async (config, run) => {
    const outcome = await honest.check(config, run)
    const untilMs = performance.now() + 80
    // Not in the crowd, which would take many seconds: three peers have been met three times by then.
    if (outcome.status === 'timeout' && ++holdUps <= 9) while (performance.now() < untilMs);
    return outcome
  }
  expect((await findingsOf(withCheck(holdsUp))).join('\n')).toMatch(/^silent peer: is \d+ ms late$/m)
})

it('catches a driver that throws', async () => {
  const throws: Check = () => {
    throw new TypeError('x is not a function')
  }
  expect(await findingsOf(withCheck(throws))).toContain(
    'healthy peer: throws: TypeError: x is not a function',
  )
})

it('catches a driver that rejects', async () => {
  const rejects: Check = () => Promise.reject(new Error('socket hang up'))
  expect(await findingsOf(withCheck(rejects))).toContain('healthy peer: rejects: Error: socket hang up')
})

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['a status of its own', { ...success(1), status: 'up' }],
])('catches a driver that answers with %s', async (_, outcome) => {
  const findings = await findingsOf(retold(() => outcome))
  expect(findings).toContain(`healthy peer: gives no outcome: ${JSON.stringify(outcome)}`)
})

it('catches a driver that returns no promise', async () => {
  const findings = await findingsOf(withCheck((() => 'up') as unknown as Check))
  expect(findings).toContain('healthy peer: gives no outcome: "up"')
})

it('catches a driver that takes everything for a success', async () => {
  const findings = await findingsOf(retold((outcome) => success(outcome.latencyMs)))
  expect(findings).toContain('refusing peer: ends as success instead of failure')
  expect(findings).toContain('silent peer: ends as success instead of timeout')
})

it('catches a driver that takes an answer of the target for a fault on our side', async () => {
  const findings = await findingsOf(retold((outcome) => ({ ...outcome, evidence: 'local' })))
  expect(findings.join('\n')).toMatch(
    /^refusing peer: takes local evidence for its outcome \(.*\) instead of target$/m,
  )
})

it('catches a driver that blames the target for what breaks a connection on this machine', async () => {
  const blames = retold((outcome) => ({
    ...outcome,
    evidence: outcome.reason?.startsWith('our network is down') ? 'target' : outcome.evidence,
  }))
  expect((await findingsOf(blames)).join('\n')).toMatch(
    /^ENETDOWN: takes target evidence for its outcome \(.*\) instead of local$/,
  )
})

it('catches a driver that speaks like a program', async () => {
  const speaks = retold((outcome) => ({
    ...outcome,
    reason: outcome.reason && 'Error: connect ECONNREFUSED',
  }))
  expect(await findingsOf(speaks)).toContain(
    'refusing peer: gives a reason that shows an error of a program: Error: connect ECONNREFUSED',
  )
})

it('catches a driver that says something else than was promised', async () => {
  const findings = await findingsOf(
    retold((outcome) => ({ ...outcome, reason: outcome.reason && 'no luck' })),
  )
  expect(findings).toEqual([
    expect.stringMatching(
      /^refusing peer: says "no luck" instead of "connection refused by 127\.0\.0\.1:\d+"$/,
    ),
  ])
})

it('catches a driver that reveals a secret', async () => {
  const reveals = retold((outcome, { send }) =>
    send === undefined ? outcome : { ...outcome, reason: `the server refused ${send}` },
  )
  expect(await findingsOf(reveals)).toEqual(['reflecting peer: reveals a secret'])
})

it.each<[string, CheckDriver['target'], RegExp]>([
  ['a secret', ({ host, send }) => `${host} ${send ?? ''}`, /^reveals a secret in the target/m],
  ['a query', ({ host }) => `tcp://${host}/?a=b`, /^shows .* as the target of a healthy peer$/m],
  ['user info', ({ host }) => `tcp://ward@${host}`, /^shows .* as the target of a healthy peer$/m],
  ['nothing', () => '', /^shows {2}as the target of a healthy peer$/m],
])('catches a driver whose target shows %s', async (_, target, finding) => {
  expect((await findingsOf({ ...honest, target })).join('\n')).toMatch(finding)
})

it('catches a driver that keeps whatever a peer sends', async () => {
  const longMs = 9_000
  const manyBytes = 48 * 1024 * 1024
  const hoards: Check = async (config, run) => {
    if (run.timeoutMs !== longMs) return honest.check(config, run)
    const socket = await run.network.connect({ host: '127.0.0.1', port: config['port'] as number })
    const pieces: Buffer[] = []
    let bytes = 0
    await new Promise<void>((resolve) => {
      run.onStop = resolve
      socket
        .on('error', () => {})
        .on('data', (chunk: Buffer) => {
          pieces.push(chunk)
          bytes += chunk.length
          if (bytes < manyBytes) return
          socket.pause()
          // Long enough for the contract to look at least once.
          setTimeout(resolve, 200)
        })
    })
    socket.destroy()
    return failure(run.elapsedMs(), `not found in ${pieces.length} pieces`)
  }
  const peers = { ...scenarios.peers, endless: { ...scenarios.peers.endless, timeoutMs: longMs } }
  const findings = await contractFindings(withCheck(hoards), async () => ({ ...scenarios, ...kept, peers }))
  expect(findings).toEqual([expect.stringMatching(/^endless peer: holds \d+ MiB$/)])
})

it('catches a schema that is open, or that does not say what a field is for', async () => {
  const config = Type.Object({ ...tcp.config.properties, port: Type.Integer(), tls: Type.Object({}) })
  const findings = await findingsOf({ ...honest, config } as CheckDriver)
  expect(findings).toEqual(
    expect.arrayContaining([
      'takes unknown fields in config: the schema is not closed',
      'takes unknown fields in config.tls: the schema is not closed',
      'says nothing about config.port: the schema has no description',
    ]),
  )
})

it('catches a driver that is not tried with every kind of peer', async () => {
  const { garbage: _, reflecting: __, ...others } = scenarios.peers
  const start = async () => ({ ...scenarios, ...kept, peers: others as unknown as Peers })
  const findings = await contractFindings(honest, start)
  expect(findings).toEqual(['is not tried with a garbage peer', 'is not tried with a reflecting peer'])
})

it('catches promised sentences that are tried with no peer, or two for one', async () => {
  const row = (peer: string) => ({ peer, trouble: 'It is down.', sentence: 'it is down' })
  const troubles = {
    ...scenarios.troubles,
    slow: [row('snail')],
    certificate: [row('silent'), row('silent')],
  }
  const findings = await contractFindings(honest, async () => ({ ...scenarios, ...kept, troubles }))
  expect(findings).toEqual([
    'is not tried with the trouble of a snail peer',
    'has two sentences for a silent peer',
  ])
})
