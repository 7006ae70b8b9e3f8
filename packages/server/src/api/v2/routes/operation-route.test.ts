import { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { type ServedNext, serveNext } from '@pulseward/testing/editions'
import { TestService } from '@pulseward/testing/engine'
import { batch, operation } from '@pulseward/testing/store'
import { describe, expect, it } from 'vitest'

const driver = { type: 'http', config: { url: 'http://shop.test/' } }
const document = (interval: string) => ({
  apiVersion: v2.apiVersion,
  kind: 'Monitor',
  metadata: { id: 'shop' },
  spec: { check: { driver, interval, timeout: '5s' } },
})

const operationOf = (response: Response) => response.headers.get('x-operation-id') ?? ''

async function read(next: ServedNext, id: string): Promise<v2.Operation> {
  return expectV2Answer('GetOperation', await next.call('GetOperation', { id }))
}

describe('the operation of a single write', () => {
  it('says what became of it, from create to delete', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const created = await next.call('CreateMonitor', {
      body: document('10s'),
      headers: { 'if-none-match': '*' },
    })
    const first = created.headers.get('etag') ?? ''
    const version = first.replaceAll('"', '')
    const done = { state: 'completed', actor: 'the-operator', itemCount: 1, committed: 1, applied: 1 }
    const item = { id: 'shop', committed: true, applied: true }
    expect(await read(next, operationOf(created))).toEqual({
      id: operationOf(created),
      ...done,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      items: [{ ...item, outcome: 'created', newVersion: version }],
    })
    const replaced = await next.call('ReplaceMonitor', {
      id: 'shop',
      body: document('20s'),
      headers: { 'if-match': first },
    })
    const second = replaced.headers.get('etag') ?? ''
    expect(await read(next, operationOf(replaced))).toMatchObject({
      ...done,
      items: [{ ...item, outcome: 'updated', oldVersion: version, newVersion: second.replaceAll('"', '') }],
    })
    const deleted = await next.call('DeleteMonitor', { id: 'shop', headers: { 'if-match': second } })
    const answer = await expectV2Answer('DeleteMonitor', deleted)
    const kept = await read(next, answer.id)
    expect(kept).toMatchObject({ ...done, reason: 'The Monitor shop was deleted.' })
    expect(kept).not.toHaveProperty('items')
  })

  it('is not found by an id that was never given, however well it is made up', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const created = await next.call('CreateMonitor', {
      body: document('10s'),
      headers: { 'if-none-match': '*' },
    })
    const id = operationOf(created)
    for (const other of [
      id.replace('op-1-', 'op-2-'),
      `${id}0`,
      id.toUpperCase(),
      'op-1-0000000000000000',
      'x',
    ])
      await expectV2Problem('GetOperation', await next.call('GetOperation', { id: other }), 'notFound')
  })

  it('has expired when its record is no longer kept', async () => {
    const service = await TestService.start({ monitors: [] })
    const create = { body: document('10s'), headers: { 'if-none-match': '*' } }
    let id = ''
    {
      await using next = await serveNext(service)
      id = operationOf(await next.call('CreateMonitor', create))
      await read(next, id)
    }
    await service.store.commit(batch({ operations: [operation(1_000_001)] }))
    expect(await service.store.retain(service.clock.wallMs(), 10)).toBe(1)
    await using next = await serveNext(service)
    const response = await next.call('GetOperation', { id })
    const { detail } = await expectV2Problem('GetOperation', response, 'operationExpired')
    expect(detail).toBe('Only the last 1000000 operations of single writes are kept.')
  })

  it('is kept of a write that changes nothing, and its id is not given again', async () => {
    const service = await TestService.start({ monitors: [] })
    const create = { body: document('10s'), headers: { 'if-none-match': '*' } }
    let left = ''
    {
      await using next = await serveNext(service)
      const created = await next.call('CreateMonitor', create)
      const tag = created.headers.get('etag') ?? ''
      const call = { id: 'shop', body: document('10s'), headers: { 'if-match': tag } }
      const same = await next.call('ReplaceMonitor', call)
      expect([same.status, same.headers.get('etag')]).toEqual([200, tag])
      left = operationOf(same)
      const version = tag.replaceAll('"', '')
      expect(await read(next, left)).toMatchObject({
        state: 'completed',
        items: [{ id: 'shop', outcome: 'unchanged', oldVersion: version, newVersion: version }],
      })
    }
    await using next = await serveNext(service)
    await read(next, left)
    const other = { ...document('10s'), metadata: { id: 'other' } }
    expect(operationOf(await next.call('CreateMonitor', { ...create, body: other }))).not.toBe(left)
  })

  it('is not found when the write was refused', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const create = { body: document('10s'), headers: { 'if-none-match': '*' } }
    const created = await next.call('CreateMonitor', create)
    const refused = await next.call('CreateMonitor', create)
    await expectV2Problem('CreateMonitor', refused, 'versionConflict')
    expect(refused.headers.get('x-operation-id')).toBeNull()
    await read(next, operationOf(created))
  })

  it('takes no cursor, since it has given none', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [] }))
    const created = await next.call('CreateMonitor', {
      body: document('10s'),
      headers: { 'if-none-match': '*' },
    })
    const call = { id: operationOf(created), query: '?cursor=bm90aGluZw' }
    await expectV2Problem('GetOperation', await next.call('GetOperation', call), 'invalidCursor')
  })
})
