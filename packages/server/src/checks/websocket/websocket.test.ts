// What the contract does not ask of the websocket check; its troubles stand in peers.ts.
import { CheckedMonitor, LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { CERTIFICATES_END_AT, certificates, HttpTarget, sends } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { WebSocketTarget } from './stand-in.fixture.ts'
import { websocket } from './websocket.ts'

describe('a websocket check', () => {
  it('sends its headers, path and name, and marks its phases', async () => {
    await using target = await WebSocketTarget.start({ identity: certificates.good })
    const run = new LoopbackRun()
    const config = {
      url: `wss://shop.test:${target.port}/feed?since=1`,
      headers: { authorization: 'Bearer hush' },
      tls: { ca: certificates.authority },
    }
    expect(await runCheck(websocket, config, run)).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    const [request] = target.requests
    expect(request).toMatchObject({ url: '/feed?since=1' })
    expect(request!.headers).toMatchObject({ host: `shop.test:${target.port}`, authorization: 'Bearer hush' })
    expect(run.marks).toEqual(['connect', 'tls', 'first_byte'])
  })

  it('resumes the TLS session of the check before it', async () => {
    await using target = await WebSocketTarget.start({ identity: certificates.good })
    const monitor = new CheckedMonitor()
    const config = { url: `wss://shop.test:${target.port}/`, tls: { ca: certificates.authority } }
    const seen = [CERTIFICATES_END_AT, null, null]
    for (const certificateExpiresAt of seen)
      expect(await monitor.check(websocket, config)).toMatchObject({
        status: 'success',
        certificateExpiresAt,
      })
  })

  it('finds its text in a later message, too', async () => {
    await using target = await WebSocketTarget.start({ says: 'not yet', reflects: true })
    const config = { url: `ws://127.0.0.1:${target.port}/`, send: 'ready', expect: 'ready' }
    expect(await runCheck(websocket, config)).toMatchObject({ status: 'success' })
  })

  it('does not believe who only pretends to speak the protocol', async () => {
    await using target = await HttpTarget.start()
    const head =
      'HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: no\r\n\r\n'
    target.behave(sends([head], 'hold'))
    expect(await runCheck(websocket, { url: `ws://127.0.0.1:${target.port}/` })).toMatchObject({
      status: 'failure',
      reason: `127.0.0.1:${target.port} answers the handshake wrongly`,
    })
  })

  it.each([
    { url: 'http://shop.test/' },
    { url: 'ws://ward:hush@shop.test/' },
    { url: 'ws://shop.test/#here' },
    { url: 'ws://' },
    { url: 'ws://shop.test/', headers: { 'Sec-WebSocket-Key': 'mine' } },
    { url: 'ws://shop.test/', headers: { host: 'other.test' } },
    { url: 'ws://shop.test/', subprotocol: 'two words' },
  ])('refuses %j', (config) => {
    expect(Compile(websocket.config).Check(config)).toBe(false)
  })

  it('shows neither query nor login', () => {
    expect(websocket.target({ url: 'wss://shop.test/feed?token=hush' })).toBe('wss://shop.test/feed')
  })
})
