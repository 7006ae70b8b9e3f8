import { expect, it } from 'vitest'
import { escalationPolicy } from '../../config/fleet-file/on-call-definition.ts'
import { type Member, type Page, valueOfStore } from './page.ts'

const rules = escalationPolicy({
  steps: [{ notify: [{ person: 'ana' }] }],
  last_resort: { endpoints: ['chat'] },
})

it('of a version whose incidents had no severity takes them for critical, in no order', () => {
  const older = { monitorId: 'a', page: 'p', incidentId: 'i' } as unknown as Member
  expect(valueOfStore(older)).toEqual({ ...older, forgotten: null, severity: 'critical', order: 0 })
  const member: Member = { ...older, forgotten: 1, severity: 'info', order: 3 }
  expect(valueOfStore(member)).toEqual(member)
})

it('of a version whose policies named no last resort tells nobody then, and keeps the one that it has', () => {
  const { lastResort, ...older } = rules
  const read = (of: object) => {
    const page = valueOfStore({ id: 'p', rules: of, told: [] } as unknown as Page)
    return 'rules' in page ? page.rules.lastResort : null
  }
  expect(read(older)).toEqual({ groups: [], endpoints: [] })
  expect(read(rules)).toEqual(lastResort)
})
