// scripts/clean-root/root-process.ts: a service that runs in a CleanRoot, and commands beside it, like
// `docker exec`: they see the same files, network and limits.
import { type ChildProcessByStdio, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { asUser, type CommandEnd, longestMs, type RootCommand } from './root-command.ts'

export class RootProcess implements AsyncDisposable {
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>
  readonly #child: ChildProcessByStdio<null, Readable, Readable>
  readonly #environment: NodeJS.ProcessEnv
  #output = ''

  constructor([program, ...words]: readonly string[], environment: NodeJS.ProcessEnv) {
    this.#environment = environment
    this.#child = spawn(program!, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
      })
    this.ended = once(this.#child, 'close').then(([code, signal]) => code ?? signal)
  }

  get pid(): number {
    return this.#child.pid!
  }

  /** Of both streams so far. */
  get output(): string {
    return this.#output
  }

  /** Runs a command to its end, in the namespaces of this process. */
  join(command: RootCommand): CommandEnd {
    const nameSpaces = [`--target=${this.pid}`, '--mount', '--net', '--root', '--wd']
    const { status, stdout, stderr } = spawnSync('nsenter', [...nameSpaces, ...asUser(command)], {
      encoding: 'utf8',
      env: this.#environment,
      timeout: longestMs,
    })
    return { status, output: stdout + stderr }
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.ended
  }
}
