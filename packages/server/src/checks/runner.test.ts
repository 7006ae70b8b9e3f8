// The runner against drivers that do as they please. Timers and clock are the test's, so every millisecond counts.
import { FakeClock, OwnTimers } from '@pulseward/testing'
import { Type } from 'typebox'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Network } from '../platform/network/network.ts'
import { SessionMemory } from '../platform/tls/session-memory.ts'
import {
  assertion,
  type CheckRun,
  fact,
  failure,
  type Observation,
  type Outcome,
  success,
  timedOut,
} from './driver.ts'
import { type Job, runCheck } from './runner.ts'

const network = {} as Network
let clock: FakeClock
let timers: OwnTimers

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  timers = new OwnTimers('checks/runner.ts')
  clock = new FakeClock()
})
afterEach(() => {
  expect(timers.count).toBe(0)
  timers[Symbol.dispose]()
  vi.useRealTimers()
})

/** What is ready happens first, then the time passes. */
async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(0)
  clock.advance(ms)
  await vi.advanceTimersByTimeAsync(ms)
}

type Check = (run: CheckRun, attempt: number) => Promise<Outcome>

/** Runs the check and answers with everything that was said of its end. */
function run(check: Check, job: Partial<Job> = {}): Outcome[] {
  const ended: Outcome[] = []
  let attempts = 0
  const driver = {
    summary: '',
    config: Type.Object({}),
    target: () => '',
    check: (_config: unknown, checkRun: CheckRun) => check(checkRun, ++attempts),
  }
  const whole = { driver, config: {}, timeoutMs: 1_000, retries: 0, secrets: [], ...job } as Job
  runCheck(whole, network, clock, (outcome) => ended.push(outcome))
  return ended
}

/** An answer that the test gives when it likes. */
function openAnswer(): { promise: Promise<Outcome>; give: (outcome: Outcome) => void } {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  return { promise, give: resolve }
}

const never = new Promise<Outcome>(() => {})

describe('an answer', () => {
  it('is passed on as it is', async () => {
    const outcome = success(12, 99)
    const ended = run(async () => outcome)
    await pass(0)
    expect(ended).toEqual([outcome])
  })

  it('comes once, whatever happens afterwards', async () => {
    const answer = openAnswer()
    let checkRun: CheckRun | null = null
    const ended = run((given) => {
      checkRun = given
      given.onStop = () => expect.unreachable('it has ended before')
      return answer.promise
    })
    await pass(999)
    answer.give(success(999))
    await pass(5_000)
    expect(ended).toEqual([success(999)])
    expect(checkRun!.hasExpired).toBe(false)
  })
})

describe('what a check saw', () => {
  it('is asked for only if somebody reads it', async () => {
    const asked: boolean[] = []
    run(async ({ observe }) => {
      asked.push(observe !== undefined)
      return success(1)
    })
    await pass(0)
    expect(asked).toEqual([false])
  })

  it('is shown on one line, cut, without secrets, and not after the end', async () => {
    const seen: Observation[] = []
    let checkRun: CheckRun | null = null
    run(
      async (given) => {
        checkRun = given
        given.observe?.(
          assertion('header X', `my\nsecret-value ${'x'.repeat(600)}`, 'no secret-value', false),
        )
        return success(1)
      },
      { secrets: ['secret-value'], onObservation: (one) => seen.push(one) },
    )
    await pass(0)
    checkRun!.observe?.(fact('late', 'word'))
    const [{ seen: text = '', ...rest } = {}] = seen
    expect(seen).toHaveLength(1)
    expect(rest).toEqual({ name: 'header X', expected: 'no [redacted]', isMet: false })
    expect(text).toMatch(/^my \[redacted\] x+…$/)
    expect(text).toHaveLength(500)
  })
})

describe('the deadline', () => {
  it('stops the driver, which then says itself how far it came', async () => {
    const answer = openAnswer()
    const ended = run((given) => {
      given.onStop = () => answer.give(timedOut(given.elapsedMs(), 'no reply within 1 s'))
      return answer.promise
    })
    await pass(999)
    expect(ended).toEqual([])
    await pass(1)
    expect(ended).toEqual([timedOut(1_000, 'no reply within 1 s')])
  })

  it('stops only the step in flight', async () => {
    const stopped: string[] = []
    run((given) => {
      given.onStop = () => stopped.push('first')
      given.onStop = () => stopped.push('second')
      return never
    })
    await pass(2_000)
    expect(stopped).toEqual(['second'])
  })

  it('of a try that has ended stops nothing of the next one', async () => {
    const runs: CheckRun[] = []
    const answer = openAnswer()
    const ended = run(
      async (given, attempt) => {
        runs.push(given)
        if (attempt === 1) return failure(1, 'no')
        given.onStop = () => answer.give(timedOut(given.elapsedMs(), 'no reply'))
        return answer.promise
      },
      { retries: 1 },
    )
    await pass(500)
    runs[0]!.onStop = undefined
    await pass(500)
    expect(ended).toMatchObject([{ status: 'timeout', reason: 'no reply' }])
  })

  it('holds for a driver that ignores it: 30 ms later the runner answers', async () => {
    const ended = run(() => never)
    await pass(1_029)
    expect(ended).toEqual([])
    await pass(1)
    expect(ended).toEqual([timedOut(1_030, 'no verdict within 1 s; the check did not stop by itself')])
  })

  it('drops what a driver says after it was given up', async () => {
    const answer = openAnswer()
    const ended = run(() => answer.promise)
    await pass(1_030)
    answer.give(success(1_031))
    await pass(1_000)
    expect(ended).toHaveLength(1)
    expect(ended[0]!.status).toBe('timeout')
  })

  it('stops a step at once that begins after it', async () => {
    const stopped = vi.fn()
    let late: CheckRun | null = null
    run((given) => {
      late = given
      return never
    })
    await pass(2_000)
    expect(late!.hasExpired).toBe(true)
    late!.onStop = stopped
    expect(stopped).toHaveBeenCalledOnce()
  })

  it('ends a driver whose stop throws', async () => {
    const ended = run((given) => {
      given.onStop = () => {
        throw new Error('cannot stop')
      }
      return never
    })
    await pass(1_000)
    expect(ended).toMatchObject([{ status: 'no_data', reason: 'the check itself failed: cannot stop' }])
    await pass(1_000)
    expect(ended).toHaveLength(1)
  })
})

describe('a driver that breaks', () => {
  it.each<[string, Check, string]>([
    [
      'throws',
      () => {
        throw new TypeError('x is not a function')
      },
      'x is not a function',
    ],
    ['rejects', () => Promise.reject(new Error('socket hang up')), 'socket hang up'],
    ['rejects with no error', () => Promise.reject('no'), 'no'],
    ['answers with nothing', async () => undefined as unknown as Outcome, 'it gave no outcome'],
    ['answers with no promise', () => 'up' as unknown as Promise<Outcome>, 'it gave no outcome'],
    ['makes up a status', async () => ({ ...success(1), status: 'up' as 'success' }), 'it gave no outcome'],
    ['has no latency', async () => success(Number.NaN), 'it gave no outcome'],
    ['has a reason that is not a text', async () => failure(1, {} as string), 'it gave no outcome'],
  ])('and %s says nothing about its target', async (_, check, words) => {
    const ended = run(check)
    await pass(0)
    expect(ended).toEqual([
      {
        ...failure(0, `the check itself failed: ${words}`, 'local'),
        status: 'no_data',
      },
    ])
  })
})

describe('retries', () => {
  it('are further tries after a failure, up to the first success', async () => {
    const tries = vi.fn<Check>(async (_run, attempt) =>
      attempt < 3 ? failure(1, `no ${attempt}`) : success(1),
    )
    const ended = run(tries, { retries: 5 })
    await pass(0)
    expect(tries).toHaveBeenCalledTimes(3)
    expect(ended).toEqual([success(1)])
  })

  it('make the last try the result', async () => {
    const tries = vi.fn<Check>(async (_run, attempt) => failure(1, `failure ${attempt}`))
    const ended = run(tries, { retries: 2 })
    await pass(0)
    expect(tries).toHaveBeenCalledTimes(3)
    expect(ended).toEqual([failure(1, 'failure 3')])
  })

  it('share one deadline: each try has what the earlier ones left', async () => {
    const left: number[] = []
    const answers = [openAnswer(), openAnswer()]
    const ended = run(
      (given, attempt) => {
        left.push(given.timeoutMs)
        expect(given.elapsedMs()).toBe(0)
        return answers[attempt - 1]?.promise ?? never
      },
      { retries: 2 },
    )
    await pass(300)
    answers[0]!.give(failure(300, 'refused'))
    await pass(200)
    answers[1]!.give(failure(200, 'refused'))
    await pass(0)
    expect(left).toEqual([1_000, 700, 500])
    await pass(529)
    expect(ended).toEqual([])
    await pass(1)
    expect(ended).toEqual([timedOut(530, 'no verdict within 1 s; the check did not stop by itself')])
  })

  it('do not begin after the deadline', async () => {
    const answer = openAnswer()
    const tries = vi.fn<Check>((given) => {
      given.onStop = () => answer.give(timedOut(given.elapsedMs(), 'no reply within 1 s'))
      return answer.promise
    })
    const ended = run(tries, { retries: 5 })
    await pass(1_000)
    expect(tries).toHaveBeenCalledTimes(1)
    expect(ended).toHaveLength(1)
  })

  it('do not begin after the deadline even when its timer is late', async () => {
    const answer = openAnswer()
    const tries = vi.fn<Check>(() => answer.promise)
    const ended = run(tries, { retries: 5 })
    clock.advance(1_000)
    answer.give(failure(1_000, 'refused'))
    await pass(0)
    expect(tries).toHaveBeenCalledTimes(1)
    expect(ended).toEqual([failure(1_000, 'refused')])
  })
})

describe('a TLS handshake that broke with something left out', () => {
  const recurring = () => ({ sessions: new SessionMemory(clock), row: 0, version: 1, intervalMs: 1_000 })

  it('makes the check begin again once, with everything offered, beside its retries', async () => {
    const offered: boolean[] = []
    const tries = vi.fn<Check>(async ({ handshakes }, attempt) => {
      offered.push(handshakes!.offer('shop.test:443', 60_000).everything)
      handshakes!.broke()
      return failure(1, `failure ${attempt}`)
    })
    const ended = run(tries, { retries: 1, ...recurring() })
    await pass(0)
    expect(ended).toEqual([failure(1, 'failure 3')])
    expect(offered).toEqual([false, true, true])
  })

  it('does not begin again after the deadline', async () => {
    const answer = openAnswer()
    const tries = vi.fn<Check>(({ handshakes }) => {
      handshakes!.broke()
      return answer.promise
    })
    const ended = run(tries, recurring())
    await pass(1_000)
    answer.give(timedOut(1_000, 'no answer'))
    await pass(0)
    expect(tries).toHaveBeenCalledTimes(1)
    expect(ended).toEqual([timedOut(1_000, 'no answer')])
  })

  it('counts the latency and the rest of the time from the new beginning', async () => {
    const answers = [openAnswer(), openAnswer()]
    const left: number[] = []
    run((given, attempt) => {
      left.push(given.timeoutMs)
      expect(given.elapsedMs()).toBe(0)
      given.handshakes!.broke()
      return answers[attempt - 1]!.promise
    }, recurring())
    await pass(400)
    answers[0]!.give(failure(400, 'refused'))
    await pass(0)
    answers[1]!.give(success(1))
    await pass(0)
    expect(left).toEqual([1_000, 600])
  })
})

describe('the TLS sessions of a monitor', () => {
  const server = 'shop.test:443'

  /** A monitor with one session. */
  function recurring() {
    const monitor = { sessions: new SessionMemory(clock), row: 0, version: 1, intervalMs: 1_000 }
    const certificateExpiresAt = clock.wallMs() + 90 * 86_400_000
    const known = { session: Buffer.alloc(10), fullAtMs: clock.monotonicMs(), certificateExpiresAt }
    monitor.sessions.keep(monitor, server, known, 60_000)
    return monitor
  }

  it('stay after a success, and are forgotten after a failure without a handshake', async () => {
    const monitor = recurring()
    run(async () => success(1), monitor)
    await pass(0)
    expect(monitor.sessions.find(monitor, server)).not.toBeNull()
    run(async () => failure(1, 'connection refused'), monitor)
    await pass(0)
    expect(monitor.sessions.find(monitor, server)).toBeNull()
  })

  it('are offered to every try by the same handshakes, and to none where there is no next check', async () => {
    const seen: unknown[] = []
    const asks: Check = async ({ handshakes }) => {
      seen.push(handshakes)
      return failure(1, 'refused')
    }
    run(asks, { ...recurring(), retries: 2 })
    await pass(0)
    expect(new Set(seen).size).toBe(1)
    expect(seen).toHaveLength(3)
    run(asks)
    await pass(0)
    expect(seen.at(-1)).toBeNull()
  })
})

describe('secrets', () => {
  it.each([
    ['in a reason', ['hunter2'], 'said hunter2 and hunter2', 'said [redacted] and [redacted]'],
    ['of which one holds the other', ['abc', 'abcdef'], 'said abcdef', 'said [redacted]'],
    ['that look like a pattern', ['a.c', '$&'], 'abc a.c $&', 'abc [redacted] [redacted]'],
    ['that occur in the word put in their place', ['hunter2', 'act'], 'hunter2', '[redacted]'],
    ['in a URL', ['hunter/2 x'], 'at ?k=hunter%2f2+x', 'at ?k=[redacted]'],
    ['in Basic credentials', ['hunter2'], 'not dTpodW50ZXIy', 'not dT[redacted]'],
    ['in JSON', ['hun"ter'], 'said {"k":"hun\\"ter"}', 'said {"k":"[redacted]"}'],
    ['that are empty', ['', 'x1'], 'not x1', 'not [redacted]'],
    ['that are all empty', [''], 'nothing', 'nothing'],
  ])('%s do not get out', async (_, secrets, said, shown) => {
    const ended = run(async () => ({ ...failure(1, said), warning: said }), { secrets })
    await pass(0)
    expect(ended).toEqual([{ ...failure(1, shown), warning: shown }])
  })

  it('do not get out by an exception', async () => {
    const ended = run(() => Promise.reject(new Error('bad password hunter2')), { secrets: ['hunter2'] })
    await pass(0)
    expect(ended[0]!.reason).toBe('the check itself failed: bad password [redacted]')
  })
})

it('tells the phases of each try with the time since its beginning', async () => {
  const phases: [string, number][] = []
  const answer = openAnswer()
  run(
    (given, attempt) => {
      if (attempt === 1) {
        return answer.promise.finally(() => given.mark('connect'))
      }
      given.mark('first_byte')
      return Promise.resolve(success(1))
    },
    { retries: 1, onPhase: (phase, elapsedMs) => phases.push([phase, elapsedMs]) },
  )
  await pass(40)
  answer.give(failure(40, 'refused'))
  await pass(0)
  expect(phases).toEqual([
    ['connect', 40],
    ['first_byte', 0],
  ])
})
