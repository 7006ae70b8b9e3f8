// What the tls and http checks offer for the key exchange, against servers that accept one kind only.
import { CheckedMonitor, LoopbackRun, runCheck } from '@pulseward/testing/checks'
import {
  certificates,
  HelloGate,
  HttpTarget,
  type TlsSetup,
  X25519MLKEM768,
} from '@pulseward/testing/targets'
import { describe, expect, test } from 'vitest'
import { http } from '../http/http.ts'
import { tls } from './tls.ts'

const ca = certificates.authority
const X25519 = 29
const P256 = 23

const servers: readonly [string, TlsSetup, string, number][] = [
  // Connections of four checks; the first finds out what is missing.
  ['takes part in none but X25519MLKEM768', { identity: certificates.good, groups: 'X25519MLKEM768' }, ca, 5],
  ['takes part in none but P-384', { identity: certificates.good, groups: 'P-384' }, ca, 4],
  ['takes part in none but P-256', { identity: certificates.good, groups: 'P-256' }, ca, 4],
  [
    'has only the RSA key exchange of TLS 1.2',
    { identity: certificates.rsa, maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' },
    certificates.rsa.certificate,
    4,
  ],
]

describe.each(servers)('a server that %s', (_title, setup, authority, connections) => {
  test('is reached by every check of a monitor', async () => {
    await using target = await HttpTarget.start({ tls: setup })
    const monitor = new CheckedMonitor()
    const config = { url: target.url('/', 'shop.test'), tls: { ca: authority } }
    for (let round = 0; round < 4; round++)
      expect(await monitor.check(http, config)).toMatchObject({ status: 'success', reason: null })
    expect(target.acceptedSockets).toBe(connections)
  })

  test('is reached by a tls check, and by one that is only tried', async () => {
    await using target = await HttpTarget.start({ tls: setup })
    const config = { host: 'shop.test', port: target.port, ca: authority }
    const monitor = new CheckedMonitor()
    for (let round = 0; round < 2; round++)
      expect(await monitor.check(tls, config)).toMatchObject({ status: 'success', reason: null })
    expect(await runCheck(tls, config, new LoopbackRun())).toMatchObject({ status: 'success' })
    expect(target.handshakes).not.toContain('resumed')
  })
})

test('the groups against quantum computers are not named, unless nothing can be asked again', async () => {
  await using target = await HttpTarget.start({ tls: { identity: certificates.good } })
  await using gate = await HelloGate.start(target.port, () => true)
  const config = { host: 'shop.test', port: gate.port, ca }
  expect(await new CheckedMonitor().check(tls, config)).toMatchObject({ status: 'success' })
  expect(await runCheck(tls, config)).toMatchObject({ status: 'success' })
  const [ofMonitor, ofTrial] = gate.hellos
  expect(ofMonitor?.groups.slice(0, 2)).toEqual([X25519, P256])
  expect(ofMonitor?.groups).not.toContain(X25519MLKEM768)
  expect(ofTrial?.groups).toContain(X25519MLKEM768)
})

test('a server that refuses every handshake fails the check after a second one that offers everything', async () => {
  // No cipher in common.
  const setup: TlsSetup = {
    identity: certificates.good,
    maxVersion: 'TLSv1.2',
    ciphers: 'ECDHE-RSA-AES128-GCM-SHA256',
  }
  await using target = await HttpTarget.start({ tls: setup })
  const monitor = new CheckedMonitor()
  const config = { host: 'shop.test', port: target.port, ca }
  expect(await monitor.check(tls, config)).toMatchObject({
    status: 'failure',
    reason: 'the server refused the TLS handshake',
  })
  expect(target.acceptedSockets).toBe(2)
})
