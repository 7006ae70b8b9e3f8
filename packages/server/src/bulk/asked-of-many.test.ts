// What is asked of many monitors or of their incidents in one operation, over HTTP: each of them is what the single control
// is, on the revision that was frozen.
import type { v2 } from '@pulseward/contract'
import { expectV2Answer, expectV2Problem } from '@pulseward/testing/api'
import { serveNext, type V2Call } from '@pulseward/testing/editions'
import { endpoints, http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'
import { rejected } from '../platform/action-outcome.ts'
import { monitor, outcomesOf, ServedBulk } from './served.fixture.ts'

type Call = (name: v2.OperationName, call?: V2Call) => Promise<Response>

async function freeze(call: Call, control: object): Promise<v2.Operation> {
  return await expectV2Answer('CreateOperation', await call('CreateOperation', { body: { control } }))
}

async function activated(call: Call, id: string): Promise<v2.Operation> {
  await expectV2Answer('ActivateOperation', await call('ActivateOperation', { id }))
  for (;;) {
    const operation = await expectV2Answer('GetOperation', await call('GetOperation', { id }))
    if (operation.state !== 'applying') return operation
  }
}

async function carriedOut(call: Call, control: object): Promise<v2.Operation> {
  return await activated(call, (await freeze(call, control)).id)
}

const check = { type: 'http', interval: '1h', config: { url: 'http://127.0.0.1:9/' } }
const fleet = {
  version: 1,
  monitors: [{ id: 'filed', name: 'Filed', labels: { team: 'payments' }, check }],
}
const planned = { reason: 'planned work', duration: '2h' }

describe('a snooze of many monitors', () => {
  it('is of those that a selector finds, also in files, in the revision that they have then, and survives a restart', async () => {
    await using served = await ServedBulk.start({ fleet })
    const call: Call = (name, asked) => served.call(name, asked)
    const labelled = (id: string, team: string) => monitor(id, {}, { labels: { team } })
    await served.apply(labelled('a', 'payments'), labelled('b', 'payments'), labelled('c', 'search'))
    const frozen = await freeze(call, { verb: 'snooze', selector: 'team=payments', ...planned })
    expect(frozen).toMatchObject({ state: 'validated', itemCount: 3, validated: true })
    expect(outcomesOf(await served.validate(frozen.id)).sort()).toEqual([
      'a updated',
      'b updated',
      'filed updated',
    ])
    await served.put(labelled('later', 'payments'))
    await carriedOut(call, { verb: 'snooze', ids: ['b'], reason: 'mine', duration: '1h' })
    await served.restart()
    const ended = await activated(call, frozen.id)
    expect(outcomesOf(ended).sort()).toEqual(['a updated', 'b conflict', 'filed updated'])
    expect(ended.state).toBe('partial')
    await served.restart()
    const until = async (id: string) =>
      (await expectV2Answer('GetMonitor', await call('GetMonitor', { id }))).status?.snoozedUntil
    for (const id of ['a', 'filed'])
      expect(Date.parse((await until(id)) ?? '')).toBeGreaterThan(Date.now() + 7_000_000)
    for (const id of ['later', 'c']) expect(await until(id)).toBeUndefined()
    const awake = await carriedOut(call, { verb: 'unsnooze', ids: ['filed', 'a', 'c'] })
    expect(outcomesOf(awake)).toEqual(['filed updated', 'a updated', 'c unchanged'])
    expect([awake.state, awake.items?.at(-1)?.message]).toEqual(['completed', 'The monitor is not snoozed.'])
    expect(await until('a')).toBeUndefined()
  })

  it.each([
    ['no duration', { verb: 'snooze', reason: 'x' }, '/control/duration required'],
    ['neither', { verb: 'snooze' }, '/control/reason required, /control/duration required'],
    ['a duration of nothing', { verb: 'snooze', reason: 'x', duration: '0s' }, '/control/duration tooSmall'],
    ['721 hours', { verb: 'snooze', reason: 'x', duration: '721h' }, '/control/duration tooLarge'],
    [
      'a duration of an acknowledgement',
      { verb: 'acknowledge', duration: '1h' },
      '/control/duration misplaced',
    ],
    ['no reason of a dismissal', { verb: 'dismiss' }, '/control/reason required'],
    ['no reason of a recovery', { verb: 'recover', reason: ' ' }, '/control/reason required'],
  ])('with %s is refused, and all that is wrong is named', async (_, control, expected) => {
    await using next = await serveNext(await TestService.start({ monitors: [http('edge')] }))
    const response = await next.call('CreateOperation', { body: { control: { ...control, ids: ['edge'] } } })
    const { errors } = await expectV2Problem('CreateOperation', response, 'invalidResource')
    expect(errors?.map(({ field, reason }) => `${field} ${reason}`).join(', ')).toBe(expected)
  })

  it('of ids that name nothing is refused, each by its place', async () => {
    await using next = await serveNext(await TestService.start({ monitors: [http('edge')] }))
    const control = { verb: 'unsnooze', ids: ['edge', 'nobody'] }
    const response = await next.call('CreateOperation', { body: { control } })
    const { errors } = await expectV2Problem('CreateOperation', response, 'invalidResource')
    expect(errors).toMatchObject([{ field: '/control/ids/1', reason: 'notFound' }])
  })
})

describe('what is asked of many incidents', () => {
  const recovery = { type: 'webhook', config: { url: 'http://runbooks.test/restart' } }
  const notify = { red: { endpoints: ['ops'] }, green: { endpoints: ['ops'] } }
  const labels = { team: 'payments' }

  async function troubled(): Promise<TestService> {
    const monitors = [
      { ...http('one'), labels, notify, recovery },
      { ...http('two'), labels, notify },
      { ...http('well'), labels, notify },
      { ...http('other'), notify },
    ]
    const service = await TestService.start({ monitors, head: endpoints('ops') })
    service.providers.recoveryOutcomeOf = () => rejected('no')
    await service.advance({ seconds: 15 })
    for (const id of ['one', 'two', 'other']) service.target(id).goesDown('HTTP 503')
    await service.advance({ seconds: 60 })
    return service
  }

  it('means the open incidents of the monitors, tells who asked, and has the effect of the single control', async () => {
    const service = await troubled()
    await using next = await serveNext(service)
    const selector = 'team=payments'
    const acknowledged = await carriedOut(next.call, { verb: 'acknowledge', selector, note: 'mine' })
    expect(outcomesOf(acknowledged).sort()).toEqual(['one updated', 'two updated'])
    const dismissed = await carriedOut(next.call, { verb: 'dismiss', selector, reason: 'known' })
    expect(dismissed.state).toBe('completed')
    const { items } = await expectV2Answer('ListIncidents', await next.call('ListIncidents'))
    expect(
      items.map(({ monitorID, acknowledgedBy, dismissed }) => [monitorID, acknowledgedBy, dismissed]).sort(),
    ).toEqual([
      ['one', 'the-operator', true],
      ['other', undefined, false],
      ['two', 'the-operator', true],
    ])
    for (const { id, newVersion } of dismissed.items ?? [])
      expect(items.find(({ monitorID }) => monitorID === id)?.revision).toBe(newVersion)
    const told = service.told.length
    for (const id of ['one', 'two', 'other']) service.target(id).comesBack()
    await service.advance({ seconds: 60 })
    expect(service.told.slice(told)).toEqual(['other green → ops'])
  })

  it('leaves alone what is so already, what has changed and what has closed since it was frozen', async () => {
    const service = await troubled()
    await using next = await serveNext(service)
    const ids = ['one', 'two', 'other']
    const { id } = await freeze(next.call, { verb: 'dismiss', ids, reason: 'known' })
    await carriedOut(next.call, { verb: 'acknowledge', ids: ['one'] })
    service.target('two').comesBack()
    await service.advance({ seconds: 60 })
    const ended = await activated(next.call, id)
    expect(outcomesOf(ended)).toEqual(['one conflict', 'two failed', 'other updated'])
    const again = await carriedOut(next.call, { verb: 'dismiss', ids: ['other'], reason: 'known' })
    expect(outcomesOf(again)).toEqual(['other unchanged'])
    expect(outcomesOf(await carriedOut(next.call, { verb: 'reopen', ids }))).toEqual([
      'one unchanged',
      'other updated',
    ])
  })

  it('recovers by hand what can be recovered, no more often than one control may', async () => {
    const service = await troubled()
    await using next = await serveNext(service)
    const before = service.providers.recoveries.length
    const control = { verb: 'recover', ids: ['one', 'two', 'well'], reason: 'the runbook was repaired' }
    expect(outcomesOf(await carriedOut(next.call, control))).toEqual([
      'one updated',
      'two failed',
      'well failed',
    ])
    await service.advance({ seconds: 5 })
    const again = await carriedOut(next.call, control)
    expect([again.state, outcomesOf(again)[0]]).toEqual(['failed', 'one failed'])
    await service.advance({ seconds: 5 })
    expect(service.providers.recoveries.length).toBe(before + 1)
  })
})
