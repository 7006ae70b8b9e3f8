import { describe, expect, it } from 'vitest'
import type { Sharing, StandingView } from '../store/standing.ts'
import { exposition } from '../telemetry/exposition.ts'
import { sharedFamilies, standbyFamilies } from './shared-metrics.ts'

const standing: StandingView = {
  active: null,
  batchAgeMs: 1_500,
  takeovers: 3,
  hasSameFiles: false,
  trouble: null,
}
const sharing: Sharing = {
  takeovers: () => 3,
  processes: () => [
    { name: 'a', url: 'http://a', role: 'active', hasSameFiles: true },
    { name: 'b', url: 'http://b', role: 'standby', hasSameFiles: true },
    { name: 'c', url: 'http://c', role: 'standby', hasSameFiles: false },
  ],
}

describe('processes that share a store', () => {
  it('say what the active one sees of the others', () => {
    const text = exposition(sharedFamilies(sharing), 'prometheus')
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'pulseward_process_role{role="active"} 1',
      'pulseward_process_role{role="standby"} 0',
      'pulseward_standby_processes 2',
      'pulseward_standby_files_differ 1',
      'pulseward_store_takeovers_total 3',
      '',
    ])
  })

  it('say what one that stands by sees of the active one', () => {
    const text = exposition(standbyFamilies(standing), 'prometheus')
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'pulseward_process_role{role="active"} 0',
      'pulseward_process_role{role="standby"} 1',
      'pulseward_standby_files_differ 1',
      'pulseward_standby_batch_age_seconds 1.5',
      'pulseward_store_takeovers_total 3',
      '',
    ])
  })

  it('have none of these where a store cannot be shared', () => {
    expect(sharedFamilies(null)).toEqual([])
  })
})
