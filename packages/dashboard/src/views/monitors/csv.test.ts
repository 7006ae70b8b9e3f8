import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MonitorRow } from '../../data/monitors.ts'
import { cell, monitorsAsCsv } from './csv.ts'

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

  it.each(['=1+1', '+cmd', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '  =1', '＝1'])(
    'do not let %j run as a formula',
    (name) => {
      expect(cell(name)).toBe(`"'${name}"`)
    },
  )

  it('leave numbers numbers', () => {
    expect(cell(-2)).toBe('-2')
  })

  it('never let a text out of its cell', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab"\'=,;@\r\n\t\0 é😀') }), (text) => {
        const written = cell(text)
        const inside = written.slice(1, -1)
        expect(written.startsWith('"') && written.endsWith('"')).toBe(true)
        expect(inside.replaceAll('""', '')).not.toContain('"')
        expect(inside.replaceAll('""', '"').endsWith(text)).toBe(true)
      }),
    )
  })
})
