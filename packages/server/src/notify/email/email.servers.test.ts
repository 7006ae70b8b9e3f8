// The email notifier against aiosmtpd: STARTTLS, a login, and the mail as the server has it afterwards.
import { hostileNotification, notificationOf, notifyOnce } from '@pulseward/testing/notify'
import { aiosmtpd, describeServer, type RunningAiosmtpd, startAiosmtpd } from '@pulseward/testing/servers'
import { trustTestAuthority } from '@pulseward/testing/targets'
import { expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Notification } from '../driver.ts'
import { email } from './email.ts'

const user = 'pulseward'
const password = 'correct horse'

async function send(
  { host, port }: RunningAiosmtpd,
  notification: Notification,
  given = password,
): Promise<ActionOutcome> {
  using _trust = trustTestAuthority()
  const config = {
    to: ['ops@shop.test', 'oncall@shop.test'],
    from: 'pulseward@shop.test',
    server: { host, port, username: user, password: given },
  }
  return await notifyOnce(email, config, { notification, timeoutMs: 5_000 })
}

describeServer(aiosmtpd, (program) => {
  it.each(['PLAIN', 'LOGIN'] as const)(
    'takes a mail over STARTTLS after a login by %s',
    async (mechanism) => {
      await using server = await startAiosmtpd(program, { user, password, mechanism })
      expect(await send(server, notificationOf())).toEqual({ kind: 'accepted' })
      const [mail] = server.mails()
      expect(mail).toMatch(/^Subject: \[red\] Checkout API is down$/m)
      expect(mail).toMatch(/^References: <incident\.0mfx-7@shop\.test>$/m)
      expect(mail).toMatch(/^In-Reply-To: <incident\.0mfx-7@shop\.test>$/m)
      expect(mail).toMatch(/^Auto-Submitted: auto-generated$/m)
      expect(mail).toMatch(/^X-RcptTo: ops@shop\.test, oncall@shop\.test$/m)
      expect(mail).toContain('\nSeen: connection refused by shop.test:443\n')
    },
  )

  it('takes hostile text for text', async () => {
    await using server = await startAiosmtpd(program, { user, password, mechanism: 'PLAIN' })
    expect(await send(server, hostileNotification)).toMatchObject({ kind: 'accepted' })
    const [mail] = server.mails()
    expect(mail).not.toMatch(/^X-Injected:/im)
    expect(mail).toMatch(/^Message-ID: <action\.0mfx-9@shop\.test>$/m)
  })

  it('refuses a wrong login for good, and has no mail', async () => {
    await using server = await startAiosmtpd(program, { user, password, mechanism: 'PLAIN' })
    expect(await send(server, notificationOf(), 'wrong')).toEqual({
      kind: 'rejected',
      reason: `127.0.0.1:${server.port} refused the login (reply 535)`,
    })
    expect(server.mails()).toEqual([])
  })
})
