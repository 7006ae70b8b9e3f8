import { checks } from '@pulseward/server/internal/checks/registry.ts'
import { arrange } from '@pulseward/server/internal/fleet/arrangement.ts'
import { Fleet } from '@pulseward/server/internal/fleet/fleet.ts'
import { describe, expect, it } from 'vitest'
import { definitionOf } from '../fleet/fleet-files.ts'
import { FakeClock } from './fake-clock.ts'
import { FakeTargets } from './fake-targets.ts'
import { ScriptedTargets } from './scripted-targets.ts'
import { http } from './test-service.ts'

function checked() {
  const clock = new FakeClock()
  const fleet = new Fleet(Object.keys(checks))
  fleet.apply(arrange(definitionOf([http('edge')]), null))
  const script = new ScriptedTargets()
  return { clock, script, targets: new FakeTargets({ clock, fleet, behaviour: script }) }
}

describe('FakeTargets', () => {
  it('ends a check when its behaviour says so', () => {
    const { clock, targets } = checked()
    targets.offer(0, 1)
    targets.flush()
    clock.advance(4)
    expect(targets.takeEnded()).toEqual([])
    clock.advance(1)
    expect(targets.takeEnded()).toMatchObject([{ monitorId: 'edge', end: { status: 'success' } }])
    expect(targets.nextMs).toBe(Number.POSITIVE_INFINITY)
  })

  it('lets a check that hangs last until its timeout', () => {
    const { clock, script, targets } = checked()
    script.of('edge').hangs()
    targets.offer(0, 1)
    targets.flush()
    expect(targets.nextMs - clock.monotonicMs()).toBeGreaterThan(1_000)
    clock.advanceTo(clock.trueMsOf(targets.nextMs))
    expect(targets.takeEnded()).toMatchObject([{ end: { status: 'timeout', isLocal: true } }])
  })

  it('notices a check that was added and never flushed', () => {
    const { targets } = checked()
    targets.offer(0, 1)
    expect(() => targets.takeEnded()).toThrow('not flushed')
  })

  it('moves the end of what ended while the process was stopped to the time it wakes', () => {
    const { clock, targets } = checked()
    targets.offer(0, 1)
    targets.flush()
    clock.advance(60_000)
    targets.wake()
    expect(targets.takeEnded()).toMatchObject([{ finishedMs: clock.monotonicMs() }])
  })
})
