import type { StoredEvent } from '@pulseward/server/internal/store/store.ts'
import { describe, expect, it } from 'vitest'
import { recoveriesLast } from './restart-order.ts'

const event = (type: string, kind: string) => ({ type, kind }) as StoredEvent
const isFailure = ({ type }: StoredEvent) => type === 'action_failed'

describe('what a process ends that starts', () => {
  it('ends with its recoveries, before what follows from them', () => {
    const withdrawn = event('action_cancelled', 'code')
    const recovery = event('action_failed', 'intervention')
    const message = event('action_failed', 'code')
    const again = event('action_queued', 'code')
    const opened = event('incident_opened', 'none')
    expect(recoveriesLast([withdrawn, recovery, message, again, opened], isFailure)).toEqual([
      ...[withdrawn, message, recovery],
      ...[again, opened],
    ])
  })

  it('stays in order where nothing was in flight', () => {
    const events = [event('action_queued', 'intervention'), event('action_cancelled', 'code')]
    expect(recoveriesLast(events, isFailure)).toEqual(events)
  })
})
