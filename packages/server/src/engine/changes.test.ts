import { expect, it } from 'vitest'
import { Changes } from './changes.ts'

const opened = { type: 'incident_opened', at: 0, incidentId: 'i' } as const

it('gives each change once', () => {
  const changes = new Changes()
  changes.note(3, [opened])
  expect(changes.take()).toEqual({
    slots: new Set([3]),
    overflowed: false,
    incidents: [{ slot: 3, event: opened }],
  })
  expect(changes.take()).toEqual({ slots: new Set(), incidents: [], overflowed: false })
})

it('knows of incidents only what opens and closes them', () => {
  const changes = new Changes()
  changes.note(3, [{ type: 'incident_suppressed', at: 0, suppressedBy: 'gateway' }])
  expect(changes.take()).toMatchObject({ slots: new Set([3]), incidents: [] })
})

it('keeps no more than a bound, and says that there was more', () => {
  const changes = new Changes()
  for (let slot = 0; slot < 2_001; slot++) changes.note(slot, [opened])
  const { slots, incidents, overflowed } = changes.take()
  expect([slots.size, incidents.length, overflowed]).toEqual([2_000, 2_000, true])
})
