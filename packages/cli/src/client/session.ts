// client/session.ts: one run of a client command: the service, the terminal, and the secrets that must not be printed.
// Every message about a failure goes through here, so a secret that a service sends back stays off the screen.
import type { Client, PulsewardError } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { type Connection, openConnection } from './connection.ts'
import { errorSentence } from './error-sentence.ts'
import { printView, type View } from './output.ts'
import { plain } from './plain-text.ts'

/** Masking shorter ones would blot out ordinary words. */
const shortestSecret = 4

export class Session {
  readonly terminal: Terminal
  readonly #connection: Connection
  readonly #secrets = new Set<string>()
  #isStdinTaken: boolean

  private constructor(terminal: Terminal, connection: Connection) {
    this.terminal = terminal
    this.#connection = connection
    this.#isStdinTaken = connection.isTokenFromStdin
    if (connection.token !== null) this.keepSecret(connection.token)
  }

  static async open(parsed: ParsedArguments, terminal: Terminal): Promise<Session> {
    return new Session(terminal, await openConnection(parsed, terminal))
  }

  get client(): Client {
    return this.#connection.client
  }

  get server(): string {
    return this.#connection.server
  }

  /** The address of the process that answered last. */
  get answeredBy(): string {
    return this.#connection.answeredBy()
  }

  get signal(): AbortSignal {
    return this.terminal.interruption
  }

  /** Stdin can be read only once. */
  takeStdin(): AsyncIterable<Uint8Array> {
    if (this.#isStdinTaken)
      throw new UsageError(
        'Stdin can be read only once, and the token comes from it; put one of them into a file.',
      )
    this.#isStdinTaken = true
    return this.terminal.stdin
  }

  keepSecret(secret: string): void {
    if (secret.length >= shortestSecret) this.#secrets.add(secret)
  }

  print(text: string): void {
    this.terminal.stdout.write(`${text}\n`)
  }

  show(view: View): void {
    printView(this.terminal, view)
  }

  /** Prints one sentence to stderr. */
  say(sentence: string): void {
    this.terminal.stderr.write(`pulseward: ${this.withoutSecrets(plain(sentence))}\n`)
  }

  /** Prints what went wrong between this command and the service. */
  sayError(error: PulsewardError, lookAgain?: string): void {
    const { server, token, search, lastFailure } = this.#connection
    this.say(
      errorSentence({
        error,
        server,
        hasToken: token !== null,
        search,
        lastFailure: lastFailure(),
        lookAgain,
      }),
    )
  }

  /** Prints one of several lines to stderr, each about a place in a file. */
  point(line: string): void {
    this.terminal.stderr.write(`${this.withoutSecrets(plain(line))}\n`)
  }

  withoutSecrets(text: string): string {
    let shown = text
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, '[secret]')
    return shown
  }
}
