// notify/email/classify-session.ts: the outcome of an SMTP session. A reply of the server is definite (4xx is
// temporary, 5xx is permanent). A session that ended before the message left sent nothing; one that ended later
// without a reply has an unknown outcome. Pure. Only the reply code of the server is repeated, never its text.
import { type ActionOutcome, accepted, rejected, retry, unknown } from '../../platform/action-outcome.ts'
import { type Deadline, late, tlsFailure } from '../../platform/network/outbound-connect.ts'
import type { SessionEnd, SmtpFailure } from './session.ts'

export function classifySession(end: SessionEnd, peer: string, deadline: Deadline): ActionOutcome {
  switch (end.kind) {
    case 'sent':
      return accepted(refusedNote(end, peer))
    case 'stopped':
      return end.messageLeft
        ? unknown(late(`the mail was sent, but ${peer} did not confirm it`, deadline))
        : retry(late(`${peer} did not take the mail`, deadline))
    case 'failed':
      return classifyFailure(end.failure, end.messageLeft, peer)
  }
}

function refusedNote(
  { refused, recipients }: { refused: number; recipients: number },
  peer: string,
): string | undefined {
  if (refused === 0) return undefined
  return `${refused} of ${recipients} recipients ${refused === 1 ? 'was' : 'were'} refused by ${peer}`
}

function classifyFailure(failure: SmtpFailure, messageLeft: boolean, peer: string): ActionOutcome {
  const { code, reply } = failure
  if (code === 'ENOAUTH') return rejected(`${peer} offers no login`)
  if (reply !== null) return classifyReply(reply, code, peer)
  if (messageLeft) return unknown(`the mail was sent, but ${peer} broke off before it confirmed it`)
  const tls = certificateFailure(failure, peer)
  if (tls !== null) return tls
  if (code === 'EPROTOCOL') return retry(`${peer} did not speak SMTP`)
  if (code === 'EAUTH' || code === 'EENVELOPE')
    return rejected(`${peer} cannot be used with this configuration`)
  return retry(`${peer} closed the connection before it took the mail`)
}

function classifyReply(reply: number, code: string, peer: string): ActionOutcome {
  const what = { EAUTH: 'refused the login', ETLS: 'does not offer STARTTLS' }[code] ?? 'refused the mail'
  const reason = `${peer} ${what} (reply ${reply})`
  // 503 says that the session went wrong, not that the mail is refused.
  return reply >= 500 && reply !== 503 ? rejected(reason) : retry(reason)
}

function certificateFailure({ code, systemCode }: SmtpFailure, peer: string): ActionOutcome | null {
  const isTls = code === 'ETLS' || /CERT|TLS|SSL/.test(systemCode)
  if (!isTls) return null
  const { reason, isRetryable } = tlsFailure(systemCode, peer)
  return isRetryable ? retry(reason) : rejected(reason)
}
