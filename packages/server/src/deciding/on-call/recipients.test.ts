// What a step reaches when its names lead nowhere: resources of v2 may refer to what a fleet file has dropped.
import { expect, it } from 'vitest'
import { personDefinition, scheduleDefinition } from '../../config/fleet-file/on-call-definition.ts'
import { type OnCallFleet, recipientsOf } from './recipients.ts'

const log = { type: 'log', config: {} }
const rota = (person: string) =>
  scheduleDefinition({ layers: [{ people: [person], start: '2026-01-01T00:00' }] })
const fleet: OnCallFleet = {
  endpoints: new Map([['phone', log]]),
  groups: new Map([['leads', ['gone', 'phone']]]),
  people: new Map([
    ['ana', personDefinition({ endpoints: ['gone', 'phone'] })],
    ['bo', personDefinition({ endpoints: ['gone'] })],
  ]),
  schedules: new Map([
    ['of-bo', rota('bo')],
    ['of-nobody-known', rota('cy')],
  ]),
}

const reached = (...notify: Parameters<typeof recipientsOf>[0]) =>
  recipientsOf(notify, fleet, Date.UTC(2026, 2, 2)).map(({ person, endpoints }) => [person, endpoints])
const of = (kind: 'person' | 'schedule', name: string) => ({ kind, name, allEndpoints: false })

it('tells people on the endpoints that are left', () => {
  expect(reached(of('person', 'ana'))).toEqual([['ana', ['phone']]])
  expect(reached({ kind: 'group', name: 'leads' })).toEqual([[null, ['phone']]])
})

it.each([
  ['a person without any that is left', of('person', 'bo')],
  ['a schedule by which such a person is on call', of('schedule', 'of-bo')],
  ['a person that was deleted', of('person', 'cy')],
  ['a schedule by which such a person is on call', of('schedule', 'of-nobody-known')],
  ['a schedule that was deleted', of('schedule', 'gone')],
  ['a group that was deleted', { kind: 'group' as const, name: 'gone' }],
  ['an endpoint that was deleted', { kind: 'endpoint' as const, name: 'gone' }],
])('reaches nobody by %s', (_, recipient) => {
  expect(reached(recipient)).toEqual([])
})
