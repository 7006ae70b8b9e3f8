// The audit of pages finds each thing that must never happen, and nothing in a history where all is well.
import type { NextHistoryEvent } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import * as pages from './audit-pages.ts'
import { crashMonitors } from './crash-fleet.ts'
import type { Receipt } from './crash-receivers.ts'

const monitors = new Map(crashMonitors(3).map((monitor) => [monitor.id, monitor]))
const { policy } = monitors.get('monitor-0')!

const blank: NextHistoryEvent = {
  id: '0',
  monitor_id: 'monitor-0',
  at: '2026-01-01T00:00:00.000Z',
  type: 'escalation',
  revision: 1,
  incident_id: 'incident',
  action_id: null,
  kind: null,
  color: null,
  endpoint: null,
  outcome: null,
  reason: null,
  actor: null,
  note: null,
  because: null,
}

const stepBecause = (step: number) => ({ kind: 'policy_step', policy: policy!, round: 1, step }) as const

/** An incident opens, and its page with it. */
const opened = [
  { type: 'incident_opened' },
  { reason: `the policy ${policy} has started`, because: stepBecause(1) },
] as const
const tells = (people: string, step: number) => ({
  reason: `tells ${people}`,
  because: stepBecause(step),
})

/** An action of a page is `queued`, `started`, `succeeded` … */
const action = (state: string, id: string, because: NextHistoryEvent['because'] = stepBecause(1)) => ({
  type: `action_${state}` as NextHistoryEvent['type'],
  monitor_id: null,
  action_id: id,
  endpoint: `to-${id}`,
  because,
})
const sent = (id: string, step: number) => [
  action('queued', id, stepBecause(step)),
  action('started', id, stepBecause(step)),
  action('succeeded', id, stepBecause(step)),
]

function history(...events: readonly Partial<NextHistoryEvent>[]): NextHistoryEvent[] {
  return events.map((event, index) => ({ ...blank, id: String(index + 1), ...event }))
}

const well = history(
  ...opened,
  tells('ana, hook-0', 1),
  ...sent('a', 1),
  ...sent('b', 1),
  tells('bo', 2),
  ...sent('c', 2),
  { type: 'incident_closed' },
  { reason: `the policy ${policy} has ended`, because: { kind: 'page_ended', policy: policy! } },
  // A monitor without a policy.
  { type: 'incident_opened', monitor_id: 'monitor-2', incident_id: 'unpaged' },
)

const receipt = (parts: Partial<Receipt> = {}, page: Partial<Receipt['page']> = {}): Receipt => ({
  kind: 'code',
  actionId: 'a',
  monitorId: 'monitor-0',
  endpoint: 'hook-0',
  isRefused: false,
  page: { id: 'page', stage: 'step', key: '1 1', ...page },
  ...parts,
})

it('finds nothing wrong where all is well', () => {
  const refused = receipt({ isRefused: true, actionId: 'refused' })
  const receipts = [
    refused,
    refused,
    receipt(),
    receipt({ actionId: 'b', endpoint: 'hook-1' }),
    receipt({ actionId: 'c' }, { key: '1 2' }),
    receipt({ actionId: 'd' }, { stage: 'ended', key: '1 2' }),
    receipt({ actionId: 'e' }, { id: 'another page' }),
    receipt({ actionId: 'f', page: null }),
    receipt({ actionId: 'g', page: null }),
  ]
  expect([
    ...pages.repeatedPages(receipts),
    ...pages.unpagedIncidents(well, monitors),
    ...pages.unsentSteps(well),
    ...pages.unendedPages(well),
  ]).toEqual([])
})

describe('finds', () => {
  it.each([
    ['a step', {}],
    ['the sentence that nobody is on call', { stage: 'nobody' }],
    ['an acknowledgement', { stage: 'acknowledged' }],
    ['an end', { stage: 'ended' }],
  ])('%s that arrives twice', (_, page) => {
    const twice = [receipt({}, page), receipt({ actionId: 'b' }, page)]
    expect(pages.repeatedPages(twice)).toHaveLength(1)
    expect(pages.repeatedPages([twice[0]!, receipt({ actionId: 'b', isRefused: true }, page)])).toHaveLength(
      1,
    )
  })

  it('an end that arrives twice, whichever step came before it', () => {
    const ends = ['1 1', '1 2'].map((key) => receipt({ actionId: key }, { stage: 'ended', key }))
    expect(pages.repeatedPages(ends)).toHaveLength(1)
  })

  it('an incident without a page', () => {
    const another = { type: 'incident_opened', incident_id: 'another' } as const
    expect(pages.unpagedIncidents([...well, ...history(another)], monitors)).toEqual([
      `the incident another of monitor-0 has no page of ${policy}`,
    ])
  })

  it.each([
    ['a step of which nothing is sent', history(...opened, tells('ana', 1))],
    ['a step that is sent to one of two', history(...opened, tells('ana, bo', 1), ...sent('a', 1))],
    ['a step of which only another is sent', history(...opened, tells('ana', 1), ...sent('a', 2))],
    [
      'a step that is sent for another incident',
      history(...opened, tells('ana', 1), ...sent('a', 1).map((one) => ({ ...one, incident_id: 'another' }))),
    ],
    ['a step without a reason', history(...opened, { ...tells('ana', 1), because: null }, ...sent('a', 1))],
  ])('%s', (_, events) => {
    expect(pages.unsentSteps(events)).toHaveLength(1)
  })

  it.each([
    ['stays queued', ['queued']],
    ['is started and never ends', ['queued', 'started']],
  ])('a message that %s', (_, states) => {
    const events = history(...states.map((state) => action(state, 'a')), ...sent('b', 1))
    expect(pages.unendedPages(events)).toEqual(['the action a of a page to to-a never ends'])
  })

  it('no message of a monitor: these are audited with its incidents', () => {
    expect(pages.unendedPages(history({ ...action('queued', 'a'), monitor_id: 'monitor-0' }))).toEqual([])
  })
})
