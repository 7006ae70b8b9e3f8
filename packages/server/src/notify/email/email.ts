// notify/email/email.ts: sends mail over SMTP, with nodemailer on a connection of ours, so that the network policy
// holds. Mail is encrypted unless the configuration says none: a server that does not offer STARTTLS gets nothing.
// Messages of one incident form a thread.
import { rejected, retry } from '../../platform/action-outcome.ts'
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import { connectOutbound, NotSent } from '../../platform/network/outbound-connect.ts'
import { closed, Host, OneLine, OneLineSecret, oneOf, Port } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { defineNotifier } from '../driver.ts'
import { classifySession } from './classify-session.ts'
import { mailLimits } from './limits.ts'

const Address = Type.String({
  pattern: '^[^\\s@<>]+@[^\\s@<>]+$',
  maxLength: 320,
  description: 'A mail address.',
})

const USUAL_PORTS = { starttls: 587, tls: 465, none: 25 } as const

export const email = defineNotifier({
  summary: 'Sends mail over SMTP.',
  needs: 'An SMTP server that takes mail from this service, and a login where it asks for one.',
  config: closed({
    to: Type.Array(Address, { minItems: 1, maxItems: 50, description: 'Who gets the mail.' }),
    from: Address,
    server: closed(
      {
        host: Host,
        port: Type.Optional(
          Type.Unsafe<number>({
            ...Port,
            description: 'By default 587 for starttls, 465 for tls, 25 for none.',
          }),
        ),
        security: Type.Optional(
          oneOf(['starttls', 'tls', 'none'], 'With starttls a server that does not offer it is refused.', {
            default: 'starttls',
          }),
        ),
        username: Type.Optional(
          Type.Unsafe<string>({
            ...OneLine,
            description: 'The user to log in as; without it there is no login.',
          }),
        ),
        password: Type.Optional(OneLineSecret),
      },
      { description: 'The SMTP server that takes the mail.' },
    ),
  }),
  rate: { maxInFlight: 4, perSecond: null },
  limits: { unit: 'code points', longest: mailLimits },
  target: ({ to, server }) => `${to.join(', ')} by ${server.host}`,
  async notify({ from, to, server }, notification, run) {
    const security = server.security ?? 'starttls'
    const target = { host: server.host, port: server.port ?? USUAL_PORTS[security] }
    // Loaded with the first mail: the library is large, and most processes that read this schema send no mail.
    const { composeMail } = await import('./compose.ts')
    const { sendMail } = await import('./session.ts')
    const message = await composeMail(from, to, notification)
    const socket = await connectOutbound(run.network, target, run)
    if (socket instanceof NotSent) return socket.isRetryable ? retry(socket.reason) : rejected(socket.reason)
    const login =
      server.username === undefined ? null : { username: server.username, password: server.password ?? '' }
    const end = await sendMail(socket, { ...target, security, login }, { from, to, message }, run.signal)
    return classifySession(end, formatEndpoint(target.host, target.port), run)
  },
})
