// What becomes of a monitor while its checks resume TLS sessions and its server begins to show another certificate: real checks
// of a real server, in a service whose time the test moves.
import { X509Certificate } from 'node:crypto'
import { ProbedTargets, TestService } from '@pulseward/testing/engine'
import { answers, certificates, closesEarly, HttpTarget, type Identity } from '@pulseward/testing/targets'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const { authority, chain, good, expired, other, renewed } = certificates
/** As a server sends it that is set up well. */
const wholeChain: Identity = { ...chain.leaf, certificate: chain.leaf.certificate + chain.intermediate }
const ca = [authority, chain.root, renewed.certificate].join('')
const intervalSeconds = 30
const fullSeconds = 300

let probes: ProbedTargets
beforeEach(() => {
  probes = new ProbedTargets()
})
afterEach(() => probes[Symbol.dispose]())

/** Up after a full handshake, a minute in which its session was resumed, and no check in flight. */
async function resuming(target: HttpTarget): Promise<TestService> {
  const service = await TestService.start({ monitors: [shop(target)], checks: probes.open })
  await service.advance({ seconds: intervalSeconds + 60 })
  expect(target.handshakes.slice(0, 2)).toEqual(['full', 'resumed'])
  expect(service.statusOf('shop')).toBe('up')
  return service
}

function shop(target: HttpTarget, trusted = ca) {
  const config = { url: target.url(), tls: { ca: trusted, server_name: 'shop.test' } }
  return { id: 'shop', name: 'shop', check: { type: 'http', interval: `${intervalSeconds}s`, config } }
}

const noteOf = (service: TestService) => service.engine.reading.noteOf(service.rowOf('shop'))!

/** When a full handshake last showed a certificate, in seconds. */
const observedAt = (service: TestService) => noteOf(service).certificateObservedAt! / 1_000

const endOf = ({ certificate }: Identity) => new X509Certificate(certificate).validToDate.getTime()

async function advanceUntil(service: TestService, isSo: () => boolean): Promise<void> {
  for (let second = 0; !isSo(); second++) {
    if (second > 2 * fullSeconds) throw new Error('it did not come to that within ten minutes')
    await service.advance({ seconds: 1 })
  }
}

const changes = [
  ['one that has expired', good, expired, 'the certificate expired on 2026-01-02'],
  ['one for another name', good, other, 'the certificate is for other.test, not shop.test'],
  [
    'its own without the authority that signed it',
    wholeChain,
    chain.leaf,
    'the certificate is not signed by a trusted authority (the server may not send its intermediate certificate)',
  ],
] as const

describe.each(changes)('a server that begins to show %s', (_title, before, after, reason) => {
  it('is down with the next full handshake, five minutes after the last one, and says why', async () => {
    await using target = await HttpTarget.start({ tls: { identity: before } })
    const service = await resuming(target)
    const firstAt = observedAt(service)
    target.presents({ identity: after })
    await advanceUntil(service, () => service.statusOf('shop') !== 'up')
    const secondAt = observedAt(service)
    expect(secondAt - firstAt).toBeGreaterThanOrEqual(fullSeconds)
    expect(secondAt - firstAt).toBeLessThan(fullSeconds + intervalSeconds)
    expect(noteOf(service)).toMatchObject({ lastError: reason, certificateExpiresAt: endOf(after) })
    await service.advance({ seconds: 2 * intervalSeconds })
    expect(service.statusOf('shop')).toBe('incident')
    target.presents({ identity: before })
    await service.advance({ seconds: 2 * intervalSeconds })
    expect(service.statusOf('shop')).toBe('up')
    expect(target.handshakes.slice(-2)).toEqual(['full', 'resumed'])
    expect(noteOf(service).certificateExpiresAt).toBe(endOf(before))
  })

  it('is down with the next check if it was started anew, so that it refuses its old tickets', async () => {
    await using target = await HttpTarget.start({ tls: { identity: before } })
    const service = await resuming(target)
    target.presents({ identity: after })
    target.forgetsTickets()
    await service.advance({ seconds: intervalSeconds })
    expect(service.statusOf('shop')).toBe('down')
    expect(noteOf(service).lastError).toBe(reason)
  })

  it('is known to do so one check after one that failed for another reason', async () => {
    await using target = await HttpTarget.start({ tls: { identity: before } })
    const service = await resuming(target)
    target.presents({ identity: after })
    target.behave(closesEarly())
    await service.advance({ seconds: intervalSeconds })
    expect(noteOf(service).lastError).toBe('the connection was closed before a response')
    target.behave(answers())
    await service.advance({ seconds: intervalSeconds })
    expect(noteOf(service).lastError).toBe(reason)
    await service.advance({ seconds: intervalSeconds })
    expect(service.statusOf('shop')).toBe('incident')
  })
})

describe('a server whose certificate is renewed', () => {
  it('stays up, and shows its new end with the next full handshake', { tags: 'long' }, async () => {
    await using target = await HttpTarget.start({ tls: { identity: good } })
    const service = await resuming(target)
    const firstAt = observedAt(service)
    target.presents({ identity: renewed })
    await service.advance({ seconds: intervalSeconds })
    expect(noteOf(service).certificateExpiresAt).toBe(endOf(good))
    await advanceUntil(service, () => observedAt(service) > firstAt)
    expect(observedAt(service) - firstAt).toBeLessThan(fullSeconds + intervalSeconds)
    expect(noteOf(service).certificateExpiresAt).toBe(endOf(renewed))
    expect(target.handshakes.filter((each) => each === 'full')).toHaveLength(2)
    expect(noteOf(service).lastError).toBeNull()
  })

  it('shows its new end with the next check if it was started anew', { tags: 'long' }, async () => {
    await using target = await HttpTarget.start({ tls: { identity: good } })
    const service = await resuming(target)
    target.presents({ identity: renewed })
    target.forgetsTickets()
    await service.advance({ seconds: intervalSeconds })
    expect(noteOf(service).certificateExpiresAt).toBe(endOf(renewed))
    expect(service.statusOf('shop')).toBe('up')
  })
})

describe('a fleet file that no longer trusts the authority of a server', () => {
  it('is obeyed by the next check, whatever session there is', async () => {
    await using target = await HttpTarget.start({ tls: { identity: good } })
    const service = await resuming(target)
    await service.reload({ monitors: [shop(target, chain.root)] })
    await service.advance({ seconds: intervalSeconds })
    expect(service.statusOf('shop')).toBe('down')
    expect(noteOf(service).lastError).toMatch(/^the certificate is not signed by a trusted authority/)
  })
})
