// servers/aiosmtpd.ts: the mail server aiosmtpd with STARTTLS and one user. It is a library, so a few lines
// of Python start it. It keeps received mail for the test and delivers none.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { temporaryFolder } from '../files/temporary-folder.ts'
import { certificates } from '../targets/certificates.ts'
import { accepts, findProgram, freePort, type ServerKind, ServerProcess } from './server-process.ts'

export const aiosmtpd: ServerKind = {
  name: 'aiosmtpd',
  debianPackages: ['python3-aiosmtpd'],
  find() {
    // Another Python may come first on the path, without the packages of the system.
    const pythons = [findProgram('/usr/bin/python3'), findProgram('python3')]
    const hasIt = (python: string): boolean =>
      spawnSync(python, ['-c', 'import aiosmtpd.controller']).status === 0
    return pythons.find((python) => python !== null && hasIt(python)) ?? null
  },
}

const START = `
import signal, ssl, sys
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Mailbox
from aiosmtpd.smtp import AuthResult

port, certificate, key, mailbox, user, password, excluded = sys.argv[1:]
context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
context.load_cert_chain(certificate, key)

def authenticate(server, session, envelope, mechanism, login):
    known = login.login == user.encode() and login.password == password.encode()
    return AuthResult(success=known, handled=False)

Controller(
    Mailbox(mailbox), hostname="127.0.0.1", port=int(port), tls_context=context, ident="aiosmtpd",
    authenticator=authenticate, auth_exclude_mechanism=excluded.split(","),
).start()
signal.sigwait({signal.SIGTERM})
`

export interface RunningAiosmtpd extends AsyncDisposable {
  readonly host: string
  readonly port: number
  /** The complete mails received so far. */
  mails(): string[]
}

export interface AiosmtpdOptions {
  readonly user: string
  readonly password: string
  /** The only way to log in that it offers. */
  readonly mechanism: 'PLAIN' | 'LOGIN'
}

export async function startAiosmtpd(program: string, options: AiosmtpdOptions): Promise<RunningAiosmtpd> {
  const { certificate, key } = certificates.good
  const folder = temporaryFolder({ 'start.py': START, 'certificate.pem': certificate, 'key.pem': key })
  const port = await freePort()
  const excluded = options.mechanism === 'PLAIN' ? 'LOGIN' : 'PLAIN'
  const files = ['certificate.pem', 'key.pem', 'mailbox'].map(folder.path)
  const server = await ServerProcess.start({
    program,
    folder,
    words: [folder.path('start.py'), String(port), ...files, options.user, options.password, excluded],
    isReady: () => accepts(port),
  })
  const mails = (): string[] =>
    globSync(folder.path('mailbox/new/*')).map((path) => readFileSync(path, 'utf8'))
  return { host: '127.0.0.1', port, mails, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}
