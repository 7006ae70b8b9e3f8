// Places of operations: what is told over HTTP when there is none left, and who gives way to whom.
import { v2 } from '@pulseward/contract'
import { FakeClock } from '@pulseward/testing'
import { expectV2Problem } from '@pulseward/testing/api'
import { describe, expect, it } from 'vitest'
import { KeyedLock } from '../managing/keyed-lock.ts'
import type { V2Problem } from '../requests/v2-problem.ts'
import type { StoredBulk } from '../store/bulk.ts'
import { OpenOperations } from './open-operations.ts'
import { OperationPlaces } from './operation-places.ts'
import type { State } from './operation-state.ts'
import { itemsOf, monitor, ServedBulk } from './served.fixture.ts'

const items = itemsOf(monitor('abandoned-1'), monitor('abandoned-2'))
const minute = 60_000

describe('sixteen abandoned operations', () => {
  it('block a new one for ten minutes at most, and the answer says for how long', async () => {
    await using served = await ServedBulk.start()
    const abandoned: string[] = []
    for (let n = 0; n < 16; n++) abandoned.push(await served.create(items))
    const body = { contentDigest: 'x', itemCount: 1 }
    const refused = await served.call('CreateOperation', { body })
    const { detail } = await expectV2Problem('CreateOperation', refused, 'tooBusy')
    expect(detail).toMatch(/^first has 16 open operations.*gives way after 10 minutes\. List them with GET/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(590)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600)
    served.passMinutes(8)
    await served.upload(abandoned[0]!, items.slice(0, 1))
    const later = await served.call('CreateOperation', { body })
    expect(Number(later.headers.get('retry-after'))).toBeLessThanOrEqual(120)
    served.passMinutes(2)
    const id = await served.create(items)
    await served.upload(id, items)
    // The one whose client came back in time has kept its place; of the others the one that was left first has none.
    expect(await served.read(abandoned[0]!)).toMatchObject({ state: 'staging', uploaded: 1 })
    expect(await served.refusal('GetOperation', { id: abandoned[1]! }, 'operationExpired')).toMatch(
      /^Nothing was done with the operation for 10 minutes and a new one needed its place/,
    )
    await served.refusal('UploadOperation', { id: abandoned[1]!, body: { items } }, 'operationExpired')
    expect(await served.read(abandoned[2]!)).toMatchObject({ state: 'staging' })
    const expired = await served.list('?state=expired')
    expect(expired.items.map((one) => one.id)).toEqual([abandoned[1]])
  })
})

describe('a place', () => {
  const { openOperations, openOperationsOfPrincipal } = v2.limits

  function places() {
    const clock = new FakeClock()
    const open = new OpenOperations({
      engine: { request: async () => 'stored' },
      store: { readBulk: async () => null },
      work: { drop: async () => {}, touch: async () => {} },
      clock,
      wait: async () => {},
    })
    const calls = new KeyedLock()
    let last = 0
    const add = (principal: string, state: State = 'staging') => {
      const operation = { id: ++last, principal, state, endedAt: null, counts: {} } as StoredBulk
      return open.add(operation, { uploaded: 0, touchedAt: clock.wallMs() })
    }
    return { clock, open, calls, add, places: new OperationPlaces(open, calls) }
  }

  const refusalOf = (work: Promise<Disposable>): Promise<V2Problem> =>
    work.then(
      () => expect.fail('there was a place'),
      (error: V2Problem) => error,
    )

  it('is left to other principals when one has taken all of its own', async () => {
    const { places: of, add } = places()
    for (let n = 0; n < openOperationsOfPrincipal; n++) add('ann')
    expect((await refusalOf(of.take('ann'))).code).toBe('tooBusy')
    using _ = await of.take('ben')
  })

  it('is one of a number that all principals have together', async () => {
    const { places: of, add } = places()
    for (let n = 0; n < openOperations; n++) add(`principal-${n % 8}`)
    const { message, retryAfterSeconds } = await refusalOf(of.take('ann'))
    expect(message).toMatch(/^32 operations are open, which is as many as there may be/)
    expect(retryAfterSeconds).toBe(600)
  })

  it('is given away only once, however many ask at the same time', async () => {
    const { places: of, add, clock, open } = places()
    for (let n = 0; n < openOperationsOfPrincipal; n++) add('ann')
    clock.advance(10 * minute)
    const asked = await Promise.allSettled(Array.from({ length: 20 }, () => of.take('ann')))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(openOperationsOfPrincipal)
    expect(open.all()).toEqual([])
    for (const one of asked) if (one.status === 'fulfilled') one.value[Symbol.dispose]()
    using _ = await of.take('ann')
  })

  it('is kept by what is being validated or applied, however long that takes', async () => {
    const { places: of, add, clock } = places()
    for (let n = 0; n < openOperationsOfPrincipal; n++) add('ann', n % 2 === 0 ? 'validating' : 'applying')
    clock.advance(60 * minute)
    const { message, retryAfterSeconds } = await refusalOf(of.take('ann'))
    expect(message).toContain('all of them are being validated or applied')
    expect(retryAfterSeconds).toBe(5)
  })

  it('is kept by one whose client comes back while it is about to be given away', async () => {
    const { places: of, add, clock, calls, open } = places()
    const returning = add('ann')
    for (let n = 1; n < openOperationsOfPrincipal; n++) add('ann', 'applying')
    clock.advance(11 * minute)
    const call = await calls.take(String(returning.operation.id))
    const asked = refusalOf(of.take('ann'))
    await open.touch(returning)
    call[Symbol.dispose]()
    expect((await asked).retryAfterSeconds).toBe(600)
    expect(open.has(returning)).toBe(true)
  })
})
