import type { v2 } from '@pulseward/contract'
import { expect, it } from 'vitest'
import { byUrgency, stepInWords, stepsBehind, toldInWords } from './escalation-words.ts'

const page = (parts: Partial<v2.EscalationPage>): v2.EscalationPage => ({
  id: 'pag-1',
  policyRef: 'page',
  state: 'running',
  severity: 'critical',
  openedAt: '2026-03-29T00:58:30.000Z',
  round: 1,
  rounds: 1,
  step: 2,
  steps: 3,
  waitsForCheck: false,
  leadMonitorID: 'checkout',
  incidents: 1,
  told: [],
  held: [],
  ...parts,
})
const nameOf = (id: string) => (id === 'ana' ? 'Ana Berg' : id)

it('names the step, and the round only if there are several', () => {
  expect(stepInWords(page({}))).toBe('Step 2 of 3')
  expect(stepInWords(page({ round: 2, rounds: 3 }))).toBe('Step 2 of 3, round 2 of 3,')
})

it('counts the steps that are behind', () => {
  expect(stepsBehind(page({}))).toBe(1)
  expect(stepsBehind(page({ state: 'spent', step: 3 }))).toBe(3)
})

it('names each recipient who was told once, with the endpoints that were used', () => {
  expect(toldInWords(page({}), nameOf)).toBeNull()
  const told = [
    { personRef: 'ana', endpointRef: 'ana-push' },
    { endpointRef: 'leads' },
    { personRef: 'ana', endpointRef: 'ana-phone' },
    { personRef: 'ana', endpointRef: 'ana-push' },
    { personRef: 'bo', endpointRef: 'bo-push' },
  ]
  expect(toldInWords(page({ told }), nameOf)).toBe('Ana Berg (ana-push, ana-phone); leads; bo (bo-push)')
})

it('puts what fires next first, and what a person takes care of last', () => {
  const at = (minute: number) => `2026-03-29T01:0${minute}:00.000Z`
  const pages = [
    page({ id: 'held', state: 'acknowledged' }),
    page({ id: 'later', nextStepAt: at(5) }),
    page({ id: 'spent', state: 'spent' }),
    page({ id: 'soon', nextStepAt: at(1) }),
  ]
  expect(byUrgency(pages).map(({ id }) => id)).toEqual(['soon', 'later', 'spent', 'held'])
})
