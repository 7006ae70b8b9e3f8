// notify/email/compose.ts: builds a mail from a notification. Plain text only, so mail clients show markup in names as
// text. Every value is reduced to one line before it becomes a header, so no value can add a header.
import MailComposer from 'nodemailer/lib/mail-composer'
import { cut } from '../driver/text.ts'
import { factLines, headline } from '../driver/wording.ts'
import type { Notification } from '../driver.ts'
import { mailLimits } from './limits.ts'

export async function composeMail(
  from: string,
  to: readonly string[],
  notification: Notification,
): Promise<Buffer> {
  const domain = from.slice(from.lastIndexOf('@') + 1)
  const thread = threadOf(notification, domain)
  const composer = new MailComposer({
    // As objects, because text would be parsed as a list of addresses with names.
    from: { name: '', address: from },
    to: to.map((address) => ({ name: '', address })),
    subject: cut(subjectOf(notification), mailLimits.subject),
    date: new Date(notification.atMs),
    messageId: messageId('action', notification.actionId, domain),
    ...(thread === null ? {} : { inReplyTo: thread, references: thread }),
    headers: {
      // RFC 3834: no auto-responder should answer this.
      'Auto-Submitted': 'auto-generated',
      'X-Pulseward-Color': notification.color,
    },
    text: textOf(notification),
  })
  return await composer.compile().build()
}

function subjectOf(notification: Notification): string {
  const kind = notification.digest === null ? notification.color : 'digest'
  return `[${kind}] ${headline(notification)}`
}

function textOf(notification: Notification): string {
  return [headline(notification), '', ...factLines(notification), ''].join('\n')
}

/** The head of the thread, which is never sent: mail clients group messages that refer to the same one. */
function threadOf({ incidentId }: Notification, domain: string): string | null {
  return incidentId === null ? null : messageId('incident', incidentId, domain)
}

function messageId(kind: string, id: string, domain: string): string {
  return `<${kind}.${id.replace(/[^A-Za-z0-9-]/g, '-')}@${domain}>`
}
