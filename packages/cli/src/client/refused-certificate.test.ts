// What a command says of a service whose certificate it does not accept, by real handshakes.
import { type TemporaryFolder, temporaryFolder } from '@pulseward/testing'
import { certificates, HttpTarget, type Identity, trustTestAuthority } from '@pulseward/testing/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runInProcess } from './command.fixture.ts'

let folder: TemporaryFolder
beforeAll(() => {
  folder = temporaryFolder({ 'ours.pem': certificates.authority, 'theirs.pem': certificates.chain.root })
})
afterAll(() => folder[Symbol.dispose]())

/** What the command says of a service with this certificate, after the address and the port of the service. */
async function said(identity: Identity, authorities: string | null): Promise<string> {
  await using service = await HttpTarget.start({ tls: { identity } })
  // --ca-file changes what this process trusts; this puts it back.
  using _trust = trustTestAuthority()
  const flags = authorities === null ? [] : ['--ca-file', folder.path(authorities)]
  const { code, stdout, stderr } = await runInProcess([
    'health',
    '--server',
    service.url('').replace(/\/$/, ''),
    ...flags,
  ])
  expect([code, stdout]).toEqual([3, ''])
  expect(service.requests).toEqual([])
  return /^pulseward: https:\S+ could not be reached: (.*)\n$/.exec(stderr)?.[1] ?? stderr
}

const untrusted = 'the certificate is not signed by a trusted authority'

describe('a service with a refused certificate', () => {
  it('of an authority that is not known is told from it, with the flag that names one', async () => {
    expect(await said(certificates.chain.leaf, null)).toBe(
      `${untrusted} (the server may not send its intermediate certificate); --ca-file names the authority to trust.`,
    )
    expect(await said(certificates.selfSigned, null)).toBe(
      `${untrusted} (self-signed); --ca-file names the authority to trust.`,
    )
  })

  it('of an authority other than those of --ca-file is told from it, with the file', async () => {
    expect(await said(certificates.good, 'theirs.pem')).toBe(
      `${untrusted} (the server may not send its intermediate certificate); only the authorities in ${folder.path('theirs.pem')} are trusted.`,
    )
  })

  it('for another name is told the names that it has and the one that was asked for', async () => {
    expect(await said(certificates.other, 'ours.pem')).toBe(
      'the certificate is for other.test, not 127.0.0.1; give a name of the certificate in --server.',
    )
  })

  it('that has expired is told since when', async () => {
    expect(await said(certificates.expired, 'ours.pem')).toBe(
      'the certificate expired on 2026-01-02; it has to be renewed.',
    )
  })

  it('that is not valid yet is told from when on', async () => {
    expect(await said(certificates.future, 'ours.pem')).toMatch(
      /^the certificate is not valid before 2120-\d\d-\d\d; check the clock of this machine\.$/,
    )
  })
})
