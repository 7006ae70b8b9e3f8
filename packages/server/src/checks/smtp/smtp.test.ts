// What the contract does not ask of the smtp check; its troubles stand in peers.ts.
import { LoopbackRun, runCheck } from '@pulseward/testing/checks'
import { CERTIFICATES_END_AT, certificates, SmtpTarget } from '@pulseward/testing/targets'
import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { smtp } from './smtp.ts'

const host = '127.0.0.1'
const tls = { ca: certificates.authority }

describe('an smtp check', () => {
  it('says hello again under TLS, logs in there, and takes its leave', async () => {
    await using target = await SmtpTarget.start({ extensions: ['AUTH PLAIN'] })
    const login = { username: 'ward', password: 'hush' }
    const run = new LoopbackRun()
    const config = {
      host,
      port: target.port,
      security: 'starttls',
      tls,
      helo: 'watch.test',
      ...login,
    } as const
    expect(await runCheck(smtp, config, run)).toMatchObject({
      status: 'success',
      certificateExpiresAt: CERTIFICATES_END_AT,
    })
    const auth = `AUTH PLAIN ${Buffer.from('\0ward\0hush').toString('base64')}`
    expect(target.lines.slice(0, 4)).toEqual(['EHLO watch.test', 'STARTTLS', 'EHLO watch.test', auth])
    expect(run.marks).toContain('tls')
  })

  it('sends no password to a server whose certificate is wrong', async () => {
    await using target = await SmtpTarget.start({ identity: certificates.other, extensions: ['AUTH PLAIN'] })
    const login = { username: 'ward', password: 'hush' }
    await runCheck(smtp, { host, port: target.port, security: 'starttls', tls, ...login })
    expect(target.lines).toEqual(['EHLO localhost', 'STARTTLS'])
  })

  const password = { credential: 'MAIL' }
  it.each<[object, string]>([
    [{ username: 'ward', password }, 'in the clear'],
    [{ security: 'tls', username: 'ward' }, 'without a password'],
    [{ security: 'tls', password }, 'without a user'],
    [{ security: 'tls', username: 'ward', password: 'open' }, 'with an open password'],
    [{ helo: 'two words' }, 'with a hello that would be two'],
  ])('refuses %j: a login %s', (config) => {
    expect(Compile(smtp.config).Check({ host, ...config })).toBe(false)
  })

  it.each([
    ['none', '127.0.0.1:25'],
    ['starttls', '127.0.0.1:587'],
    ['tls', '127.0.0.1:465'],
  ] as const)('begins with the usual port for %s', (security, target) => {
    expect(smtp.target({ host, security })).toBe(target)
  })
})
