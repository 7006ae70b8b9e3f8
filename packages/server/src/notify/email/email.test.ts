import { hostileNotification, notificationOf, notifyOnce } from '@pulseward/testing/notify'
import { SmtpTarget, type SmtpTargetOptions, trustTestAuthority } from '@pulseward/testing/targets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ActionOutcome } from '../../platform/action-outcome.ts'
import type { Notification } from '../driver.ts'
import { composeMail } from './compose.ts'
import { email } from './email.ts'

let trust: Disposable
beforeAll(() => {
  trust = trustTestAuthority()
})
afterAll(() => trust[Symbol.dispose]())

const base = { to: ['ops@shop.test'], from: 'pulseward@shop.test' }

async function send(
  target: SmtpTarget,
  server: object = {},
  notification: Notification = notificationOf(),
): Promise<ActionOutcome> {
  const config = { ...base, server: { host: 'shop.test', port: target.port, ...server } }
  return await notifyOnce(email, config, { notification, hosts: '127.0.0.1 shop.test mail.test' })
}

async function headersOf(notification: Notification): Promise<Map<string, string>> {
  const mail = (await composeMail(base.from, base.to, notification)).toString('utf8')
  const head = mail.slice(0, mail.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return new Map(head.split('\r\n').map((line) => line.split(/: (.*)/s) as [string, string]))
}

describe('a mail', () => {
  it('has the headers of an automatic message', async () => {
    const headers = await headersOf(notificationOf())
    expect(Object.fromEntries(headers)).toMatchObject({
      From: 'pulseward@shop.test',
      To: 'ops@shop.test',
      Subject: '[red] Checkout API is down',
      Date: 'Sat, 31 Jan 2026 08:15:00 +0000',
      'Message-ID': '<action.0mfx-9@shop.test>',
      'Auto-Submitted': 'auto-generated',
    })
  })

  it('belongs to the thread of its incident', async () => {
    const red = await headersOf(notificationOf({ actionId: 'a1' }))
    const green = await headersOf(notificationOf({ actionId: 'a2', color: 'green' }))
    const other = await headersOf(notificationOf({ actionId: 'a3', incidentId: 'other' }))
    expect(red.get('References')).toBe('<incident.0mfx-7@shop.test>')
    expect(red.get('In-Reply-To')).toBe(red.get('References'))
    expect(green.get('References')).toBe(red.get('References'))
    expect(green.get('Message-ID')).not.toBe(red.get('Message-ID'))
    expect(other.get('References')).not.toBe(red.get('References'))
  })

  it('belongs to no thread without an incident', async () => {
    const headers = await headersOf(notificationOf({ incidentId: null }))
    expect(headers.has('References') || headers.has('In-Reply-To')).toBe(false)
  })

  it('gets no extra header from a name, an id or a reason', async () => {
    const bad = 'x\r\nBcc: thief@evil.test'
    const headers = await headersOf({ ...hostileNotification, incidentId: bad, actionId: bad, status: bad })
    expect([...headers.keys()].sort()).toEqual([...(await headersOf(notificationOf())).keys()].sort())
  })
})

describe('the mail session', () => {
  async function sentTo(
    options: SmtpTargetOptions,
    server: object,
  ): Promise<{ outcome: ActionOutcome; target: SmtpTarget }> {
    const target = await SmtpTarget.start(options)
    await using _owned = target
    return { outcome: await send(target, server), target }
  }

  it('is encrypted by STARTTLS by default, and logs in after that', async () => {
    const login = { username: 'me', password: 'secret' }
    const { outcome, target } = await sentTo({ extensions: ['AUTH PLAIN LOGIN'] }, login)
    expect(outcome).toEqual({ kind: 'accepted' })
    expect(target.mails).toMatchObject([{ from: base.from, to: base.to, wasEncrypted: true }])
    const plain = Buffer.from('\0me\0secret').toString('base64')
    expect(target.mails[0]?.login).toBe(`AUTH PLAIN ${plain}`)
    expect(target.lines.indexOf('STARTTLS')).toBeLessThan(
      target.lines.findIndex((line) => line.startsWith('AUTH')),
    )
  })

  it('gives neither login nor mail to a server without STARTTLS', async () => {
    const server = { username: 'me', password: 'secret' }
    const { outcome, target } = await sentTo({ security: 'none', extensions: ['AUTH PLAIN'] }, server)
    expect(outcome).toEqual({
      kind: 'rejected',
      reason: `shop.test:${target.port} does not offer STARTTLS (reply 502)`,
    })
    expect(target.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([])
  })

  it('is refused by us if the certificate is for another name', async () => {
    const { outcome, target } = await sentTo({}, { host: 'mail.test' })
    expect(outcome).toEqual({
      kind: 'rejected',
      reason: `the certificate of mail.test:${target.port} is for another name`,
    })
    expect(target.mails).toEqual([])
  })

  it('does not send without the configured login', async () => {
    const { outcome, target } = await sentTo({}, { username: 'me', password: 'secret' })
    expect(outcome).toEqual({ kind: 'rejected', reason: `shop.test:${target.port} offers no login` })
    expect(target.mails).toEqual([])
  })

  it('notes how many recipients were refused', async () => {
    await using target = await SmtpTarget.start({
      script: { rcpt: (line) => (line.includes('gone') ? '550 no' : '250 yes') },
    })
    const config = {
      ...base,
      to: ['ops@shop.test', 'gone@shop.test'],
      server: { host: '127.0.0.1', port: target.port },
    }
    expect(await notifyOnce(email, config)).toEqual({
      kind: 'accepted',
      note: `1 of 2 recipients was refused by 127.0.0.1:${target.port}`,
    })
    expect(target.mails[0]?.to).toEqual(['ops@shop.test'])
  })

  it('keeps a line with a single dot in the mail', async () => {
    await using target = await SmtpTarget.start()
    await send(target, {}, notificationOf({ link: '.\n.\nQUIT' }))
    expect(target.mails[0]?.data).toContain('\r\n.\r\nQUIT')
  })
})
