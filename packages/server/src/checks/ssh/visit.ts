// checks/ssh/visit.ts: key exchange, login and command over a connected socket. The only file that loads the library.
// Nothing that the server says after the login began is quoted: it may repeat a secret.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { Client, type ConnectConfig } from 'ssh2'
import { ConnectError } from '../../platform/network/network.ts'
import { PeerFault, type Session } from '../driver/session.ts'
import type { SshConfig } from './config.ts'
import { PatientSocket } from './patient-socket.ts'
import { runCommand } from './run-command.ts'

/** Never sent: the visit ends with the key exchange where nobody is to log in. */
const NOBODY = 'nobody'

/** Resolves when everything that is configured was seen; throws PeerFault in words. */
export async function visit(socket: Socket, config: SshConfig, session: Session): Promise<void> {
  const client = new Client()
  try {
    await begin(client, socket, config, session)
    if (config.command === undefined) return
    session.awaits('end of the command')
    await runCommand(client, config.command, config.expect, session.peer)
  } finally {
    // What comes after the verdict is nobody's any more.
    client.removeAllListeners().on('error', () => {})
    client.destroy()
  }
}

/** Until the keys are exchanged, or the user is in where one is configured. */
function begin(client: Client, socket: Socket, config: SshConfig, session: Session): Promise<void> {
  const { fingerprint, username, password } = config
  session.awaits('key exchange')
  return new Promise((resolve, reject) => {
    client.on('handshake', () => {
      if (username === undefined) resolve()
      else session.awaits('answer to the login')
    })
    client.on('ready', () => resolve())
    client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) => {
      answer(prompts.map(() => password ?? ''))
    })
    client.on('error', (error) => reject(faultOf(error, session)))
    const isKnown = (key: Buffer): boolean => {
      const seen = fingerprintOf(key)
      if (fingerprint === undefined || seen === fingerprint) return true
      reject(new PeerFault(`the host key of ${session.peer} is another one: ${seen}`))
      return false
    }
    try {
      client.connect({
        ...credentialsOf(config),
        sock: new PatientSocket(socket),
        hostVerifier: isKnown,
        readyTimeout: 0,
      })
    } catch {
      // The library's words may quote what it could not read.
      reject(
        new ConnectError('BAD_KEY', 'the configured private_key or its passphrase cannot be read', 'local'),
      )
    }
  })
}

function credentialsOf({ username, password, private_key, passphrase }: SshConfig): ConnectConfig {
  return {
    username: username ?? NOBODY,
    ...(password === undefined ? {} : { password, tryKeyboard: true }),
    ...(private_key === undefined ? {} : { privateKey: private_key }),
    ...(passphrase === undefined ? {} : { passphrase }),
  }
}

/** As ssh-keygen shows it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

function faultOf(error: Error & { level?: string }, session: Session): PeerFault {
  if (error.level === 'client-authentication') return session.loginRefused()
  // The library names the list in which nothing was found: "no matching host key format".
  const [, list] = /no matching (?:C->S |S->C )?([\w ]+)/.exec(error.message) ?? []
  if (list !== undefined) return new PeerFault(`${session.peer} and we have no ${list.trim()} in common`)
  return new PeerFault(`${session.peer} breaks the rules of SSH`)
}
