import type { v2 } from '@pulseward/contract'
import { expect, it } from 'vitest'
import { onCallSentence } from './sentence.ts'

const schedule = (id: string, onCall: v2.OnCallNow = {}): v2.Schedule => ({
  apiVersion: 'pulseward/v2',
  kind: 'Schedule',
  metadata: { id },
  spec: { layers: [{ personRefs: ['ana'], start: '2026-03-02T09:00' }] },
  status: { onCall },
})

it.each([
  [[], 'There is no schedule.'],
  [[schedule('primary', { personRef: 'ana', name: 'Ana Berg' })], 'Ana Berg is on call.'],
  [[schedule('primary', { personRef: 'ana' }), schedule('second', { personRef: 'ana' })], 'ana is on call.'],
  [
    [schedule('primary', { personRef: 'ana' }), schedule('nights'), schedule('days', { personRef: 'bo' })],
    'No person is on call by nights. ana and bo are on call.',
  ],
  [
    ['a', 'b', 'c', 'd', 'e'].map((id) => schedule(id, { personRef: id })),
    'a, b, c and 2 others are on call.',
  ],
])('says who is on call, and where there is a gap', (schedules, sentence) => {
  expect(onCallSentence(schedules)).toBe(sentence)
})
