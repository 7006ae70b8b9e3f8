// Whole-service timelines: what happens to a monitor over minutes, told as a test.
import { http, TestService } from '@pulseward/testing/engine'
import { describe, expect, it } from 'vitest'

describe('the life of a monitor', () => {
  it('is unknown until its first check, which comes within one interval', async () => {
    const service = await TestService.start({ monitors: [http('edge', { every: '10s' })] })
    expect(service.statusOf('edge')).toBe('unknown')
    await service.advance({ seconds: 11 })
    expect(service.statusOf('edge')).toBe('up')
    expect(service.overview().up_percent).toBe(100)
  })

  it('goes down at the first failure, into an incident at the third, and recovers after two healthy checks', async () => {
    const service = await TestService.start({ monitors: [http('edge', { every: '10s' })] })
    await service.advance({ seconds: 15 })
    service.target('edge').goesDown()
    await service.advance({ seconds: 11 })
    expect(service.statusOf('edge')).toBe('down')
    await service.advance({ seconds: 20 })
    expect(service.statusOf('edge')).toBe('incident')
    service.target('edge').comesBack()
    await service.advance({ seconds: 11 })
    expect(service.statusOf('edge')).toBe('incident')
    await service.advance({ seconds: 10 })
    expect(service.statusOf('edge')).toBe('up')
  })

  it('shows a warning as degraded and takes it back', async () => {
    const service = await TestService.start({ monitors: [http('edge')] })
    service.target('edge').warns('the certificate expires in 3 days')
    await service.advance({ seconds: 11 })
    expect(service.statusOf('edge')).toBe('degraded')
    service.target('edge').comesBack()
    await service.advance({ seconds: 11 })
    expect(service.statusOf('edge')).toBe('up')
  })

  it('stays quiet while what it depends on is down', async () => {
    const child = { ...http('shop'), depends_on: ['gateway'] }
    const service = await TestService.start({ monitors: [http('gateway'), child] })
    await service.advance({ seconds: 15 })
    service.target('gateway').goesDown()
    service.target('shop').goesDown()
    await service.advance({ seconds: 60 })
    expect(service.statusOf('gateway')).toBe('incident')
    expect(service.statusOf('shop')).toBe('down')
    expect(service.overview().incidents).toBe(1)
  })

  it('is checked once in every interval, whatever the clock on the wall does', async () => {
    const service = await TestService.start({ monitors: [http('edge', { every: '10s' })] })
    await service.advance({ seconds: 15 })
    const before = service.target('edge').checks
    service.clock.jumpWall(-3_600_000)
    await service.advance({ seconds: 60 })
    service.clock.jumpWall(7_200_000)
    await service.advance({ seconds: 60 })
    expect(service.target('edge').checks - before).toBe(12)
  })

  it('is not checked in a burst after the machine was asleep', async () => {
    const service = await TestService.start({ monitors: [http('edge', { every: '10s' })] })
    await service.advance({ seconds: 15 })
    const before = service.target('edge').checks
    service.sleep({ seconds: 600 })
    await service.advance({ seconds: 10 })
    expect(service.target('edge').checks - before).toBeLessThanOrEqual(2)
  })

  it('keeps its state through a reload that does not touch it, and forgets it when its check changes', async () => {
    const service = await TestService.start({ monitors: [http('edge'), http('shop')] })
    service.target('edge').goesDown()
    service.target('shop').goesDown()
    await service.advance({ seconds: 45 })
    const changed = {
      ...http('shop'),
      check: { type: 'http', interval: '10s', config: { url: 'http://other.test/' } },
    }
    await service.reload({ monitors: [http('new'), http('edge'), changed] })
    expect(service.statusOf('edge')).toBe('incident')
    expect(service.statusOf('new')).toBe('unknown')
    service.target('shop').comesBack()
    await service.advance({ seconds: 25 })
    expect(service.statusOf('shop')).toBe('up')
  })

  it('counts as disabled, and in no percentage, when it is switched off', async () => {
    const service = await TestService.start({ monitors: [http('edge'), { ...http('shop'), enabled: false }] })
    await service.advance({ seconds: 25 })
    expect(service.statusOf('shop')).toBe('disabled')
    expect(service.target('shop').checks).toBe(0)
    expect(service.overview()).toMatchObject({ total: 2, disabled: 1, up_percent: 100 })
    await service.reload({ monitors: [http('edge'), http('shop')] })
    await service.advance({ seconds: 11 })
    expect(service.statusOf('shop')).toBe('up')
  })
})
