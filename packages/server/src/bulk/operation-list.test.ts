// The list of operations over HTTP, against the edition next on a store in files.
import { expectV2Answer } from '@pulseward/testing/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { itemsOf, monitor, ServedBulk } from './served.fixture.ts'

let served: ServedBulk
beforeAll(async () => {
  served = await ServedBulk.start()
})
afterAll(() => served[Symbol.asyncDispose]())

describe('the list of operations', () => {
  it('has the newest first, with who began each, when, and how far it is, and without single writes', async () => {
    const completed = await served.apply(monitor('listed-1'), monitor('listed-2'))
    await served.put(monitor('single'))
    const control = { verb: 'snooze', ids: ['listed-1'], reason: 'work', duration: '1h' }
    const snooze = await expectV2Answer(
      'CreateOperation',
      await served.call('CreateOperation', { body: { control } }),
    )
    const items = itemsOf(monitor('listed-3'), monitor('listed-4'))
    const staging = await served.create(items)
    await served.upload(staging, items.slice(0, 1))
    const { items: rows, nextCursor } = await served.list()
    expect(nextCursor).toBeUndefined()
    expect(rows).toEqual([
      expect.objectContaining({ id: staging, state: 'staging', itemCount: 2, uploaded: 1 }),
      expect.objectContaining({ id: snooze.id, state: 'validated', verb: 'snooze', itemCount: 1 }),
      expect.objectContaining({ id: completed.id, state: 'completed', itemCount: 2, applied: 2 }),
    ])
    for (const row of rows) {
      const { items: outcomes, ...read } = await served.read(row.id)
      expect(row).toEqual(read)
      expect(row.actor).toBe('first')
      expect(Date.parse(row.createdAt ?? '')).toBeLessThanOrEqual(Date.parse(row.updatedAt ?? ''))
    }
    served.passMinutes(5)
    await served.upload(staging, items)
    const [again] = (await served.list('?limit=1')).items
    expect(Date.parse(again?.updatedAt ?? '') - Date.parse(again?.createdAt ?? '')).toBeGreaterThanOrEqual(
      300_000,
    )
    await served.call('CancelOperation', { id: staging })
    await served.call('CancelOperation', { id: snooze.id })
    expect((await served.list('?state=staging')).items).toEqual([])
    expect((await served.list('?state=cancelled')).items.map(({ id }) => id)).toEqual([staging, snooze.id])
    expect((await served.list('?state=completed')).items.map(({ id }) => id)).toEqual([completed.id])
  })

  it('goes on page by page as it was when it was begun, under a cursor of the same state', async () => {
    const ids: string[] = []
    for (const { id } of (await served.list('?state=staging')).items)
      await served.call('CancelOperation', { id })
    for (let n = 0; n < 5; n++) ids.unshift(await served.create(itemsOf(monitor('paged'))))
    const first = await served.list('?state=staging&limit=2')
    await served.create(itemsOf(monitor('later')))
    const second = await served.list(`?state=staging&limit=2&cursor=${first.nextCursor}`)
    const third = await served.list(`?state=staging&limit=2&cursor=${second.nextCursor}`)
    expect([first, second, third].flatMap(({ items }) => items.map(({ id }) => id))).toEqual(ids)
    expect(third).not.toHaveProperty('nextCursor')
    expect(await served.list(`?state=staging&limit=2&cursor=${first.nextCursor}`)).toMatchObject({
      items: second.items,
    })
    await served.refusal('ListOperations', { query: `?limit=2&cursor=${first.nextCursor}` }, 'invalidCursor')
    await served.refusal('ListOperations', { query: '?selector=a' }, 'unsupportedFilter')
    await served.refusal('ListOperations', { query: '?state=asleep' }, 'invalidParameter')
  })

  it('shows after a restart what it showed before', async () => {
    const before = await served.list()
    await served.restart()
    const after = await served.list()
    expect(after.items).toEqual(before.items)
  })
})
