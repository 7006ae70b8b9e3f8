// A monitor that is deleted and created again is another one: what was decided on the one before does not fit it, over
// restarts and in operations of many too.
import { expectV2Answer } from '@pulseward/testing/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { monitor, ServedBulk } from '../bulk/served.fixture.ts'

let served: ServedBulk
beforeAll(async () => {
  served = await ServedBulk.start()
})
afterAll(() => served[Symbol.asyncDispose]())

const ifMatch = (version = '') => ({ 'if-match': `"${version}"` })

async function read(id: string) {
  const { metadata, status } = await expectV2Answer('GetMonitor', await served.call('GetMonitor', { id }))
  return { version: metadata.resourceVersion, revision: status?.controlRevision ?? '' }
}

async function remove(id: string): Promise<void> {
  const { version } = await read(id)
  const answer = await served.call('DeleteMonitor', { id, headers: ifMatch(version) })
  expect(answer.status).toBe(200)
}

async function snooze(id: string, revision: string): Promise<number> {
  const body = { revision, reason: 'work', duration: '1h' }
  return (await served.call('SnoozeMonitor', { id, body, headers: ifMatch(revision) })).status
}

describe('a monitor that was deleted and created again', () => {
  it('has another control revision, which an old one does not fit', async () => {
    await served.put(monitor('again'))
    const { revision: old } = await read('again')
    await remove('again')
    await served.put(monitor('again'))
    const { revision } = await read('again')
    expect(revision).not.toBe(old)
    expect(await snooze('again', old)).toBe(412)
    expect(await snooze('again', revision)).toBe(200)
  })

  it('keeps its own over a restart, before and after its first control', async () => {
    await served.put(monitor('kept'))
    const { revision: first } = await read('kept')
    await snooze('kept', first)
    const { revision: snoozed } = await read('kept')
    await remove('kept')
    await served.put(monitor('kept'))
    const { revision } = await read('kept')
    expect([first, snoozed]).not.toContain(revision)
    await served.restart()
    expect((await read('kept')).revision).toBe(revision)
    expect(await snooze('kept', snoozed)).toBe(412)
    expect(await snooze('kept', revision)).toBe(200)
    const { revision: last } = await read('kept')
    await served.restart()
    expect((await read('kept')).revision).toBe(last)
  })

  it('is also another one when a restart lies between', async () => {
    await served.put(monitor('between'))
    const { revision: old } = await read('between')
    await remove('between')
    await served.restart()
    await served.put(monitor('between'))
    expect(await snooze('between', old)).toBe(412)
  })

  it('is not what an operation has frozen', async () => {
    await served.put(monitor('frozen'))
    const control = { verb: 'snooze', ids: ['frozen'], reason: 'work', duration: '1h' }
    const { id } = await expectV2Answer(
      'CreateOperation',
      await served.call('CreateOperation', { body: { control } }),
    )
    await remove('frozen')
    await served.put(monitor('frozen'))
    const { items } = await served.activate(id)
    expect(items).toMatchObject([{ id: 'frozen', outcome: 'conflict' }])
  })
})
