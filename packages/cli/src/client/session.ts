// client/session.ts: one run of a client command: the service, the terminal, and what must not be repeated. Everything
// that is said about a failure goes through here, so a secret that a service sends back stays off the screen.
import type { Client, PulsewardError } from '@pulseward/client'
import type { ParsedArguments } from '../arguments.ts'
import type { Terminal } from '../terminal.ts'
import { type LastFailure, openConnection } from './connection.ts'
import { errorSentence } from './error-sentence.ts'
import { printView, type View } from './output.ts'
import { plain } from './plain-text.ts'

/** Shorter ones would blot out ordinary words. */
const shortestSecret = 4

export class Session {
  readonly client: Client
  readonly server: string
  readonly terminal: Terminal
  readonly #hasToken: boolean
  readonly #lastFailure: () => LastFailure
  readonly #secrets = new Set<string>()

  constructor(parsed: ParsedArguments, terminal: Terminal) {
    const { client, server, token, lastFailure } = openConnection(parsed, terminal)
    this.client = client
    this.server = server
    this.#hasToken = token !== null
    this.#lastFailure = lastFailure
    this.terminal = terminal
    if (token !== null) this.keepSecret(token)
  }

  get signal(): AbortSignal {
    return this.terminal.interruption
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

  /** One sentence on stderr. */
  say(sentence: string): void {
    this.terminal.stderr.write(`pulseward: ${this.withoutSecrets(plain(sentence))}\n`)
  }

  /** What went wrong between this command and the service. */
  sayError(error: PulsewardError, lookAgain?: string): void {
    const { server } = this
    this.say(
      errorSentence({ error, server, hasToken: this.#hasToken, lastFailure: this.#lastFailure(), lookAgain }),
    )
  }

  /** One of several lines on stderr, each about a place in a file. */
  point(line: string): void {
    this.terminal.stderr.write(`${this.withoutSecrets(plain(line))}\n`)
  }

  withoutSecrets(text: string): string {
    let shown = text
    for (const secret of this.#secrets) shown = shown.replaceAll(secret, '[secret]')
    return shown
  }
}
