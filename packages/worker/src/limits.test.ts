import { v2 } from '@pulseward/contract'
import { expect, it } from 'vitest'
import { limits } from './limits.ts'

it('keeps the bounds of the contract', () => {
  expect(v2.limits).toMatchObject(limits)
})
