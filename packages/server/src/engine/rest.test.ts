// How long an engine asks to be left alone, beside what its ticks do: the service ticks every 10 ms whatever the engine asks
// for, and no tick may find anything before the time until which the engine wanted to rest.
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { retry } from '../platform/action-outcome.ts'
import type { CommitBatch } from '../store/store.ts'

const tickMs = 10
const longestMs = 1_000
const notify = { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] }, gray: { endpoints: ['ops'] } }

/** Follows the promises of an engine. */
class Promises {
  readonly broken: string[] = []
  /** Of every tick, how long the engine wanted to rest after it. */
  readonly restsMs: number[] = []
  readonly #service: TestService
  #untilMs = 0
  #decided = 0
  #isTicking = false

  constructor(service: TestService) {
    this.#service = service
    const { engine, store } = service
    const commit = store.commit.bind(store)
    store.commit = (batch: CommitBatch) => {
      if (batch.events.length + batch.states.length + batch.actions.length > 0) this.#decided++
      return commit(batch)
    }
    const tick = engine.tick.bind(engine)
    engine.tick = () => this.#tick(tick)
    engine.onTurn(() => {
      // Whatever comes from outside may bring something sooner, and the loop asks again.
      if (!this.#isTicking)
        this.#untilMs = Math.min(this.#untilMs, this.#nowMs + engine.rest(tickMs, longestMs))
    })
  }

  #tick(tick: () => void): void {
    const before = this.#done
    this.#isTicking = true
    tick()
    this.#isTicking = false
    const isEarly = this.#nowMs < this.#untilMs
    if (isEarly && this.#done !== before) this.broken.push(`${before} became ${this.#done} at ${this.#nowMs}`)
    const restMs = this.#service.engine.rest(tickMs, longestMs)
    this.restsMs.push(restMs)
    this.#untilMs = this.#nowMs + restMs
  }

  get #done(): string {
    const { scheduler, queue } = this.#service.parts.checks
    const started = this.#service.parts.checks.pool.observe(0, 0, 0).submitted
    return `${scheduler.startedSlots} slots, ${scheduler.missedSlots} missed, ${queue.depth} queued, ${started} started, ${this.#decided} decided`
  }

  get #nowMs(): number {
    return this.#service.clock.monotonicMs()
  }
}

async function followed(...parts: Parameters<typeof TestService.start>) {
  const service = await TestService.start(...parts)
  return { service, promises: new Promises(service) }
}

describe('an engine that wants to rest', () => {
  it('sleeps between the checks of a few monitors', async () => {
    const monitors = [http('a', { every: '30s' }), http('b', { every: '45s' }), http('c', { every: '1m' })]
    const { service, promises } = await followed({ monitors })
    await service.advance({ seconds: 300 })
    expect(promises.broken).toEqual([])
    const asleep = promises.restsMs.filter((restMs) => restMs > 900)
    expect(asleep.length / promises.restsMs.length).toBeGreaterThan(0.9)
  })

  it('lets a check wait for those that are due soon after it, and for no others', async () => {
    const leastMs = 40
    const monitors = Array.from({ length: 40 }, (_, number) => http(`m${number}`, { every: '2s' }))
    const service = await TestService.start({ monitors })
    const { checks } = service.parts
    let shared = 0
    for (let look = 0; look < 300; look++) {
      await service.advance({ seconds: 0.03 })
      if (checks.queue.depth > 0) continue
      const nowMs = service.clock.monotonicMs()
      const latestMs = nowMs + (checks.pool.busy > 0 ? 100 : longestMs)
      const slots = monitors
        .map((_, row) => Math.max(nowMs + 1, checks.scheduler.nextDueMs(row)!))
        .map((dueMs) => Math.ceil(dueMs / tickMs) * tickMs)
        .filter((slotMs) => slotMs <= latestMs)
      const firstMs = Math.min(latestMs, ...slots)
      const soon = slots.filter((slotMs) => slotMs <= firstMs + leastMs)
      const untilMs = nowMs + service.engine.rest(leastMs, longestMs)
      expect(untilMs).toBe(Math.max(nowMs + leastMs, firstMs, ...soon))
      if (soon.length > 1) shared++
    }
    expect(shared).toBeGreaterThan(50)
  })

  it('is awake when an action may start: after a cooldown and for another try', async () => {
    const monitors = [{ ...http('edge'), notify }, http('core', { every: '7s' })]
    const { service, promises } = await followed({ monitors, head: endpoints('ops') })
    service.target('edge').goesDown()
    await service.advance({ seconds: 60 })
    service.target('edge').comesBack()
    await service.advance({ seconds: 60 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 300 })
    expect(service.told).toEqual(['edge red → ops', 'edge green → ops', 'edge red → ops'])
    service.providers.outcomeOf = () => retry('503')
    service.target('edge').comesBack()
    await service.advance({ seconds: 300 })
    expect(service.told.length).toBeGreaterThan(6)
    expect(promises.broken).toEqual([])
  })

  it('is awake when a window begins and ends', async () => {
    const maintenance = [{ start: '2026-01-01T00:01:00.500Z', end: '2026-01-01T00:02:00.250Z' }]
    const monitors = [{ ...http('edge', { every: '10m' }), notify, maintenance }]
    const { service, promises } = await followed({ monitors, head: endpoints('ops') })
    // The second is told when the cooldown after the first is over.
    await service.advance({ seconds: 400 })
    expect(service.told).toEqual(['edge gray → ops', 'edge gray → ops'])
    expect(promises.broken).toEqual([])
  })

  it('is awake when a snooze ends that was asked for while it rested', async () => {
    const { service, promises } = await followed({ monitors: [http('edge', { every: '10m' })] })
    await service.advance({ seconds: 31 })
    const asked = { actor: 'mara', reason: 'planned work', note: null }
    const untilWallMs = service.clock.wallMs() + 5_555
    await service.engine.request('told', (turn) => {
      service.engine.applyControl(turn, {
        verb: 'snooze',
        monitorId: 'edge',
        revision: 1,
        asked,
        untilWallMs,
      })
    })
    await service.advance({ seconds: 10 })
    const types = (await service.events('edge')).map(({ type }) => type)
    expect(types).toContain('snooze_expired')
    expect(promises.broken).toEqual([])
  })

  it('is awake while a check is queued that a result turn found due', async () => {
    const { service } = await followed({ monitors: [http('edge', { every: '1s' })] })
    await service.advance({ seconds: 3 })
    while (service.parts.checks.queue.depth === 0) {
      service.clock.advance(tickMs)
      void service.engine.turn(() => {})
    }
    expect(service.engine.rest(40, longestMs)).toBe(40)
  })

  it('is awake for monitors that come while it rests', async () => {
    const { service, promises } = await followed({ monitors: [http('edge', { every: '10m' })] })
    await service.advance({ seconds: 40 })
    await service.reload({ monitors: [http('edge', { every: '10m' }), http('fast', { every: '1s' })] })
    await service.advance({ seconds: 20 })
    expect(promises.broken).toEqual([])
  })
})

describe('a stall', () => {
  const checkOf = (every: string) => ({ monitors: [http('edge', { every })] })
  const stallsOf = async (service: TestService) =>
    (await service.events()).filter(({ type }) => type === 'own_fault').length

  it('is not what a rest was, however long nothing happens', async () => {
    const { service } = await followed(checkOf('24h'))
    await service.advance({ seconds: 60 })
    const { scheduler } = service.parts.checks
    const missed = scheduler.missedSlots
    for (let second = 0; second < 60; second++) {
      service.engine.rest(40, longestMs)
      // Timers of a busy machine are late.
      service.sleep({ seconds: 1.9 })
      service.engine.tick()
    }
    expect(scheduler.missedSlots).toBe(missed)
    expect(await stallsOf(service)).toBe(0)
  })

  it('is noticed when it outlasts a rest by more than a second', async () => {
    const { service } = await followed(checkOf('1s'))
    await service.advance({ seconds: 10 })
    const { scheduler } = service.parts.checks
    const missed = scheduler.missedSlots
    const restMs = service.engine.rest(40, longestMs)
    service.sleep({ seconds: restMs / 1_000 + 1.1 })
    service.engine.tick()
    expect(scheduler.missedSlots).toBeGreaterThan(missed)
  })

  it('is noticed as before while a check is in flight, because nobody rests then', async () => {
    const { service } = await followed(checkOf('1m'))
    service.target('edge').hangs()
    while (service.parts.checks.pool.busy === 0) await service.advance({ ms: tickMs })
    expect(service.engine.rest(40, longestMs)).toBeLessThanOrEqual(100)
    service.sleep({ seconds: 1.2 })
    expect(service.parts.checks.advance()).toMatchObject([{ kind: 'stall', ms: 1_200 }])
  })
})
