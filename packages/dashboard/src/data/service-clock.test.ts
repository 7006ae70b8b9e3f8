import { afterEach, describe, expect, it } from 'vitest'
import { hearServiceTime, serviceNowMs } from './service-clock.ts'

const nowMs = Date.parse('2030-01-01T12:00:00.000Z')
const header = (offsetMs: number) => new Date(nowMs + offsetMs).toUTCString()

afterEach(() => hearServiceTime(header(0), nowMs))

describe('the service’s time', () => {
  it('is the browser’s while both agree within what a header can tell', () => {
    hearServiceTime(header(-2_000), nowMs)
    expect(serviceNowMs(nowMs)).toBe(nowMs)
  })

  it('follows the service when the browser’s clock is wrong', () => {
    hearServiceTime(header(3_600_000), nowMs)
    expect(serviceNowMs(nowMs)).toBe(nowMs + 3_600_000)
  })

  it('does not jitter with the time answers take', () => {
    hearServiceTime(header(60_000), nowMs)
    hearServiceTime(header(59_000), nowMs)
    expect(serviceNowMs(nowMs)).toBe(nowMs + 60_000)
  })

  it('stays as it is without a header or with nonsense', () => {
    hearServiceTime(header(60_000), nowMs)
    hearServiceTime(null, nowMs)
    hearServiceTime('yesterday', nowMs)
    expect(serviceNowMs(nowMs)).toBe(nowMs + 60_000)
  })
})
