// Checks of one monitor that follow each other, against real TLS servers: which of their handshakes are full, and when a
// certificate that changes behind a resumed session is noticed.
import { eventually, FakeClock } from '@pulseward/testing'
import { CheckedMonitor } from '@pulseward/testing/checks'
import {
  answers,
  CERTIFICATES_END_AT,
  certificates,
  closesEarly,
  HelloGate,
  HttpTarget,
  type TlsSetup,
} from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

const ca = certificates.authority
const good: TlsSetup = { identity: certificates.good }
const minuteMs = 60_000

const versions = [
  ['TLS 1.3', good],
  ['TLS 1.2', { ...good, maxVersion: 'TLSv1.2' }],
] as const

function shop(target: HttpTarget, tls: HttpConfig['tls'] = {}): HttpConfig {
  return { url: target.url('/', 'shop.test'), tls: { ca, ...tls } }
}

/** Makes so many checks, a second apart, and answers with the handshakes that the server saw. */
async function rounds(monitor: CheckedMonitor, config: HttpConfig, target: HttpTarget, count: number) {
  const before = target.handshakes.length
  for (let round = 0; round < count; round++) {
    expect(await monitor.check(http, config)).toMatchObject({ status: 'success' })
    monitor.clock.advance(1_000)
  }
  return target.handshakes.slice(before)
}

describe.each(versions)('over %s a check', (_version, tls) => {
  test('resumes the session of the check before it, and reports the certificate once', async () => {
    await using target = await HttpTarget.start({ tls })
    const monitor = new CheckedMonitor()
    const outcomes = []
    for (let round = 0; round < 4; round++) outcomes.push(await monitor.check(http, shop(target)))
    expect(target.handshakes).toEqual(['full', 'resumed', 'resumed', 'resumed'])
    expect(outcomes.map(({ status }) => status)).toEqual(Array(4).fill('success'))
    expect(outcomes.map(({ certificateExpiresAt }) => certificateExpiresAt)).toEqual([
      CERTIFICATES_END_AT,
      null,
      null,
      null,
    ])
  })

  test('makes a full handshake when the last one is as old as is allowed', async () => {
    await using target = await HttpTarget.start({ tls })
    const monitor = new CheckedMonitor()
    expect(await rounds(monitor, shop(target), target, 2)).toEqual(['full', 'resumed'])
    monitor.clock.advance(5 * minuteMs - 3_000)
    expect(await rounds(monitor, shop(target), target, 3)).toEqual(['resumed', 'full', 'resumed'])
  })

  test('takes its time for that from the configuration, and resumes nothing at 0', async () => {
    await using target = await HttpTarget.start({ tls })
    const often = shop(target, { full_handshake_every: '2s' })
    expect(await rounds(new CheckedMonitor(), often, target, 5)).toEqual([
      'full',
      'resumed',
      'full',
      'resumed',
      'full',
    ])
    for (const none of [0, '0s'] as const) {
      const always = shop(target, { full_handshake_every: none })
      expect(await rounds(new CheckedMonitor(), always, target, 2)).toEqual(['full', 'full'])
    }
  })

  test('makes a full handshake after a failure, whatever failed', async () => {
    await using target = await HttpTarget.start({ tls })
    const monitor = new CheckedMonitor()
    await rounds(monitor, shop(target), target, 2)
    for (const trouble of [answers({ status: 503 }), closesEarly()]) {
      target.behave(trouble)
      expect(await monitor.check(http, shop(target))).toMatchObject({ status: 'failure' })
      target.behave(answers())
      expect(await rounds(monitor, shop(target), target, 2)).toEqual(['full', 'resumed'])
    }
  })

  test('never resumes the session of another monitor, nor one of another definition', async () => {
    await using target = await HttpTarget.start({ tls: { ...tls, clientAuthority: ca } })
    const client = { certificate: certificates.client.certificate, key: certificates.client.key }
    const monitor = new CheckedMonitor()
    const config = shop(target, client)
    await rounds(monitor, config, target, 2)
    expect(await rounds(monitor.neighbour(), config, target, 1)).toEqual(['full'])
    const others: HttpConfig[] = [
      { ...config, url: target.url('/', 'localhost') },
      { ...config, tls: { ...config.tls, server_name: 'localhost' } },
      { ...config, tls: { ...config.tls, verify: false } },
      { ...config, tls: { ...config.tls, ca: `${ca}\n${certificates.chain.root}` } },
    ]
    for (const other of others) expect(await rounds(monitor, other, target, 1)).toEqual(['full'])
    expect(await rounds(monitor, config, target, 1)).toEqual(['resumed'])
    const changed = await monitor.check(http, config, { version: 1 })
    expect(changed.status).toBe('success')
    expect(target.handshakes.at(-1)).toBe('full')
  })

  test('makes full handshakes in the last 14 days of a certificate', async () => {
    await using target = await HttpTarget.start({ tls })
    const dayMs = 86_400_000
    const clock = new FakeClock({ wallMs: CERTIFICATES_END_AT - 14 * dayMs - 2_500 })
    const monitor = new CheckedMonitor(clock)
    expect(await rounds(monitor, shop(target), target, 5)).toEqual([
      'full',
      'resumed',
      'resumed',
      'full',
      'full',
    ])
  })
})

describe('a certificate that changes while sessions are resumed', () => {
  const changes = [
    ['expired', { identity: certificates.expired }, 'the certificate expired on 2026-01-02'],
    [
      'for another name',
      { identity: certificates.other },
      'the certificate is for other.test, not shop.test',
    ],
    [
      'of another authority',
      { identity: certificates.chain.leaf },
      'the certificate is not signed by a trusted authority (the server may not send its intermediate certificate)',
    ],
  ] as const

  describe.each(versions)('over %s', (_version, tls) => {
    test.each(changes)(
      'is noticed after 5 minutes at the latest when it is %s',
      async (_what, setup, reason) => {
        await using target = await HttpTarget.start({ tls })
        const monitor = new CheckedMonitor()
        await rounds(monitor, shop(target), target, 2)
        target.presents({ ...tls, ...setup })
        // The server still honors its tickets, so until then nothing shows the change.
        expect(await rounds(monitor, shop(target), target, 1)).toEqual(['resumed'])
        monitor.clock.advance(5 * minuteMs)
        for (let again = 0; again < 2; again++)
          expect(await monitor.check(http, shop(target))).toMatchObject({ status: 'failure', reason })
        target.presents(tls)
        expect(await rounds(monitor, shop(target), target, 2)).toEqual(['full', 'resumed'])
      },
    )

    test.each(changes)(
      'is noticed at once when the ticket is refused and it is %s',
      async (_what, setup, reason) => {
        await using target = await HttpTarget.start({ tls })
        const monitor = new CheckedMonitor()
        await rounds(monitor, shop(target), target, 2)
        target.presents({ ...tls, ...setup })
        target.forgetsTickets()
        expect(await monitor.check(http, shop(target))).toMatchObject({ status: 'failure', reason })
      },
    )

    test('is noticed by the check after one that failed', async () => {
      await using target = await HttpTarget.start({ tls })
      const monitor = new CheckedMonitor()
      await rounds(monitor, shop(target), target, 2)
      target.presents({ ...tls, identity: certificates.expired })
      target.behave(closesEarly())
      const broken = await monitor.check(http, shop(target))
      expect(broken.reason).toBe('the connection was closed before a response')
      target.behave(answers())
      const outcome = await monitor.check(http, shop(target))
      expect(outcome.reason).toBe('the certificate expired on 2026-01-02')
    })

    test('is reported with its new end when it was renewed', async () => {
      await using target = await HttpTarget.start({ tls: { ...tls, identity: certificates.expired } })
      const monitor = new CheckedMonitor(new FakeClock({ wallMs: Date.UTC(2025, 0, 1) }))
      const config = shop(target, { verify: false })
      const before = await monitor.check(http, config)
      expect(before).toMatchObject({ status: 'success', certificateExpiresAt: Date.UTC(2026, 0, 2) })
      target.presents(tls)
      expect(await monitor.check(http, config)).toMatchObject({ certificateExpiresAt: null })
      monitor.clock.advance(5 * minuteMs)
      expect(await monitor.check(http, config)).toMatchObject({ certificateExpiresAt: CERTIFICATES_END_AT })
    })
  })
})

describe.each(versions)('over %s a server', (_version, tls) => {
  test('that gives no tickets is fully shaken hands with every time', async () => {
    await using target = await HttpTarget.start({ tls: { ...tls, withoutTickets: true } })
    expect(await rounds(new CheckedMonitor(), shop(target), target, 3)).toEqual(['full', 'full', 'full'])
  })

  test('that knows none of its tickets any more gets an ordinary full handshake', async () => {
    await using target = await HttpTarget.start({ tls })
    const monitor = new CheckedMonitor()
    await rounds(monitor, shop(target), target, 2)
    target.forgetsTickets()
    expect(await rounds(monitor, shop(target), target, 2)).toEqual(['full', 'resumed'])
    expect(target.acceptedSockets).toBe(4)
  })

  test('whose tickets last a second is resumed for as long', async () => {
    await using target = await HttpTarget.start({ tls: { ...tls, ticketSeconds: 1 } })
    const monitor = new CheckedMonitor()
    await eventually(async () => {
      const { status } = await monitor.check(http, shop(target))
      expect(status).toBe('success')
      expect(target.handshakes.filter((each) => each === 'full').length).toBeGreaterThan(1)
    })
    expect(target.handshakes[0]).toBe('full')
  })
})

describe('a server that breaks off when a session is offered', () => {
  const config = (gate: HelloGate, tls: HttpConfig['tls'] = {}): HttpConfig => ({
    url: `https://shop.test:${gate.port}/`,
    tls: { ca, ...tls },
  })

  test('is asked again in the same check, and offered no session for an hour', async () => {
    await using target = await HttpTarget.start({ tls: good })
    await using gate = await HelloGate.start(target.port, ({ offersSession }) => !offersSession)
    const monitor = new CheckedMonitor()
    expect(await rounds(monitor, config(gate), target, 4)).toEqual(['full', 'full', 'full', 'full'])
    expect(gate.hellos.map(({ offersSession }) => offersSession)).toEqual([false, true, false, false, false])
    monitor.clock.advance(60 * minuteMs)
    await rounds(monitor, config(gate), target, 2)
    expect(gate.hellos.slice(5).map(({ offersSession }) => offersSession)).toEqual([false, true, false])
  })

  test('is down when it breaks off without a session too, after one more connection', async () => {
    await using target = await HttpTarget.start({ tls: good })
    let isDown = false
    await using gate = await HelloGate.start(target.port, () => !isDown)
    const monitor = new CheckedMonitor()
    await rounds(monitor, config(gate), target, 2)
    isDown = true
    const reason = 'the connection was closed during the TLS handshake'
    expect(await monitor.check(http, config(gate))).toMatchObject({ status: 'failure', reason })
    expect(gate.hellos).toHaveLength(4)
    // Nothing is left out any more that could be to blame.
    expect(await monitor.check(http, config(gate))).toMatchObject({ status: 'failure', reason })
    expect(gate.hellos).toHaveLength(5)
    isDown = false
    expect(await rounds(monitor, config(gate), target, 2)).toEqual(['full', 'resumed'])
  })
})
