import { checkFixture, promptlyMs } from '@pulseward/testing/checks'
import { BlackHole, DnsTarget, type TcpBehaviour, TcpTarget } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { tcp } from './tcp.ts'

const host = '127.0.0.1'

describe('the tcp check', () => {
  it('succeeds when the connection is accepted, and hangs up', async () => {
    await using target = await TcpTarget.start()
    using fixture = checkFixture()
    const { outcome } = await fixture.run(tcp, { host, port: target.port })
    expect(outcome).toMatchObject({ status: 'success', reason: null, warning: null })
    await expect.poll(() => target.connectionsOpened).toBe(1)
    await target.allClosed()
  })

  it('fails in words when the connection is refused', async () => {
    await using target = await TcpTarget.start()
    await target.refuses()
    using fixture = checkFixture()
    const { outcome } = await fixture.run(tcp, { host, port: target.port })
    expect(outcome).toMatchObject({
      status: 'failure',
      reason: `connection refused by 127.0.0.1:${target.port}`,
      evidence: 'target',
    })
    await target.accepts()
    expect((await fixture.run(tcp, { host, port: target.port })).outcome.status).toBe('success')
  })

  it('fails in words when the name does not exist', async () => {
    await using dns = await DnsTarget.start()
    using fixture = checkFixture({ servers: [dns.address] })
    const { outcome } = await fixture.run(tcp, { host: 'gone.test', port: 80 })
    expect(outcome).toMatchObject({
      status: 'failure',
      reason: 'the name gone.test does not exist',
      evidence: 'target',
    })
  })

  it('sends, and finds the expected text', async () => {
    await using target = await TcpTarget.start({ behaviour: { kind: 'reply', text: '+PONG\r\n' } })
    using fixture = checkFixture()
    const { outcome } = await fixture.run(tcp, { host, port: target.port, send: 'PING\r\n', expect: '+PONG' })
    expect(outcome.status).toBe('success')
    expect(target.received).toBe('PING\r\n')
    await target.allClosed()
  })

  it('finds text that comes in many pieces', async () => {
    await using target = await TcpTarget.start({
      behaviour: { kind: 'drip', text: '220 mail.test ESMTP', everyMs: 1 },
    })
    using fixture = checkFixture()
    const { outcome } = await fixture.run(tcp, { host, port: target.port, expect: 'test ESMTP' })
    expect(outcome.status).toBe('success')
  })

  it('succeeds once something was sent when no reply is expected', async () => {
    await using target = await TcpTarget.start()
    using fixture = checkFixture()
    const { outcome } = await fixture.run(tcp, { host, port: target.port, send: 'hello' })
    expect(outcome.status).toBe('success')
    await expect.poll(() => target.received).toBe('hello')
  })

  it.each<[TcpBehaviour, RegExp]>([
    [{ kind: 'reset' }, /^connection reset by 127\.0\.0\.1:\d+$/],
    [{ kind: 'half-close' }, /closed the connection without a word$/],
    [{ kind: 'endless' }, /^the first 64 KiB of 127\.0\.0\.1:\d+ are without "ready" after "x+…"$/],
  ])('fails in words when the peer does %j', async (behaviour, reason) => {
    await using target = await TcpTarget.start({ behaviour })
    using fixture = checkFixture()
    const { outcome } = await fixture.run(tcp, { host, port: target.port, expect: 'ready' })
    expect(outcome).toMatchObject({ status: 'failure', evidence: 'target' })
    expect(outcome.reason).toMatch(reason)
    await target.allClosed()
  })

  it('never repeats what a peer echoes of a secret', async () => {
    await using target = await TcpTarget.start({ behaviour: { kind: 'reply', text: 'wrong: hunter2' } })
    using fixture = checkFixture()
    const config = { host, port: target.port, send: 'AUTH hunter2', expect: '+OK' }
    const { outcome } = await fixture.run(tcp, config, 150)
    expect(outcome.status).toBe('timeout')
    expect(JSON.stringify(outcome)).not.toContain('hunter2')
  })

  it.each<[string, TcpBehaviour, string]>([
    ['says nothing', { kind: 'silent' }, 'no reply from'],
    ['sends garbage', { kind: 'garbage' }, 'no reply with "ready" from'],
    ['is slow', { kind: 'drip', text: 'never enough', everyMs: 60 }, 'no reply with "ready" from'],
  ])('keeps its deadline when the peer %s', async (_, behaviour, words) => {
    await using target = await TcpTarget.start({ behaviour })
    using fixture = checkFixture()
    const { outcome, lateMs } = await fixture.run(tcp, { host, port: target.port, expect: 'ready' }, 200)
    expect(outcome).toMatchObject({ status: 'timeout', evidence: 'local' })
    expect(outcome.reason).toBe(`${words} 127.0.0.1:${target.port} within 200 ms`)
    expect(lateMs).toBeLessThan(promptlyMs)
    await target.allClosed()
  })

  it('keeps its deadline when connecting hangs', async () => {
    await using hole = await BlackHole.start()
    using fixture = checkFixture()
    const { outcome, lateMs } = await fixture.run(tcp, { host, port: hole.port }, 200)
    expect(outcome).toMatchObject({
      status: 'timeout',
      reason: `no connection to 127.0.0.1:${hole.port} within 200 ms`,
    })
    expect(lateMs).toBeLessThan(promptlyMs)
  })

  it('keeps its deadline when the resolver hangs', async () => {
    await using dns = await DnsTarget.start({ behaviour: 'nothing' })
    using fixture = checkFixture({ servers: [dns.address] })
    const { outcome, lateMs } = await fixture.run(tcp, { host: 'shop.test', port: 80 }, 200)
    expect(outcome).toMatchObject({
      status: 'timeout',
      reason: 'no answer from the resolver for shop.test within 200 ms',
    })
    expect(lateMs).toBeLessThan(promptlyMs)
  })

  it('warns about a success that takes too long', async () => {
    await using target = await TcpTarget.start({ behaviour: { kind: 'drip', text: 'ready', everyMs: 10 } })
    using fixture = checkFixture()
    const config = { host, port: target.port, expect: 'ready', max_latency: '5ms' }
    const { outcome } = await fixture.run(tcp, config)
    expect(outcome.status).toBe('success')
    expect(outcome.warning).toMatch(/^it took \d+ ms, more than 5 ms$/)
  })

  it('shows its target and refuses a configuration with anything unknown', () => {
    expect(tcp.target({ host: '::1', port: 81 })).toBe('[::1]:81')
    const schema = Compile(tcp.config)
    expect(schema.Check({ host, port: 80, family: 'ipv4', expect: 'x', max_latency: '1s' })).toBe(true)
    expect(schema.Check({ host, port: 80, send: { credential: 'LOGIN' } })).toBe(true)
    for (const bad of [
      { host },
      { host, port: 0 },
      { host, port: 80, family: 'ipx' },
      { host, port: 80, x: 1 },
    ]) {
      expect(schema.Check(bad)).toBe(false)
    }
  })
})
