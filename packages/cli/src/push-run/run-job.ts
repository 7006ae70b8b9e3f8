// push-run/run-job.ts: runs a command as if nothing stood around it: its input and output are ours, signals reach it, and its
// exit code is what a shell would say. Only its stderr passes through here, because its end is reported.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Readable } from 'node:stream'
import type { TextOutput } from '../terminal.ts'
import { Tail } from './tail.ts'

const REPORTED_BYTES = 10_000
/** A process that the job left behind may hold its stderr for ever, or go on writing: no pipe holds more than this. */
const LEFT_OPEN_MS = 500
const MOST_BYTES_AFTER_END = 1024 * 1024
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126

const forwarded = ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const
/** A terminal sends these to the job as well. */
const ofTerminal: ReadonlySet<NodeJS.Signals> = new Set(['SIGINT', 'SIGQUIT'])

export interface JobEnd {
  /** 0 to 255; 128 and its number for a signal. */
  readonly code: number
  /** The last of its stderr. */
  readonly output: Buffer
}

export interface Job {
  readonly words: readonly [string, ...string[]]
  readonly environment: NodeJS.ProcessEnv
  readonly stderr: TextOutput
}

export async function runJob({ words: [program, ...rest], environment, stderr }: Job): Promise<JobEnd> {
  // Before the job starts: a signal that came between would end us and leave the job running alone.
  using forwarding = new SignalForwarding()
  let child: ChildProcessByStdio<null, null, Readable>
  try {
    child = spawn(program, rest, { stdio: ['inherit', 'inherit', 'pipe'], env: environment })
  } catch (error) {
    // Such as an argument with a NUL, or an environment that is too long.
    return notStarted(program, error as NodeJS.ErrnoException, stderr)
  }
  forwarding.to(child)
  return await new Promise<JobEnd>((resolve) => {
    child.on('error', (error: NodeJS.ErrnoException) => {
      // A signal that could not be sent is reported here too, and the job goes on.
      if (child.pid === undefined) resolve(notStarted(program, error, stderr))
    })
    new PassedOn(child, stderr, resolve)
  })
}

/** The stderr of a job on its way to ours, until the job has ended and all of it has passed. */
class PassedOn {
  readonly #child: ChildProcessByStdio<null, null, Readable>
  readonly #ended: (end: JobEnd) => void
  readonly #tail = new Tail(REPORTED_BYTES)
  /** Null while the job runs. */
  #code: number | null = null
  #bytesAfterEnd = 0
  #leftOpen: NodeJS.Timeout | undefined

  constructor(
    child: ChildProcessByStdio<null, null, Readable>,
    stderr: TextOutput,
    ended: (end: JobEnd) => void,
  ) {
    this.#child = child
    this.#ended = ended
    child.stderr.on('data', (chunk: Buffer) => {
      clearTimeout(this.#leftOpen)
      this.#tail.add(chunk)
      if (this.#code !== null) this.#bytesAfterEnd += chunk.length
      // At the pace of whoever reads ours.
      child.stderr.pause()
      stderr.write(chunk, () => {
        child.stderr.resume()
        this.#awaitMore()
      })
    })
    child.on('exit', (code, signal) => {
      this.#code = code ?? 128 + constants.signals[signal!]
      if (!child.stderr.isPaused()) this.#awaitMore()
    })
    child.on('close', () => this.#end())
  }

  #awaitMore(): void {
    if (this.#code === null) return
    if (this.#bytesAfterEnd > MOST_BYTES_AFTER_END) this.#end()
    // Timers come before reads: on a stalled machine there may be more to read when the time is over.
    else
      this.#leftOpen = setTimeout(
        () => setImmediate(() => this.#endUnlessMore(this.#bytesAfterEnd)),
        LEFT_OPEN_MS,
      )
  }

  #endUnlessMore(bytesBefore: number): void {
    if (this.#bytesAfterEnd === bytesBefore) this.#end()
  }

  #end(): void {
    clearTimeout(this.#leftOpen)
    // Also emitted for a job that could not be started.
    if (this.#code === null) return
    this.#child.stderr.destroy()
    this.#ended({ code: this.#code, output: this.#tail.bytes() })
  }
}

function notStarted(program: string, { code = '' }: NodeJS.ErrnoException, stderr: TextOutput): JobEnd {
  const isMissing = code === 'ENOENT'
  const sentence = isMissing
    ? `pulseward: ${program}: command not found\n`
    : `pulseward: ${program}: cannot be executed (${code})\n`
  stderr.write(sentence)
  return { code: isMissing ? NOT_FOUND : NOT_EXECUTABLE, output: Buffer.from(sentence) }
}

class SignalForwarding implements Disposable {
  #child: { kill(signal: NodeJS.Signals): boolean } | null = null

  constructor() {
    for (const signal of forwarded) process.on(signal, this.#forward)
  }

  /** Listeners run in later turns of the loop, so none has run before the job is known. */
  to(child: { kill(signal: NodeJS.Signals): boolean }): void {
    this.#child = child
  }

  [Symbol.dispose](): void {
    for (const signal of forwarded) process.off(signal, this.#forward)
  }

  readonly #forward = (signal: NodeJS.Signals): void => {
    if (ofTerminal.has(signal) && process.stdin.isTTY === true) return
    this.#child?.kill(signal)
  }
}
