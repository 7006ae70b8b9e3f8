import { once } from 'node:events'
import { connect as connectSecurely, createSecureContext, type TLSSocket } from 'node:tls'
import { certificates, HttpTarget, type TlsSetup } from '@pulseward/testing/targets'
import { describe, expect, it, test } from 'vitest'
import { slimSession } from './slim-session.ts'

const secureContext = createSecureContext({ ca: certificates.authority })

function connectTo(target: HttpTarget, offered?: Buffer): TLSSocket {
  return connectSecurely({
    host: '127.0.0.1',
    port: target.port,
    servername: 'shop.test',
    secureContext,
    rejectUnauthorized: false,
    ...(offered === undefined ? {} : { session: offered }),
  })
}

/** As Node hands it out. */
async function sessionOf(target: HttpTarget): Promise<Buffer> {
  const secured = connectTo(target)
  const [session] = await once(secured, 'session')
  secured.destroy()
  return session
}

async function isResumed(target: HttpTarget, session: Buffer): Promise<boolean> {
  const secured = connectTo(target, session)
  await once(secured, 'secureConnect')
  const wasReused = secured.isSessionReused()
  secured.destroy()
  return wasReused
}

describe.each([
  ['TLS 1.3', {}],
  ['TLS 1.2', { maxVersion: 'TLSv1.2' }],
] as const)('a session of %s', (_version, setup: Partial<TlsSetup>) => {
  test('is resumed without the certificate, which is half of its bytes', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.good, ...setup } })
    const whole = await sessionOf(target)
    const slim = slimSession(whole)
    const certificateBytes = Buffer.from(certificates.good.certificate.split('-----')[2]!, 'base64')
    expect(whole.includes(certificateBytes)).toBe(true)
    expect(slim.includes(certificateBytes)).toBe(false)
    expect(slim.length).toBeLessThan(whole.length - certificateBytes.length)
    for (let round = 0; round < 3; round++) expect(await isResumed(target, slim)).toBe(true)
  })

  test('is the same once it is slim', async () => {
    await using target = await HttpTarget.start({ tls: { identity: certificates.good, ...setup } })
    const slim = slimSession(await sessionOf(target))
    expect(slimSession(slim)).toEqual(slim)
  })
})

describe('what is no session as OpenSSL serializes it', () => {
  it.each([
    ['nothing', Buffer.alloc(0)],
    ['text', Buffer.from('0123456789, a session of the future')],
    ['a sequence that ends early', Buffer.from([0x30, 9, 2, 1, 1])],
    ['a field that is longer than its sequence', Buffer.from([0x30, 4, 0xa3, 9, 1, 1])],
    ['a length that never ends', Buffer.from([0x30, 0xff])],
  ])('stays as it is: %s', (_what, bytes) => {
    expect(slimSession(bytes)).toEqual(bytes)
  })

  it.each([0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000])(
    'keeps fields of %d bytes with a length in DER',
    (length) => {
      const header = Buffer.of(0x04, 0x83, length >> 16, (length >> 8) & 0xff, length & 0xff)
      const fields = Buffer.concat([header, Buffer.alloc(length, 1)])
      const peer = Buffer.of(0xa3, 2, 5, 0)
      const whole = fields.length + peer.length
      const sequence = Buffer.of(0x30, 0x83, whole >> 16, (whole >> 8) & 0xff, whole & 0xff)
      const slim = slimSession(Buffer.concat([sequence, fields, peer]))
      expect(slim.subarray(slim.length - fields.length)).toEqual(fields)
      expect(slimSession(slim)).toEqual(slim)
    },
  )
})
