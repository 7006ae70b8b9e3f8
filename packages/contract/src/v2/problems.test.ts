import { describe, expect, it } from 'vitest'
import { problems as v1Problems } from '../v1/problem.ts'
import { categoryByStatus, notServedCode, problems } from './problems.ts'

describe('error codes', () => {
  it.each(Object.entries(problems))(
    '%s is camelCase and belongs to an error status',
    (code, { status, title }) => {
      expect(code).toMatch(/^[a-z][A-Za-z]+$/)
      expect(status).toBeGreaterThanOrEqual(400)
      expect(title).toBeTruthy()
    },
  )

  it('has a category for every status that a code belongs to, unless it depends on the operation', () => {
    const statuses = new Set(Object.values(problems).map(({ status }) => status))
    const missing = [...statuses].filter((status) => !(status in categoryByStatus))
    expect(missing).toEqual([500, 503])
  })

  it('knows the code that editions without v2 answer with', () => {
    expect(v1Problems[notServedCode].status).toBe(404)
  })
})
