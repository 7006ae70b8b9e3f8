import { expect, it } from 'vitest'
import { LiveChanges } from './live-changes.ts'

const because = { kind: 'threshold', failures: 3, threshold: 3 } as const
const opened = { type: 'incident_opened', at: 0, incidentId: 'i', because } as const

it('gives each change once', () => {
  const changes = new LiveChanges({ afterCommit: (effect) => effect() })
  changes.note(3, [opened])
  expect(changes.take()).toEqual({
    rows: new Set([3]),
    overflowed: false,
    incidents: [{ row: 3, event: opened }],
  })
  expect(changes.take()).toEqual({ rows: new Set(), incidents: [], overflowed: false })
})

it('knows of incidents only what opens and closes them', () => {
  const changes = new LiveChanges({ afterCommit: (effect) => effect() })
  const suppressed = { kind: 'ancestor', ancestor: 'gateway' } as const
  changes.note(3, [{ type: 'incident_suppressed', at: 0, because: suppressed }])
  expect(changes.take()).toMatchObject({ rows: new Set([3]), incidents: [] })
})

it('keeps no more than a bound, and says that there was more', () => {
  const changes = new LiveChanges({ afterCommit: (effect) => effect() })
  for (let row = 0; row < 2_001; row++) changes.note(row, [opened])
  const { rows, incidents, overflowed } = changes.take()
  expect([rows.size, incidents.length, overflowed]).toEqual([2_000, 2_000, true])
})
