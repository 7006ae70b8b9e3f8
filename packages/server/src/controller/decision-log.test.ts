import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { DecisionLog } from './decision-log.ts'

function collecting() {
  const lines: Record<string, unknown>[] = []
  const log = pino({ level: 'info', base: null }, { write: (line: string) => lines.push(JSON.parse(line)) })
  return { lines, decisions: new DecisionLog(log) }
}

const opened = { type: 'incident_opened', at: 0, incidentId: 'i' } as const
const closed = { type: 'incident_closed', at: 0, incidentId: 'i', outcome: 'recovered' } as const

describe('what the log hears of decisions', () => {
  it('names the monitor, the reason and the outcome', () => {
    const { lines, decisions } = collecting()
    decisions.note('shop', 'HTTP 503', [opened])
    decisions.note('shop', null, [closed])
    expect(lines).toMatchObject([
      { monitor: 'shop', reason: 'HTTP 503', msg: 'an incident was opened' },
      { monitor: 'shop', outcome: 'recovered', msg: 'an incident was closed' },
    ])
  })

  it('counts what comes in a storm instead of naming it', () => {
    const { lines, decisions } = collecting()
    for (let monitor = 0; monitor < 1000; monitor++) decisions.note(`m${monitor}`, null, [opened])
    decisions.summarise()
    expect(lines).toHaveLength(21)
    expect(lines.at(-1)).toMatchObject({ events: 980 })
    decisions.summarise()
    expect(lines).toHaveLength(21)
    decisions.note('next', null, [opened])
    expect(lines).toHaveLength(22)
  })
})
