// Checks of one monitor that follow each other, against servers that do with TLS sessions what no good server does: every
// check must get the right verdict all the same, and keep nothing that it should not.
import { CheckedMonitor } from '@pulseward/testing/checks'
import {
  answers,
  certificates,
  HelloGate,
  HttpTarget,
  hangs,
  renegotiates,
  ScriptedTlsTarget,
  sends,
  type TlsScript,
  type TlsSetup,
} from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import type { HttpConfig } from './config.ts'
import { http } from './http.ts'

const ca = certificates.authority
const good: TlsSetup = { identity: certificates.good }
const good12: TlsSetup = { ...good, maxVersion: 'TLSv1.2' }
const versions = [
  ['TLS 1.3', good],
  ['TLS 1.2', good12],
] as const

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
const up = { status: 'success', reason: null }
/** More than a session of the usual size takes in memory, less than two. */
const oneSession = 3_000

function at({ port }: { readonly port: number }, tls: HttpConfig['tls'] = {}): HttpConfig {
  return { url: `https://shop.test:${port}/`, tls: { ca, ...tls } }
}

/** Makes so many checks of a scripted server. `offered`: whether the hello of each came with a session. */
async function roundsOf(script: TlsScript, count = 3) {
  await using target = await ScriptedTlsTarget.start(script)
  await using gate = await HelloGate.start(target.port, () => true)
  const monitor = new CheckedMonitor()
  const outcomes = []
  for (let round = 0; round < count; round++) outcomes.push(await monitor.check(http, at(gate)))
  return {
    outcomes,
    offered: gate.hellos.map(({ offersSession }) => offersSession),
    tickets: gate.hellos.map(({ ticket }) => ticket),
    keptBytes: monitor.sessions.bytes,
  }
}

describe('a server that gives', () => {
  test('an ordinary ticket is offered it, and may make a full handshake all the same', async () => {
    const rounds = await roundsOf({
      onHandshake: (voice) => voice.ticket(200),
      onRequest: (voice) => voice.data(answer),
    })
    expect(rounds.outcomes).toMatchObject([up, up, up])
    expect(rounds.offered).toEqual([false, true, true])
    expect(rounds.keptBytes).toBeGreaterThan(0)
  })

  test('a ticket of 64 KB is up, and is not offered it', async () => {
    const rounds = await roundsOf({
      onHandshake: (voice) => voice.ticket(65_535),
      onRequest: (voice) => voice.data(answer),
    })
    expect(rounds.outcomes).toMatchObject([up, up, up])
    expect(rounds.offered).toEqual([false, false, false])
    expect(rounds.keptBytes).toBe(0)
  })

  test('a ticket that lasts no second is up', async () => {
    const rounds = await roundsOf({
      onHandshake: (voice) => voice.ticket(200, 0),
      onRequest: (voice) => voice.data(answer),
    })
    expect(rounds.outcomes).toMatchObject([up, up, up])
  })

  test('a thousand tickets is up, and one of them is kept', async () => {
    const rounds = await roundsOf({
      onHandshake(voice) {
        for (let ticket = 0; ticket < 1_000; ticket++) voice.ticket(200)
      },
      onRequest: (voice) => voice.data(answer),
    })
    expect(rounds.outcomes).toMatchObject([up, up, up])
    expect(rounds.keptBytes).toBeLessThan(oneSession)
  })

  test('its tickets with the end of the connection, after the answer, is up', async () => {
    const rounds = await roundsOf({
      onRequest(voice) {
        voice.data(answer)
        voice.ticket(200)
        voice.end()
      },
    })
    expect(rounds.outcomes).toMatchObject([up, up, up])
    expect(rounds.keptBytes).toBeLessThan(oneSession)
  })

  test('its tickets when the connection has been closed is up, and is offered none', async () => {
    let given = 0
    const rounds = await roundsOf({
      onRequest: (voice) => voice.data(answer),
      onClose(voice) {
        for (let ticket = 0; ticket < 100; ticket++) voice.ticket(200)
        given++
      },
    })
    expect(rounds.outcomes).toMatchObject([up, up, up])
    expect(rounds.offered).toEqual([false, false, false])
    expect(rounds.keptBytes).toBe(0)
    expect(given).toBeGreaterThan(0)
  })

  test('a ticket that is cut off is down', async () => {
    const rounds = await roundsOf({
      onHandshake: (voice) => voice.handshake(Buffer.of(4, 0, 0, 2, 0, 0)),
      onRequest: (voice) => voice.data(answer),
    })
    const down = { status: 'failure', reason: 'TLS failed (length mismatch)', evidence: 'target' }
    expect(rounds.outcomes).toMatchObject([down, down, down])
    expect(rounds.keptBytes).toBe(0)
  })

  test('another ticket every time is offered the last one', async () => {
    const rounds = await roundsOf({
      onHandshake: (voice) => voice.ticket(200),
      onRequest: (voice) => voice.data(answer),
    })
    expect(new Set(rounds.tickets).size).toBe(3)
    expect(rounds.keptBytes).toBeLessThan(oneSession)
  })

  test('no tickets, but lets a session be resumed once, is up every time', async () => {
    await using target = await HttpTarget.start({ tls: { ...good12, resumesOnce: true } })
    const monitor = new CheckedMonitor()
    for (let round = 0; round < 4; round++) expect(await monitor.check(http, at(target))).toMatchObject(up)
    expect(target.handshakes).toEqual(['full', 'resumed', 'full', 'resumed'])
  })
})

describe('a server that shakes hands again before it answers', () => {
  test.each([
    ['with tickets', good12],
    ['without tickets', { ...good12, withoutTickets: true }],
  ])('is up: %s', async (_title, tls) => {
    await using target = await HttpTarget.start({ tls })
    target.behave(renegotiates(answers()))
    const monitor = new CheckedMonitor()
    for (let round = 0; round < 3; round++) expect(await monitor.check(http, at(target))).toMatchObject(up)
  })

  test.each([
    [certificates.expired, 'the certificate expired on 2026-01-02'],
    [certificates.other, 'the certificate is for other.test, not shop.test'],
  ])('is down when it then shows a certificate that is no good: %#', async (identity, reason) => {
    await using target = await HttpTarget.start({ tls: { ...good12, withoutTickets: true } })
    target.behave(renegotiates(answers(), identity))
    const monitor = new CheckedMonitor()
    const down = { status: 'failure', reason, evidence: 'target' }
    for (let round = 0; round < 2; round++) expect(await monitor.check(http, at(target))).toMatchObject(down)
    expect(monitor.sessions.bytes).toBe(0)
    expect(await monitor.check(http, at(target, { verify: false }))).toMatchObject(up)
  })

  test('and then hangs is given up at the deadline', async () => {
    await using target = await HttpTarget.start({ tls: { ...good12, withoutTickets: true } })
    target.behave(renegotiates(hangs()))
    const outcome = await new CheckedMonitor().check(http, at(target), { timeoutMs: 400 })
    expect(outcome).toMatchObject({
      status: 'timeout',
      reason: 'no response within 400 ms; connected, request sent',
    })
  })
})

describe.each(versions)('over %s two servers behind one address', (_version, tls) => {
  /** Checks of one monitor that reach the two in turn. */
  async function inTurns(servers: readonly { readonly port: number }[], count: number) {
    await using gate = await HelloGate.start(servers[0]!.port, () => true)
    const monitor = new CheckedMonitor()
    const outcomes = []
    for (let round = 0; round < count; round++) {
      gate.behind = servers[round % servers.length]!.port
      outcomes.push(await monitor.check(http, at(gate)))
    }
    return outcomes
  }

  test('that do not know the tickets of each other are both up', async () => {
    await using one = await HttpTarget.start({ tls })
    await using other = await HttpTarget.start({ tls })
    expect(await inTurns([one, other], 6)).toMatchObject(Array(6).fill(up))
    expect(one.handshakes.concat(other.handshakes)).toEqual(Array(6).fill('full'))
  })

  test('that name their keys alike are both up', async () => {
    await using one = await HttpTarget.start({ tls })
    await using other = await HttpTarget.start({ tls })
    other.claimsTicketsOf(one)
    expect(await inTurns([one, other], 6)).toMatchObject(Array(6).fill(up))
    expect(one.handshakes.concat(other.handshakes)).toEqual(Array(6).fill('full'))
  })

  test.each([
    ['has expired', certificates.expired, 'the certificate expired on 2026-01-02'],
    ['is for another name', certificates.other, 'the certificate is for other.test, not shop.test'],
  ])('are told apart when the certificate of one %s', async (_what, identity, reason) => {
    await using one = await HttpTarget.start({ tls })
    await using other = await HttpTarget.start({ tls: { ...tls, identity } })
    const down = { status: 'failure', reason, evidence: 'target' }
    expect(await inTurns([one, other], 4)).toMatchObject([up, down, up, down])
  })

  test('are told apart when one of them does not speak TLS', async () => {
    await using one = await HttpTarget.start({ tls })
    await using other = await HttpTarget.start()
    other.behave(sends(['HTTP/1.1 400 Bad Request\r\n\r\n'], 'close', 'accept'))
    const down = { status: 'failure', reason: 'the server did not speak TLS', evidence: 'target' }
    expect(await inTurns([one, other], 4)).toMatchObject([up, down, up, down])
  })
})
