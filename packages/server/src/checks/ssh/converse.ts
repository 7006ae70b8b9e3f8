// checks/ssh/converse.ts: key exchange, login and command over a connected socket. The only file that loads
// the library. Nothing that the server says after the login began is quoted, because it may repeat a secret.
// The output of a command is searched, bounded and never quoted.
import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { Client, type ConnectConfig } from 'ssh2'
import { quote } from '../../platform/wording.ts'
import type { Session } from '../driver/session.ts'
import { CheckFailure, UnusableConfig } from '../driver.ts'
import type { SshConfig } from './config.ts'
import { PatientSocket } from './patient-socket.ts'

/** Never sent: if no user is configured, the conversation ends with the key exchange. */
const UNUSED_USER = 'nobody'

const MOST_OUTPUT_BYTES = 64 * 1024

/** Resolves when every configured expectation was met. */
export async function converse(socket: Socket, config: SshConfig, session: Session): Promise<void> {
  const client = new Client()
  try {
    await begin(client, socket, config, session)
    if (config.command === undefined) return
    session.awaits('end of the command')
    await runCommand(client, config.command, config.expect, session.peer)
  } finally {
    // Nothing waits for later events.
    client.removeAllListeners().on('error', () => {})
    client.destroy()
  }
}

/** Resolves when the keys are exchanged or, if a user is configured, when the login is accepted. */
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
      reject(new CheckFailure(`the host key of ${session.peer} has another fingerprint: ${seen}`))
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
      // The library's message may quote what it could not read.
      reject(new UnusableConfig('the configured private_key or its passphrase cannot be read'))
    }
  })
}

function credentialsOf({ username, password, private_key, passphrase }: SshConfig): ConnectConfig {
  return {
    username: username ?? UNUSED_USER,
    ...(password === undefined ? {} : { password, tryKeyboard: true }),
    ...(private_key === undefined ? {} : { privateKey: private_key }),
    ...(passphrase === undefined ? {} : { passphrase }),
  }
}

/** As ssh-keygen shows it. */
function fingerprintOf(key: Buffer): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`
}

function faultOf(error: Error & { level?: string }, session: Session): CheckFailure {
  if (error.level === 'client-authentication') return session.loginRefused()
  // The library names the list in which nothing was found: "no matching host key format".
  const [, list] = /no matching (?:C->S |S->C )?([\w ]+)/.exec(error.message) ?? []
  if (list !== undefined) return new CheckFailure(`${session.peer} and we have no ${list.trim()} in common`)
  return new CheckFailure(`${session.peer} breaks the rules of SSH`)
}

/** The exit code of the command must be 0, and its output must contain what is expected. */
function runCommand(
  client: Client,
  command: string,
  expected: string | undefined,
  peer: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (words: string): void => reject(new CheckFailure(words))
    client.exec(command, (error, channel) => {
      if (error !== undefined) return fail(`${peer} does not run the command`)
      const pieces: Buffer[] = []
      let bytes = 0
      let exit: number | null = null
      channel.on('data', (piece: Buffer) => {
        if (bytes < MOST_OUTPUT_BYTES) pieces.push(piece)
        bytes += piece.length
      })
      // A channel whose error stream is not read stalls.
      channel.stderr.resume()
      channel.on('exit', (code: number | null) => {
        exit = code
      })
      channel.on('close', () => {
        if (exit === null) return fail('the command was killed')
        if (exit !== 0) return fail(`the command ended with exit code ${exit}`)
        const isThere = expected === undefined || Buffer.concat(pieces).includes(expected)
        if (isThere) resolve()
        else fail(`the command did not write ${quote(expected)}`)
      })
    })
  })
}
