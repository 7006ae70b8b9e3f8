import { expect, it } from 'vitest'
import { Lateness } from './lateness.ts'

it('calls a probe overloaded that starts everything more than a second late for ten seconds', () => {
  const lateness = new Lateness()
  lateness.noteWait(1_500, 0)
  lateness.noteWait(1_500, 9_999)
  expect(lateness.isOverloaded).toBe(false)
  lateness.noteWait(1_500, 10_000)
  expect(lateness.isOverloaded).toBe(true)
  lateness.caughtUp()
  expect(lateness.isOverloaded).toBe(false)
})

it('does not while single checks start in time', () => {
  const lateness = new Lateness()
  lateness.noteWait(1_500, 0)
  lateness.noteWait(20, 6_000)
  lateness.noteWait(1_500, 10_000)
  expect(lateness.isOverloaded).toBe(false)
})
