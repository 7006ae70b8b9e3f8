import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import type { ActionEvent } from '../deciding/actions/ledger-decision.ts'
import { type DecidedEvent, type Decision, loggedEvent, nothingDecided } from '../deciding/decision.ts'
import type { HealthTable } from '../deciding/health-table.ts'
import { DecisionLog } from './decision-log.ts'

const nothingSeen = { certificateExpiresAt: null, certificateObservedAt: null }

function collecting() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  const health = {
    noteOf: (row: number) => (row === 0 ? { ...nothingSeen, lastError: 'HTTP 503' } : null),
  } as HealthTable
  return { lines, decisions: new DecisionLog(log, health) }
}

/** Row 0 has failed with HTTP 503; -1 has nothing to say. */
function decision(row: number, ...events: DecidedEvent[]): Decision {
  return { ...nothingDecided, events: events.map((event) => ({ row, event })) }
}

const opened = {
  type: 'incident_opened',
  at: 0,
  incidentId: 'i',
  because: { kind: 'threshold', failures: 3, threshold: 3 },
} as const
const closed = {
  type: 'incident_closed',
  at: 0,
  incidentId: 'i',
  outcome: 'recovered',
  because: { kind: 'recovery_threshold', successes: 2, threshold: 2 },
} as const

describe('what the log hears of decisions', () => {
  it('names the monitor, the reason and the outcome', () => {
    const { lines, decisions } = collecting()
    decisions.follow(decision(0, loggedEvent('shop', opened)))
    decisions.follow(decision(-1, loggedEvent('shop', closed)))
    expect(lines).toMatchObject([
      { monitor: 'shop', reason: 'HTTP 503', msg: 'an incident was opened' },
      { monitor: 'shop', outcome: 'recovered', msg: 'an incident was closed' },
    ])
  })

  it('counts what comes in a storm instead of naming it', () => {
    const { lines, decisions } = collecting()
    for (let monitor = 0; monitor < 1000; monitor++)
      decisions.follow(decision(-1, loggedEvent(`m${monitor}`, opened)))
    decisions.summarise()
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toMatchObject({ events: 980 })
    decisions.summarise()
    expect(lines).toHaveLength(21)
    decisions.follow(decision(-1, loggedEvent('next', opened)))
    expect(lines).toHaveLength(22)
  })
})

describe('what the log hears of actions', () => {
  const ofAction = { monitorId: 'shop', at: 0, incidentId: 'i', actionId: 'a', actor: null, because: null }
  const red = { ...ofAction, kind: 'code', color: 'red', endpoint: 'ops' }
  const ofActions = (...events: ActionEvent[]) => decision(0, ...events)

  it('warns of what was not delivered, to whom, at which try and why', () => {
    const { lines, decisions } = collecting()
    decisions.follow(
      ofActions(
        { ...red, type: 'action_failed', outcome: 'rejected', detail: { attempt: 2, reason: 'HTTP 503' } },
        { ...red, type: 'action_unknown', outcome: 'interrupted', detail: { attempt: 1, reason: 'killed' } },
      ),
    )
    const fields = { level: 40, monitor: 'shop', endpoint: 'ops', color: 'red' }
    expect(lines).toMatchObject([
      { ...fields, attempt: 2, reason: 'HTTP 503', msg: 'a notification was rejected' },
      { ...fields, attempt: 1, reason: 'killed', outcome: 'interrupted' },
    ])
  })

  it('warns of a destination in trouble and says when it is over', () => {
    const { lines, decisions } = collecting()
    const of = { ...red, monitorId: null, incidentId: null, actionId: null, kind: null, color: null }
    decisions.follow(
      ofActions(
        { ...of, type: 'destination_ailing', outcome: null, detail: { reason: 'HTTP 503' } },
        { ...of, type: 'destination_recovered', outcome: null, detail: null },
      ),
    )
    expect(lines).toMatchObject([
      { level: 40, endpoint: 'ops', reason: 'HTTP 503' },
      { level: 30, endpoint: 'ops', msg: 'a destination accepts notifications again' },
    ])
  })

  it('says nothing of what goes as it should', () => {
    const { lines, decisions } = collecting()
    for (const type of ['action_queued', 'action_started', 'action_succeeded', 'action_cancelled'] as const)
      decisions.follow(ofActions({ ...red, type, outcome: null, detail: null }))
    expect(lines).toEqual([])
  })
})
