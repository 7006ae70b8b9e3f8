// The audit finds each thing that must never happen, and nothing in a history where all is well.
import type { HistoryEvent } from '@pulseward/contract'
import { describe, expect, it } from 'vitest'
import * as audit from './audit.ts'
import { crashMonitors } from './crash-fleet.ts'
import type { Receipt } from './crash-receivers.ts'
import { RecoveryWitness } from './recovery-witness.ts'

const monitors = new Map(crashMonitors(2).map((monitor) => [monitor.id, monitor]))
const [red, alsoRed] = monitors.get('monitor-0')!.redTo as [string, string]

/** `opened`, `closed`, or what an action to hook-0 went through. */
function history(...words: readonly (string | Partial<HistoryEvent>)[]): HistoryEvent[] {
  return words.map((word, index) => {
    const given = typeof word === 'string' ? eventOf(word) : word
    return { ...blank, id: String(index + 1), ...given }
  })
}

const blank: HistoryEvent = {
  id: '0',
  monitor_id: 'monitor-0',
  at: '2026-01-01T00:00:00.000Z',
  type: 'own_fault',
  revision: 1,
  incident_id: 'incident',
  action_id: null,
  kind: null,
  color: null,
  endpoint: null,
  outcome: null,
  reason: null,
  actor: null,
}

/** `incident_opened`, or `action_queued a hook-0 [outcome]`. */
function eventOf(word: string): Partial<HistoryEvent> {
  const [type, action, endpoint, outcome] = word.split(' ') as [HistoryEvent['type'], ...string[]]
  if (action === undefined) return { type }
  const ofAction = { action_id: action, kind: 'code', color: 'red', endpoint: endpoint ?? red } as const
  return { type, ...ofAction, outcome: (outcome ?? null) as HistoryEvent['outcome'] }
}

const told = (action: string, endpoint: string) =>
  ['queued', 'started', 'succeeded'].map((state) => `action_${state} ${action} ${endpoint}`)
const well = history(
  ...['incident_opened', ...told('a', red), ...told('b', alsoRed), 'incident_closed', 'incident_opened'],
  'action_queued c',
  `action_queued d ${alsoRed}`,
  'incident_closed',
  'action_cancelled c hook-0 superseded',
  `action_cancelled d ${alsoRed} superseded`,
)
const receipt: Receipt = {
  ...{ kind: 'code', actionId: 'a', monitorId: 'monitor-0' },
  ...{ endpoint: 'hook-0', isRefused: false, page: null },
}

it('finds nothing wrong where all is well', () => {
  expect([
    ...audit.changedEvents(well.slice(0, 5), well),
    ...audit.missingEvents(well),
    ...audit.disorderedIncidents(well),
    ...audit.disorderedActions(well),
    ...audit.unfoundedCalls(well, [receipt]),
    ...audit.openAfterRestart(well.slice(0, 3), well),
    ...audit.untoldIncidents(well, monitors),
  ]).toEqual([])
})

describe('a red that fails for good', () => {
  const later = { at: '2026-01-01T00:00:01.000Z' }
  const next = (more: Partial<HistoryEvent>) => ({
    ...eventOf(`action_queued c ${red}`),
    incident_id: 'next',
    ...more,
  })
  const failing = ['incident_opened', 'action_queued a', 'action_started a', 'incident_closed']
  const after = (event: Partial<HistoryEvent>) =>
    audit.untoldIncidents(history(...failing, 'action_failed a', event, ...told('b', alsoRed)), monitors)

  it('is not tried again when the red of the next incident takes its place', () => {
    expect(after(next({}))).toEqual([])
  })

  it('is tried again if the red of the next incident comes later, or goes elsewhere', () => {
    expect(after(next(later))).toHaveLength(1)
    expect(after(next({ endpoint: alsoRed }))).toHaveLength(1)
  })
})

it('finds no second recovery where the first call arrives late', () => {
  const successesAt = [110, 120]
  const witness = new RecoveryWitness(
    monitors,
    (_, sinceMs) => successesAt.filter((atMs) => atMs >= sinceMs).length,
  )
  witness.called('monitor-0', 130)
  witness.called('monitor-0', 100)
  expect(witness.violations).toEqual([])
})

describe('finds', () => {
  it('an event that is gone, one that changed, and one out of order', () => {
    expect(audit.changedEvents(well, well.slice(0, -1))).toHaveLength(1)
    expect(audit.changedEvents(history('incident_opened'), history('incident_closed'))).toHaveLength(1)
    expect(audit.missingEvents(well.slice(1))).toHaveLength(1)
    expect(audit.missingEvents(well.toReversed())).toHaveLength(1)
  })

  it.for([
    ['an incident that opens twice', ['incident_opened', 'incident_opened']],
    ['an incident that closes twice', ['incident_opened', 'incident_closed', 'incident_closed']],
  ] as const)('%s', ([, words]) => {
    expect(audit.disorderedIncidents(history(...words))).toHaveLength(1)
  })

  it.for([
    ['starts twice', ['queued', 'started', 'started']],
    ['ends twice', ['queued', 'started', 'succeeded', 'unknown']],
    ['starts without having been queued', ['started']],
    ['is cancelled after it was started', ['queued', 'started', 'cancelled']],
  ] as const)('an action that %s', ([, states]) => {
    expect(audit.disorderedActions(history(...states.map((state) => `action_${state} a`)))).toHaveLength(1)
  })

  it('a call without a start, and one that arrives twice', () => {
    expect(audit.unfoundedCalls(history('action_queued a'), [receipt])).toHaveLength(1)
    expect(audit.unfoundedCalls([], [receipt])).toHaveLength(1)
    expect(audit.unfoundedCalls(well, [receipt, receipt])).toHaveLength(1)
  })

  it('an action of an earlier process that never ends', () => {
    const started = history('action_queued a', 'action_started a')
    expect(audit.openAfterRestart(started, started)).toHaveLength(1)
  })

  it.for([
    ['that was not notified', []],
    ['whose red was withdrawn without a reason', ['action_queued a', 'action_cancelled a hook-0 removed']],
    ['whose red was not tried again', ['action_queued a', 'action_started a', 'action_failed a']],
  ] as const)('an incident %s', ([, words]) => {
    const events = history('incident_opened', ...words, ...told('b', alsoRed))
    expect(audit.untoldIncidents(events, monitors)).toHaveLength(1)
  })

  it('a second recovery before the target was well for long enough', () => {
    const successesAt = [110, 120]
    const witness = new RecoveryWitness(
      monitors,
      (_, sinceMs) => successesAt.filter((atMs) => atMs >= sinceMs).length,
    )
    witness.called('monitor-0', 100)
    witness.called('monitor-0', 130)
    expect(witness.violations).toEqual([])
    successesAt.push(140)
    witness.called('monitor-0', 150)
    expect(witness.violations).toHaveLength(1)
  })
})
