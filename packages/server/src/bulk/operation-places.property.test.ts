// Places of operations, whatever principals open, touch, leave and end: never more than there may be, no refusal while one
// that is left alone could give way, and the time that a refusal names is when a place is free.
import { v2 } from '@pulseward/contract'
import { FakeClock } from '@pulseward/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeyedLock } from '../managing/keyed-lock.ts'
import { V2Problem } from '../requests/v2-problem.ts'
import type { StoredBulk } from '../store/bulk.ts'
import { type OpenOperation, OpenOperations } from './open-operations.ts'
import { OperationPlaces } from './operation-places.ts'

const { openOperations, openOperationsOfPrincipal, neededPlaceIdleMinutes } = v2.limits
const neededIdleMs = neededPlaceIdleMinutes * 60_000

class Service {
  readonly clock = new FakeClock()
  readonly open = new OpenOperations({
    engine: { request: async () => 'stored' },
    store: { readBulk: async () => null },
    work: { drop: async () => {}, touch: async () => {} },
    clock: this.clock,
    wait: async () => {},
  })
  readonly places = new OperationPlaces(this.open, new KeyedLock())
  #last = 0

  /** Null when it is opened, else the refusal. */
  async tryToOpen(principal: string, state: string): Promise<V2Problem | null> {
    try {
      using _ = await this.places.take(principal)
      const operation = { id: ++this.#last, principal, state, endedAt: null, counts: {} } as StoredBulk
      this.open.add(operation, { uploaded: 0, touchedAt: this.clock.wallMs() })
      return null
    } catch (error) {
      if (!(error instanceof V2Problem)) throw error
      return error
    }
  }

  /** Those that a new one of this principal competes with. */
  crowdOf(principal: string): OpenOperation[] {
    const own = this.open.all().filter(({ operation }) => operation.principal === principal)
    return own.length >= openOperationsOfPrincipal ? own : this.open.all()
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      principal: fc.constantFrom('ann', 'ben', 'cem'),
      state: fc.constantFrom('staging', 'staging', 'validated', 'applying'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('touch' as const), which: fc.nat(40) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('end' as const), which: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.nat(neededIdleMs / 4) }) },
)

it('are given, kept and given away by the rules, for any course of events', async () => {
  let refusals = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 250, size: 'max' }), async (steps) => {
      const service = new Service()
      const { open, clock } = service
      for (const one of steps) {
        const chosen = 'which' in one ? open.all()[one.which] : undefined
        if (one.kind === 'pass') clock.advance(one.ms)
        else if (one.kind === 'touch' && chosen !== undefined) await open.touch(chosen)
        else if (one.kind === 'end' && chosen !== undefined) await open.end(chosen, 'cancelled', null)
        else if (one.kind === 'open') await opened(service, one.principal, one.state)
        expect(open.all().length).toBeLessThanOrEqual(openOperations)
        const byPrincipal = Map.groupBy(open.all(), ({ operation }) => operation.principal)
        for (const some of byPrincipal.values())
          expect(some.length).toBeLessThanOrEqual(openOperationsOfPrincipal)
      }
    }),
    { numRuns: 60 },
  )
  expect(refusals).toBeGreaterThan(50)

  async function opened(service: Service, principal: string, state: string): Promise<void> {
    const refusal = await service.tryToOpen(principal, state)
    if (refusal === null) return
    refusals++
    const idle = service.crowdOf(principal).flatMap((one) => service.open.idleMs(one) ?? [])
    expect(idle.every((ms) => ms < neededIdleMs)).toBe(true)
    if (idle.length === 0) return
    // A client that comes back then has a place if the others were left alone.
    service.clock.advance((refusal.retryAfterSeconds ?? 0) * 1_000)
    expect(await service.tryToOpen(principal, state)).toBeNull()
  }
})
