import { describe, expect, it } from 'vitest'
import type { MonitorRow } from '../../data/monitors.ts'
import { monitorsAsCsv } from './csv.ts'

const row: MonitorRow = {
  id: 7,
  name: 'Shop',
  pulse_type: 'http',
  status: 'up',
  incident: false,
  pending_code: '',
  active_codes: [],
  target: 'http://shop/',
  interval_ms: 5000,
  timeout_ms: 2000,
  consecutive_failures: 0,
  last_check: null,
  last_success: null,
  next_check: null,
  latency_ms: 1.5,
  healthy_samples: 1,
  total_samples: 1,
  healthy_sample_percent: 100,
  warning: null,
  unknown_actions: 0,
  tags: ['a', 'b'],
}

describe('rows as CSV', () => {
  it('have a heading, a line each, and an empty cell for what is not known', () => {
    const [heading, first, end] = monitorsAsCsv([row]).split('\r\n')
    expect(heading).toMatch(/^id,monitor_id,name,/)
    expect(first).toBe('7,,"Shop","http","up",false,"","http://shop/",5000,2000,0,,,,1.5,1,1,100,,0,"a b"')
    expect(end).toBe('')
  })

  it('do not let a name run as a formula', () => {
    expect(monitorsAsCsv([{ ...row, name: '=HYPERLINK("http://evil")' }])).toContain(
      `,"'=HYPERLINK(""http://evil"")",`,
    )
  })
})
