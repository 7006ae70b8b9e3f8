// Operations over time: restarts in every state, cancelling, expiry, and what a backup does not hold.
import { existsSync, readdirSync } from 'node:fs'
import type { v2 } from '@pulseward/contract'
import { eventually } from '@pulseward/testing'
import { expectV2Answer } from '@pulseward/testing/api'
import { loseStaged } from '@pulseward/testing/store'
import { describe, expect, it } from 'vitest'
import { itemsOf, monitor, outcomesOf, ServedBulk } from './served.fixture.ts'

const fleetOf = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, n) => monitor(`${prefix}-${String(n).padStart(5, '0')}`))

async function everyOutcome(served: ServedBulk, id: string): Promise<v2.ApplyResult[]> {
  const all: v2.ApplyResult[] = []
  for (let cursor = ''; ; ) {
    const { items = [], nextCursor } = await served.read(id, `?limit=500${cursor}`)
    all.push(...items)
    if (nextCursor === undefined) return all
    cursor = `&cursor=${nextCursor}`
  }
}

describe('after a restart', () => {
  it('an operation goes on from staging, from validated, and has its outcomes when it has ended', {
    tags: 'long',
  }, async () => {
    await using served = await ServedBulk.start()
    const items = itemsOf(...fleetOf(300, 'kept'))
    const id = await served.create(items)
    await served.upload(id, items.slice(0, 200))
    await served.restart()
    expect(await served.read(id)).toMatchObject({ state: 'staging', uploaded: 200, itemCount: 300 })
    expect(await served.upload(id, items)).toMatchObject({ uploaded: 300 })
    expect(await served.validate(id)).toMatchObject({ valid: true })
    await served.restart()
    expect(await served.read(id)).toMatchObject({ state: 'validated', uploaded: 300 })
    const operation = await served.activate(id)
    expect(operation).toMatchObject({ state: 'completed', committed: 300 })
    await served.restart()
    expect(await served.read(id)).toEqual({ ...operation, nextCursor: expect.any(String) })
    await expect.poll(() => readdirSync(served.folder.path('data/staging'))).toEqual([])
  })

  it('validation begins again, and applying goes on behind what is in the store', async () => {
    await using served = await ServedBulk.start()
    const resources = fleetOf(6_000, 'going')
    const items = itemsOf(...resources)
    const id = await served.create(items)
    await served.upload(id, items)
    void served.call('ValidateOperation', { id }).catch(() => {})
    await new Promise((resolve) => setTimeout(resolve, 30))
    await served.restart()
    const validated = await served.ended(id)
    if (validated.state === 'staging') await served.validate(id)
    expect(await served.read(id)).toMatchObject({ state: 'validated' })
    await expectV2Answer('ActivateOperation', await served.call('ActivateOperation', { id }))
    await served.restart()
    const operation = await served.ended(id)
    expect(operation).toMatchObject({ state: 'completed', committed: 6_000, applied: 6_000 })
    const outcomes = await everyOutcome(served, id)
    expect(outcomes.map(({ id: item }) => item)).toEqual(items.map((item) => item.id))
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(['created']))
    expect(new Set(outcomes.map(({ newVersion }) => newVersion)).size).toBe(6_000)
  })

  it('an operation whose staged items are gone has expired, and says so', { tags: 'long' }, async () => {
    await using served = await ServedBulk.start()
    const id = await served.staged(monitor('lost'))
    await served.stop()
    await loseStaged(served.folder.path('data'))
    await served.resume()
    expect(await served.refusal('GetOperation', { id }, 'operationExpired')).toMatch(
      /^What was staged for it is gone/,
    )
    await served.refusal('ActivateOperation', { id }, 'operationExpired')
  })
})

describe('cancelling', () => {
  it('before activation applies nothing, and gives back what was staged', { tags: 'long' }, async () => {
    await using served = await ServedBulk.start()
    const id = await served.staged(monitor('cancelled'))
    const cancelled = await expectV2Answer('CancelOperation', await served.call('CancelOperation', { id }))
    expect(cancelled).toMatchObject({
      state: 'cancelled',
      committed: 0,
      reason: 'It was cancelled before it was activated; nothing was applied.',
    })
    expect(await expectV2Answer('CancelOperation', await served.call('CancelOperation', { id }))).toEqual(
      cancelled,
    )
    expect(await served.refusal('ActivateOperation', { id })).toContain('cannot be activated any more')
    expect(await served.monitorIds()).toEqual([])
    await expect.poll(() => readdirSync(served.folder.path('data/staging'))).toEqual([])
  })

  it('while it is applied keeps what was applied, and names the rest as not attempted', {
    tags: 'long',
  }, async () => {
    await using served = await ServedBulk.start()
    const resources = fleetOf(8_000, 'half')
    const id = await served.staged(...resources)
    const [activated, cancelled] = await Promise.all([
      served.call('ActivateOperation', { id }),
      served.call('CancelOperation', { id }),
    ])
    // Whichever came first: the two calls are in one order.
    if (activated.status === 409)
      expect(await cancelled.json()).toMatchObject({ state: 'cancelled', committed: 0 })
    else {
      const operation = await served.ended(id)
      expect(operation.state).toBe('cancelled')
      // It is cancelled at once; what was not attempted is listed in parts afterwards.
      const outcomes = await eventually(async () => {
        const listed = await everyOutcome(served, id)
        expect(listed).toHaveLength(8_000)
        return listed
      })
      const created = outcomes.filter(({ outcome }) => outcome === 'created')
      expect(created.length).toBe(operation.committed)
      expect(outcomes.slice(created.length).every(({ outcome }) => outcome === 'notAttempted')).toBe(true)
      expect(operation.reason).toBe(
        `It was cancelled; ${8_000 - created.length} items were not attempted, and nothing was undone.`,
      )
      const last = created.at(-1)?.id.replace('Monitor/', '') ?? ''
      const expected = created.length === 0 ? 404 : 200
      expect((await served.call('GetMonitor', { id: last })).status).toBe(expected)
    }
    expect(existsSync(served.folder.path('data/staging'))).toBe(true)
  })
})

describe('time', () => {
  it('expires what waits for its client for more than a day, in staging and when it is validated', {
    tags: 'long',
  }, async () => {
    await using served = await ServedBulk.start()
    const items = itemsOf(monitor('idle-1'), monitor('idle-2'))
    const staging = await served.create(items)
    await served.upload(staging, items.slice(0, 1))
    const validated = await served.staged(monitor('idle-3'))
    served.passHours(23)
    expect(await served.upload(staging, items.slice(1))).toMatchObject({ uploaded: 2 })
    served.passHours(2)
    expect(await served.refusal('ActivateOperation', { id: validated }, 'operationExpired')).toMatch(
      /^Nothing was done with the operation for 24 hours/,
    )
    await served.refusal('GetOperation', { id: validated }, 'operationExpired')
    expect(await served.read(staging)).toMatchObject({ state: 'staging', uploaded: 2 })
    await served.stop()
    served.passHours(25)
    await served.resume()
    await served.refusal('ValidateOperation', { id: staging }, 'operationExpired')
    expect(readdirSync(served.folder.path('data/staging'))).toEqual([])
  })

  it('keeps outcomes for thirty days; then an operation is gone, and not unknown', {
    tags: 'long',
  }, async () => {
    await using served = await ServedBulk.start()
    const { id } = await served.apply(monitor('old'))
    served.passHours(29 * 24)
    expect(outcomesOf(await served.read(id))).toEqual(['Monitor/old created'])
    served.passHours(2 * 24)
    expect(await served.refusal('GetOperation', { id }, 'operationExpired')).toBe(
      'The outcomes of an operation are kept for 30 days.',
    )
    await served.refusal('GetOperation', { id: `${id.slice(0, -1)}x` }, 'notFound')
  })
})
