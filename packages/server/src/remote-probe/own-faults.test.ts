// Failures of the place of a probe, with canaries that the test reads.
import { expect, it } from 'vitest'
import {
  localEvidence,
  notMade,
  outcomeStatuses,
  type ResultBatch,
} from '../checking/probe/probe-protocol.ts'
import type { Network } from '../platform/network/network.ts'
import { OwnFaults } from './own-faults.ts'

const timeout = outcomeStatuses.indexOf('timeout')
const noData = outcomeStatuses.indexOf('no_data')

function timeouts(count: number, evidence: number): ResultBatch {
  const times = new Float64Array(count)
  return {
    rows: new Uint32Array(count),
    generations: new Uint32Array(count),
    outcomes: new Uint8Array(count).fill(timeout | evidence),
    startedMs: times,
    finishedMs: times,
    latencyMs: new Float32Array(count),
    notes: [],
  }
}

const clock = { monotonicMs: () => 1_000, wallMs: () => 1_000 }
const open = () => new OwnFaults({ clock, network: {} as Network, canaries: [], tell: () => {} })

it('excuses many timeouts while a canary fails that has passed before', async () => {
  await using faults = open()
  faults.read('resolver', true)
  expect([...new Set(faults.judge(timeouts(30, localEvidence)))]).toEqual([timeout])
  faults.read('resolver', false)
  expect([...new Set(faults.judge(timeouts(30, localEvidence)))]).toEqual([noData | notMade])
})

it('blames targets that answer, whatever the canaries say', async () => {
  await using faults = open()
  faults.read('resolver', true)
  faults.read('resolver', false)
  expect([...new Set(faults.judge(timeouts(30, 0)))]).toEqual([timeout])
})
