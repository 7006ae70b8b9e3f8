// What the contract does not ask of the ntp check; its troubles stand in peers.ts.
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { UdpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { ntpRequest, readNtpAnswer } from './message.ts'
import { ntp } from './ntp.ts'
import { type NtpClock, ntpReply } from './stand-in.fixture.ts'

const serving = (clock: NtpClock) =>
  UdpTarget.start({ kind: 'reply', bytes: (request) => ntpReply(request, clock) })

describe('an ntp check', () => {
  it.each([3_600_000, -3_600_000])('warns of a clock that is %i ms ahead', async (aheadMs) => {
    await using target = await serving({ aheadMs })
    const config = { host: target.host, port: target.port, max_offset: '10s' }
    const outcome = await runCheck(ntp, config)
    expect(outcome).toMatchObject({ status: 'success' })
    expect(outcome.warning).toMatch(/ and ours differ by (3600|3599\.\d+|3600\.\d+) s, more than 10 s$/)
  })

  it('sends one datagram, and marks its phases', async () => {
    await using target = await serving({})
    const run = new LoopbackRun()
    expect(await runCheck(ntp, { host: target.host, port: target.port }, run)).toMatchObject({
      warning: null,
    })
    expect(run.marks).toEqual(['resolve', 'first_byte'])
    expect(target.received.map(({ length }) => length)).toEqual([48])
  })
})

describe('an answer of a time server', () => {
  it.each([
    '2026-11-15T00:00:00Z',
    '2036-02-07T06:28:15.5Z',
    '2036-02-07T06:28:16.5Z',
    '2100-01-01T00:00:00Z',
  ])('is read rightly at %s, also when the seconds have begun again', (at) => {
    const nowMs = Date.parse(at)
    const request = ntpRequest()
    const reply = ntpReply(request, { aheadMs: nowMs - Date.now() })
    const answer = readNtpAnswer(reply, request, nowMs)
    expect(answer).toMatchObject({ isSynchronised: true, kiss: null })
    expect(Math.abs((answer as { sentAtMs: number }).sentAtMs - nowMs)).toBeLessThan(1_000)
  })

  it('cannot be guessed: each request differs', () => {
    expect(ntpRequest().equals(ntpRequest())).toBe(false)
  })
})
