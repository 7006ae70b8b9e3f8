import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { BusyLoop } from './busy-loop.ts'
import { systemClock } from './clock.ts'

describe('a thread', () => {
  it('is busy while it works all the time, and not while it waits', async () => {
    const loop = new BusyLoop(systemClock)
    await sleep(400)
    expect(loop.isBusy).toBe(false)
    for (const untilMs = performance.now() + 400; performance.now() < untilMs; );
    expect(loop.isBusy).toBe(true)
    await sleep(400)
    expect(loop.isBusy).toBe(false)
  })
})
