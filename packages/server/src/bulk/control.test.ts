// One control of many monitors, as an operation: over HTTP, against the edition next on a store in files.
import type { v2 } from '@pulseward/contract'
import { expectV2Answer } from '@pulseward/testing/api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { monitor, outcomesOf, ServedBulk } from './served.fixture.ts'

let served: ServedBulk
beforeAll(async () => {
  served = await ServedBulk.start({
    fleet: {
      version: 1,
      monitors: [
        { id: 'filed', name: 'Filed', check: { type: 'http', config: { url: 'http://127.0.0.1:9/' } } },
      ],
    },
  })
  const labelled = (id: string, team: string) => monitor(id, {}, { labels: { team } })
  await served.apply(
    labelled('a', 'payments'),
    labelled('b', 'payments'),
    labelled('c', 'search'),
    monitor('d', { enabled: false }, { labels: { team: 'payments' } }),
  )
})
afterAll(() => served[Symbol.asyncDispose]())

async function freeze(control: object): Promise<v2.Operation> {
  return await expectV2Answer('CreateOperation', await served.call('CreateOperation', { body: { control } }))
}

const isEnabled = async (id: string) =>
  (await expectV2Answer('GetMonitor', await served.call('GetMonitor', { id }))).spec.enabled

describe('a control of many monitors', () => {
  it('begins validated, with the monitors and versions that a selector finds at one position', async () => {
    const operation = await freeze({ verb: 'disable', selector: 'team=payments' })
    expect(operation).toMatchObject({ state: 'validated', itemCount: 3, uploaded: 3, validated: true })
    // Neither a monitor that comes later nor a later version of one is touched.
    await served.put(monitor('e', {}, { labels: { team: 'payments' } }))
    await served.put(monitor('b', { tags: ['newer'] }, { labels: { team: 'payments' } }))
    const ended = await served.activate(operation.id)
    expect(outcomesOf(ended)).toEqual(['a updated', 'b conflict', 'd unchanged'])
    expect(ended.state).toBe('partial')
    expect([await isEnabled('a'), await isEnabled('b'), await isEnabled('e')]).toEqual([
      false,
      undefined,
      undefined,
    ])
  })

  it('takes ids, once each, and survives a restart', async () => {
    const operation = await freeze({ verb: 'enable', ids: ['d', 'c', 'd'] })
    await served.restart()
    expect(outcomesOf(await served.activate(operation.id))).toEqual(['d updated', 'c updated'])
    expect(await isEnabled('d')).toBe(true)
  })

  it('of none is completed when it is activated', async () => {
    const { id } = await freeze({ verb: 'enable', selector: 'team=nobody' })
    expect(await served.activate(id)).toMatchObject({ state: 'completed', itemCount: 0 })
  })

  it('is refused for ids that name nothing, or something of a file, each by its place', async () => {
    const body = { control: { verb: 'enable', ids: ['a', 'nobody', 'filed'] } }
    const response = await served.call('CreateOperation', { body })
    expect(response.status).toBe(422)
    const { errors } = (await response.json()) as v2.Problem
    expect(errors).toEqual([
      { field: '/control/ids/1', reason: 'notFound', message: 'names a monitor that does not exist' },
      {
        field: '/control/ids/2',
        reason: 'notAllowed',
        message: 'names a monitor of a fleet file; change it there',
      },
    ])
  })

  it('is refused for a selector that cannot be read, and takes no items', async () => {
    await served.refusal(
      'CreateOperation',
      { body: { control: { verb: 'enable', selector: '=,=' } } },
      'invalidResource',
    )
    const { id } = await freeze({ verb: 'enable', ids: ['a'] })
    await served.refusal('UploadOperation', { id, body: { items: [] } })
  })
})
