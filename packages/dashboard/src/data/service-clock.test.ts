import { afterEach, describe, expect, it } from 'vitest'
import { hearServiceTime, serviceNowMs } from './service-clock.ts'

const sentMs = Date.parse('2030-01-01T12:00:00.000Z')

/** An answer in which the service says that its clock is so far ahead of the browser's when the request is sent. */
function hear(aheadMs: number, { tookMs = 0 } = {}): void {
  hearServiceTime(new Date(sentMs + aheadMs).toUTCString(), sentMs, sentMs + tookMs)
}

const offsetMs = () => serviceNowMs(sentMs) - sentMs

afterEach(() => hear(0))

describe('the service’s time', () => {
  it('is the browser’s while both agree within what a header can tell', () => {
    hear(-2_000)
    expect(offsetMs()).toBe(0)
  })

  it('follows the service when the browser’s clock is wrong', () => {
    hear(3_600_000)
    expect(offsetMs()).toBe(3_600_500)
    hear(-3_600_000)
    expect(offsetMs()).toBe(-3_599_500)
  })

  it('is the browser’s again when its clock was set right', () => {
    hear(3_600_000)
    hear(0)
    expect(offsetMs()).toBe(0)
  })

  it('does not jitter with the time answers take', () => {
    hear(60_000)
    hear(59_000)
    expect(offsetMs()).toBe(60_500)
  })

  it('is not moved by an answer that is slow on its way back', () => {
    hear(0, { tookMs: 18_000 })
    expect(offsetMs()).toBe(0)
    hear(60_000)
    hear(60_000, { tookMs: 18_000 })
    expect(offsetMs()).toBe(60_500)
  })

  it('is not moved by a request that is slow on its way there', () => {
    hear(18_000, { tookMs: 18_000 })
    expect(offsetMs()).toBe(0)
  })

  it('is corrected by a quick answer after a slow one', () => {
    hear(3_600_000, { tookMs: 18_000 })
    expect(offsetMs()).toBe(3_591_500)
    hear(3_600_000)
    expect(offsetMs()).toBe(3_600_500)
  })

  it('stays as it is without a header or with nonsense', () => {
    hear(60_000)
    hearServiceTime(null, sentMs, sentMs)
    hearServiceTime('yesterday', sentMs, sentMs)
    expect(offsetMs()).toBe(60_500)
  })
})
