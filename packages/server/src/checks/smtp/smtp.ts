// checks/smtp/smtp.ts: does a mail server greet, offer what it should and let a user in? Sends no mail. A
// server's answer to a login is never quoted, because it may repeat the password.
import { formatEndpoint } from '../../platform/network/ip-address.ts'
import {
  closed,
  Host,
  type Infer,
  OneLineSecret,
  OpenOrSecretLine,
  oneOf,
  Port,
} from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { tlsOptions } from '../../platform/tls/tls-options.ts'
import { quote } from '../../platform/wording.ts'
import { IpFamily, MaxLatency } from '../driver/server-config.ts'
import { inSession, type Session } from '../driver/session.ts'
import { DEFAULT_HELO, greet, hello, readReply, requestTls } from '../driver/smtp-dialogue.ts'
import { CheckFailure, defineCheck } from '../driver.ts'

const USUAL_PORTS = { none: 25, starttls: 587, tls: 465 } as const

const fields = closed({
  host: Host,
  port: Type.Optional(
    Type.Unsafe<number>({
      ...Port,
      description: 'The port; by default 25 for none, 587 for starttls, 465 for tls.',
    }),
  ),
  security: Type.Optional(
    oneOf(
      ['none', 'starttls', 'tls'],
      'With starttls, a server that does not offer it fails the check; tls begins at once.',
      { default: 'none' },
    ),
  ),
  tls: Type.Optional(tlsOptions),
  helo: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      pattern: '^[A-Za-z0-9._:\\[\\]-]+$',
      default: DEFAULT_HELO,
      description: 'The name to say hello with.',
    }),
  ),
  banner: Type.Optional(
    Type.String({ minLength: 1, maxLength: 512, description: 'Text that must occur in the greeting.' }),
  ),
  username: Type.Optional(
    Type.Unsafe<string>({
      ...OpenOrSecretLine,
      description: 'The user to log in as; no login by default.',
    }),
  ),
  password: Type.Optional(
    Type.Unsafe<string>({
      ...OneLineSecret,
      description: 'The password of the user; never sent without TLS.',
    }),
  ),
  family: Type.Optional(IpFamily),
  max_latency: Type.Optional(MaxLatency),
})

type SmtpConfig = Infer<typeof fields>

const config = Type.Refine(
  fields,
  (config) => loginMistake(config) === null,
  (config) => loginMistake(config) ?? '',
)

function loginMistake({ username, password, security = 'none' }: SmtpConfig): string | null {
  if ((username === undefined) !== (password === undefined)) return 'needs username and password, or neither'
  return password !== undefined && security === 'none' ? 'needs security starttls or tls for a login' : null
}

export const smtp = defineCheck({
  summary: 'Greets a mail server, with TLS and a login where configured, and sends no mail.',
  config,
  target: (config) => formatEndpoint(config.host, portOf(config)),
  check(config, run) {
    const { host, family = 'any', security = 'none', helo = DEFAULT_HELO } = config
    const target = { host, port: portOf(config), family }
    return inSession(run, target, config.max_latency, async (session) => {
      if (security === 'tls') await session.secure(config.tls ?? {})
      await greetAsExpected(session, config.banner)
      let extensions = await hello(session, helo)
      if (security === 'starttls') {
        await requestTls(session, extensions)
        await session.secure(config.tls ?? {})
        // What was offered without TLS could have been forged.
        extensions = await hello(session, helo)
      }
      await logIn(session, extensions, config)
      session.write('QUIT\r\n')
    })
  },
})

function portOf({ port, security = 'none' }: SmtpConfig): number {
  return port ?? USUAL_PORTS[security]
}

async function greetAsExpected(session: Session, banner: string | undefined): Promise<void> {
  const greeting = (await greet(session)).lines.join(' ')
  if (banner !== undefined && !greeting.includes(banner))
    throw new CheckFailure(`the greeting of ${session.peer} is without ${quote(banner)}: ${quote(greeting)}`)
}

async function logIn(
  session: Session,
  extensions: readonly string[],
  { username, password }: SmtpConfig,
): Promise<void> {
  if (username === undefined || password === undefined) return
  const offered = extensions.find((line) => line.startsWith('AUTH '))?.split(' ') ?? []
  if (offered.includes('PLAIN')) {
    session.write(`AUTH PLAIN ${base64(`\0${username}\0${password}`)}\r\n`)
  } else if (offered.includes('LOGIN')) {
    session.write('AUTH LOGIN\r\n')
    await proceed(session, 334)
    session.write(`${base64(username)}\r\n`)
    await proceed(session, 334)
    session.write(`${base64(password)}\r\n`)
  } else {
    throw new CheckFailure(`${session.peer} offers no login by password`)
  }
  await proceed(session, 235)
}

async function proceed(session: Session, wanted: number): Promise<void> {
  const { code } = await readReply(session, 'answer to the login', 'unquoted')
  if (code !== wanted) throw new CheckFailure(`the login was refused by ${session.peer} (${code})`)
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64')
}
