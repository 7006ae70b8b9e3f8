// The tls and http checks against nginx: the same words for the same certificate.
import { checkFixture } from '@pulseward/testing/checks'
import { describeServer, nginx, type RunningNginx, startNginx } from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { http } from '../http/http.ts'
import { tls } from './tls.ts'

const { authority, chain, client } = certificates
const untrusted = 'the certificate is not signed by a trusted authority'

describeServer(nginx, (program) => {
  const fixture = checkFixture()
  let server: RunningNginx
  beforeAll(async () => {
    server = await startNginx(program)
  })
  afterAll(async () => {
    fixture[Symbol.dispose]()
    await server?.[Symbol.asyncDispose]()
  })

  const host = '127.0.0.1'
  const byTls = async (name: keyof RunningNginx['ports'], options: object) =>
    (await fixture.run(tls, { host, port: server.ports[name], ...options })).outcome
  const byHttp = async (name: keyof RunningNginx['ports'], options: object) =>
    (await fixture.run(http, { url: `https://${host}:${server.ports[name]}/`, tls: options })).outcome

  it.each(['good', 'wholeChain'] as const)('is trusted with a certificate that is %s', async (name) => {
    const options = { ca: name === 'good' ? authority : chain.root }
    const seen = { status: 'success', warning: null, certificateExpiresAt: CERTIFICATES_END_AT }
    expect(await byTls(name, options)).toMatchObject(seen)
    expect(await byHttp(name, options)).toMatchObject(seen)
  })

  it.each([
    ['expired', { ca: authority }, 'the certificate expired on 2026-01-02'],
    ['misnamed', { ca: authority }, 'the certificate is for other.test, not 127.0.0.1'],
    ['selfSigned', { ca: authority }, `${untrusted} (self-signed)`],
    ['wholeChain', { ca: authority }, `${untrusted} (its issuer is not known here)`],
    [
      'incompleteChain',
      { ca: chain.root },
      `${untrusted} (the server may not send its intermediate certificate)`,
    ],
  ] as const)('is refused with a certificate that is %s', async (name, options, reason) => {
    expect(await byTls(name, options)).toMatchObject({ status: 'failure', reason, evidence: 'target' })
    expect(await byHttp(name, options)).toMatchObject({ status: 'failure', reason, evidence: 'target' })
  })

  it('serves who proves to be a client', async () => {
    const options = { ca: authority, certificate: client.certificate, key: client.key }
    expect(await byTls('wantsClient', options)).toMatchObject({ status: 'success' })
    expect(await byHttp('wantsClient', options)).toMatchObject({ status: 'success' })
  })

  it('serves no other client, and says so by HTTP', async () => {
    // nginx finishes every handshake and refuses afterwards.
    expect(await byTls('wantsClient', { ca: authority })).toMatchObject({ status: 'success' })
    expect(await byHttp('wantsClient', { ca: authority })).toMatchObject({
      status: 'failure',
      reason: 'status 400, expected 200-299',
    })
  })
})
