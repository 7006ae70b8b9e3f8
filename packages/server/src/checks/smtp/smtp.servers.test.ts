// The smtp and tls checks against aiosmtpd.
import { checkFixture } from '@pulseward/testing/checks'
import { aiosmtpd, describeServer, startAiosmtpd } from '@pulseward/testing/servers'
import { CERTIFICATES_END_AT, certificates } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'
import { tls } from '../tls/tls.ts'
import { smtp } from './smtp.ts'

const login = { user: 'ward', password: 'correct horse battery staple' }
const secured = { security: 'starttls', tls: { ca: certificates.authority } } as const

describeServer(aiosmtpd, (program) => {
  it.each(['PLAIN', 'LOGIN'] as const)(
    'lets in by %s only a user with the right password',
    async (mechanism) => {
      using fixture = checkFixture()
      await using server = await startAiosmtpd(program, { ...login, mechanism })
      const address = { host: server.host, port: server.port }
      const config = { ...address, ...secured, username: login.user, password: login.password }
      expect((await fixture.run(smtp, config)).outcome).toMatchObject({
        status: 'success',
        certificateExpiresAt: CERTIFICATES_END_AT,
      })
      expect((await fixture.run(smtp, { ...config, password: 'wrong' })).outcome).toMatchObject({
        status: 'failure',
        reason: `the login was refused by ${server.host}:${server.port} (535)`,
      })
    },
  )

  it('greets, and goes over to TLS for the tls check, too', async () => {
    using fixture = checkFixture()
    await using server = await startAiosmtpd(program, { ...login, mechanism: 'PLAIN' })
    const address = { host: server.host, port: server.port }
    const greeted = await fixture.run(smtp, { ...address, banner: 'aiosmtpd' })
    expect(greeted.outcome).toMatchObject({ status: 'success' })
    const seen = await fixture.run(tls, { ...address, starttls: 'smtp', ca: certificates.authority })
    expect(seen.outcome).toMatchObject({ status: 'success', certificateExpiresAt: CERTIFICATES_END_AT })
  })
})
