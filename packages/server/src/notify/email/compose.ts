// notify/email/compose.ts: a notification as the bytes of a mail. Plain text only: mail clients then show markup in
// names as the text it is. Every value is one line before it becomes a header, so none can add another one.
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
      // RFC 3834: no answering machine is to answer this.
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

/** The head of a thread that was never sent: mail clients put messages that refer to the same one together. */
function threadOf({ incidentId }: Notification, domain: string): string | null {
  return incidentId === null ? null : messageId('incident', incidentId, domain)
}

function messageId(kind: string, id: string, domain: string): string {
  return `<${kind}.${id.replace(/[^A-Za-z0-9-]/g, '-')}@${domain}>`
}
