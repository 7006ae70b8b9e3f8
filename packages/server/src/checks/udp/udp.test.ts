// What the contract does not ask of the udp check; its troubles stand in peers.ts.
import { checkFixture, LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { UdpTarget } from '@pulseward/testing/targets'
import { describe, expect, it } from 'vitest'
import { udp } from './udp.ts'

describe('a udp check', () => {
  it('sends and compares bytes in hex and base64', async () => {
    await using target = await UdpTarget.start({
      kind: 'reply',
      bytes: () => Buffer.from([0, 0xca, 0xfe, 1]),
    })
    const address = { host: target.host, port: target.port }
    const hex = { send: 'DE AD be ef', expect: 'ca fe', encoding: 'hex' } as const
    expect(await runCheck(udp, { ...address, ...hex })).toMatchObject({ status: 'success' })
    const base64 = { send: '3q2+7w==', expect: 'yv4=', encoding: 'base64' } as const
    expect(await runCheck(udp, { ...address, ...base64 })).toMatchObject({ status: 'success' })
    expect(target.received.map((bytes) => bytes.toString('hex'))).toEqual(['deadbeef', 'deadbeef'])
  })

  it('takes any answer for an empty expectation', async () => {
    await using target = await UdpTarget.start({ kind: 'echo' })
    const run = new LoopbackRun()
    const config = { host: target.host, port: target.port, expect: '' }
    expect(await runCheck(udp, config, run)).toMatchObject({ status: 'success' })
    expect(run.marks).toEqual(['resolve', 'first_byte'])
  })

  it('does not count the wait for a refusal as latency where no answer is due', async () => {
    await using target = await UdpTarget.start({ kind: 'silent' })
    const run = new LoopbackRun(200)
    const outcome = await runCheck(udp, { host: target.host, port: target.port }, run)
    expect(outcome).toMatchObject({ status: 'success' })
    expect(run.elapsedMs() - outcome.latencyMs!).toBeGreaterThanOrEqual(99)
  })

  it.each(['abc', 'zz'])('says that %s is not hex before anything is sent', async (send) => {
    await using target = await UdpTarget.start({ kind: 'echo' })
    const config = { host: target.host, port: target.port, send, encoding: 'hex' } as const
    expect(await runCheck(udp, config)).toMatchObject({
      status: 'no_data',
      reason: 'the configured send or expect is not hex',
      evidence: 'local',
    })
    expect(target.received).toEqual([])
  })

  it('goes on to the next address when the first one refuses', async () => {
    await using target = await UdpTarget.start({ kind: 'echo' })
    using fixture = checkFixture({ hosts: '127.0.0.9 pair.test\n127.0.0.1 pair.test' })
    const config = { host: 'pair.test', port: target.port, send: 'ping', expect: 'ping' }
    expect((await fixture.run(udp, config)).outcome).toMatchObject({ status: 'success' })
  })

  it('speaks IPv6', async () => {
    await using target = await UdpTarget.start({ kind: 'echo' }, '::1')
    const config = { host: '::1', port: target.port, send: 'ping', expect: 'ping' }
    expect(await runCheck(udp, config)).toMatchObject({ status: 'success' })
  })
})
