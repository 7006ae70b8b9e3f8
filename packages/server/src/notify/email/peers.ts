// notify/email/peers.ts: the mail servers that the email notifier meets in its contract.
import {
  type Encounter,
  type Encounters,
  expects,
  type NotifierPeers,
  neverAnswers,
  outboundFixture,
} from '@pulseward/testing/notify'
import {
  BlackHole,
  certificates,
  type SmtpScript,
  SmtpTarget,
  type SmtpTargetOptions,
  type TcpBehaviour,
  TcpTarget,
  trustTestAuthority,
} from '@pulseward/testing/targets'

const password = 'correct horse battery staple'

export async function startPeers(): Promise<NotifierPeers> {
  await using owned = new AsyncDisposableStack()
  owned.use(trustTestAuthority())
  const servers: SmtpTarget[] = []
  const start = async (options: SmtpTargetOptions = {}): Promise<SmtpTarget> => {
    const extensions = ['AUTH PLAIN', ...(options.extensions ?? [])]
    const server = owned.use(await SmtpTarget.start({ ...options, extensions }))
    servers.push(server)
    return server
  }
  const config = (port: number, server: object = {}): object => ({
    to: ['ops@shop.test', 'oncall@shop.test'],
    from: 'pulseward@shop.test',
    server: { host: '127.0.0.1', port, username: 'pulseward', password: { credential: 'MAIL' }, ...server },
  })
  const scripted = async (kind: Encounter['kind'], script: SmtpScript): Promise<Encounter> =>
    expects(kind, config((await start({ script })).port))
  const hanging = async (kind: Encounter['kind'], script: SmtpScript): Promise<Encounter> =>
    neverAnswers(kind, config((await start({ script })).port))
  const otherServers: TcpTarget[] = []
  const otherServer = async (behaviour: TcpBehaviour): Promise<object> => {
    const target = owned.use(await TcpTarget.start({ behaviour }))
    otherServers.push(target)
    return config(target.port)
  }
  const closed = owned.use(await TcpTarget.start())
  await closed.refuses()
  const hole = owned.use(await BlackHole.start())
  const accepting = await start()
  const implicit = config((await start({ security: 'tls' })).port, { security: 'tls' })
  const bare = config((await start({ security: 'none' })).port, { security: 'none' })
  const encounters: Encounters = {
    accepting: expects('accepted', config(accepting.port)),
    'accepting in a pipeline': expects(
      'accepted',
      config((await start({ extensions: ['PIPELINING', '8BITMIME', 'SIZE 1000000'] })).port),
    ),
    'speaking TLS at once': expects('accepted', implicit),
    'without encryption, as allowed': expects('accepted', bare),
    rejecting: await scripted('rejected', { message: `554 spam, ${password}` }),
    'failing for now': await scripted('retry', { message: '451 later' }),
    'busy at the door': await scripted('retry', { greeting: '421 too many' }),
    'refusing at the door': await scripted('rejected', { greeting: '554 not you' }),
    'refusing the login': await scripted('rejected', { auth: `535 not ${password}` }),
    'refusing the sender': await scripted('rejected', { mail: '550 no' }),
    'refusing all recipients': await scripted('rejected', { rcpt: '550 no such user' }),
    'refusing one recipient': await scripted('accepted', {
      rcpt: (line) => (line.includes('oncall') ? '550 no such user' : '250 yes'),
    }),
    'gray-listing': await scripted('retry', { rcpt: '450 come back' }),
    'without STARTTLS': expects('rejected', config((await start({ security: 'none' })).port)),
    'without TLS for now': await scripted('retry', { starttls: '454 not now' }),
    distrusted: expects('rejected', config((await start({ identity: certificates.selfSigned })).port)),
    refusing: expects('retry', config(closed.port)),
    'black-holed': neverAnswers('retry', config(hole.port)),
    forbidden: expects('rejected', config(25, { host: '169.254.169.254' })),
    // Many simultaneous handshakes are slow, and the outcome depends on what was reached by the deadline.
    silent: { ...(await hanging('unknown', { message: 'hang' })), timeoutMs: 1_000 },
    'silent at the door': await hanging('retry', { greeting: 'hang' }),
    'silent before the mail': await hanging('retry', { data: 'hang' }),
    cutting: await scripted('unknown', { message: 'cut' }),
    'cutting before the mail': await scripted('retry', { data: 'cut' }),
    'cutting at STARTTLS': await scripted('retry', { starttls: 'cut' }),
    garbage: expects(
      'retry',
      await otherServer({ kind: 'banner', text: 'HTTP/1.1 400 Bad Request\r\n\r\n' }),
    ),
    endless: expects('retry', await otherServer({ kind: 'endless' })),
  }
  const fixture = owned.use(outboundFixture())
  const opened = owned.move()
  return {
    network: fixture.network,
    credentials: new Map([['MAIL', password]]),
    secrets: [password],
    encounters,
    attempts: () => servers.reduce((sum, { sessions }) => sum + sessions, 0),
    openConnections: () =>
      servers.reduce((sum, { openSockets }) => sum + openSockets, 0) +
      otherServers.reduce((sum, { connectionsOpen }) => sum + connectionsOpen, 0),
    lastShown: () => decoded(accepting.mails.at(-1)?.data ?? ''),
    markup: null,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** The mail as a mail client reads it: headers unfolded, encoded words and quoted-printable lines decoded. */
function decoded(mail: string): string {
  const headEnd = mail.indexOf('\r\n\r\n')
  const head = mail
    .slice(0, headEnd)
    .replace(/\r\n[ \t]+/g, ' ')
    .replace(/(=\?[^?]+\?[QB]\?[^?]*\?=)\s+(?==\?)/gi, '$1')
    .replace(/=\?UTF-8\?Q\?([^?]*)\?=/gi, (_, text: string) => quotedPrintable(text.replaceAll('_', ' ')))
    .replace(/=\?UTF-8\?B\?([^?]*)\?=/gi, (_, text: string) => Buffer.from(text, 'base64').toString('utf8'))
  const body = mail.slice(headEnd + 4)
  if (/^Content-Transfer-Encoding: base64/im.test(head)) {
    return `${head}\n\n${Buffer.from(body, 'base64').toString('utf8')}`
  }
  return `${head}\n\n${quotedPrintable(body.replace(/=\r\n/g, ''))}`
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
