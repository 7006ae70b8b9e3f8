// checks/ssh/stand-in.fixture.ts: an SSH server on loopback that knows one user and does with commands what a test
// tells it. Owned: `await using server = await SshTarget.start({ password: 'secret' })`.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import ssh2, { type Algorithms, type AuthContext, type Connection, type ServerChannel } from 'ssh2'

const { Server, utils } = ssh2
const hostKey = utils.generateKeyPairSync('ed25519')

/** The key pair that the user may log in with. */
export const userKey = utils.generateKeyPairSync('ed25519')
/** A key that no target knows. */
export const strangerKey = utils.generateKeyPairSync('ed25519')
/** Of the host key, as ssh-keygen shows it. */
export const hostFingerprint = fingerprintOf(hostKey.public)

export interface SshBehaviour {
  readonly password?: string
  /** Asks for the password by a prompt only, as servers with PAM do. */
  readonly prompts?: boolean
  /** Sees every password that is tried. */
  readonly onPassword?: (password: string) => void
  /** Runs commands; without it none is permitted. */
  readonly onCommand?: (command: string, channel: ServerChannel) => void
  readonly algorithms?: Algorithms
}

export class SshTarget implements AsyncDisposable {
  readonly user = 'ward'
  readonly #server: InstanceType<typeof Server>
  readonly #connections = new Set<Connection>()

  private constructor({ algorithms, ...behaviour }: SshBehaviour) {
    const options = { hostKeys: [hostKey.private], ...(algorithms === undefined ? {} : { algorithms }) }
    this.#server = new Server(options, (connection) => {
      this.#connections.add(connection)
      connection.on('error', () => {})
      connection.on('close', () => this.#connections.delete(connection))
      connection.on('authentication', (context) => this.#authenticate(context, behaviour))
      connection.on('session', (accept) => {
        const session = accept()
        session.on('exec', (acceptCommand, reject, { command }) => {
          if (behaviour.onCommand === undefined) reject()
          else behaviour.onCommand(command, acceptCommand())
        })
      })
    })
  }

  static async start(behaviour: SshBehaviour = {}): Promise<SshTarget> {
    const target = new SshTarget(behaviour)
    target.#server.listen(0, '127.0.0.1')
    await once(target.#server, 'listening')
    return target
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  get openSockets(): number {
    return this.#connections.size
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close')
    this.#server.close()
    for (const connection of this.#connections) connection.end()
    await closed
  }

  #authenticate(context: AuthContext, { password, prompts = false, onPassword }: SshBehaviour): void {
    const isUser = context.username === this.user
    if (context.method === 'password') onPassword?.(context.password)
    if (context.method === 'password' && !prompts && isUser && context.password === password)
      return context.accept()
    if (context.method === 'keyboard-interactive' && prompts)
      return context.prompt([{ prompt: 'Password:', echo: false }], ([answer]) =>
        isUser && answer === password ? context.accept() : context.reject(),
      )
    if (context.method === 'publickey' && isUser && isUserKey(context.key.data)) return context.accept()
    context.reject([prompts ? 'keyboard-interactive' : 'password', 'publickey'])
  }
}

function isUserKey(offered: Buffer): boolean {
  return offered.equals(publicBytes(userKey.public))
}

function fingerprintOf(publicKey: string): string {
  const digest = createHash('sha256').update(publicBytes(publicKey)).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}

/** A public key is written as its type, its bytes in base64 and a comment. */
function publicBytes(publicKey: string): Buffer {
  return Buffer.from(publicKey.split(' ')[1]!, 'base64')
}
