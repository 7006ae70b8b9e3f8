import { expect, it } from 'vitest'
import { escalationPolicy } from '../../config/fleet-file/on-call-definition.ts'
import { type Page, valueOfStore } from './page.ts'

const rules = escalationPolicy({
  steps: [{ notify: [{ person: 'ana' }] }],
  last_resort: { endpoints: ['chat'] },
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
