// client/command.fixture.ts: runs the program in this process for tests, on a terminal or pipe that
// records what was written.
import { requestPatience } from '@pulseward/testing/process'
import { runProgram } from '../program.ts'
import type { Terminal, TextOutput } from '../terminal.ts'

export interface TestedTerminal {
  /** The width of the terminal; without it the output goes into a pipe. */
  readonly columns?: number
  readonly rows?: number
  readonly stdin?: string
  /** What the user answers; without it the terminal is not interactive. */
  readonly typed?: string
  readonly environment?: Readonly<Record<string, string>>
  /** UTC by default. */
  readonly timeZone?: string
  /** The present by default. */
  readonly now?: string
  /** The working directory; commands that run at the same time must share it. */
  readonly cwd?: string
  readonly interruption?: AbortSignal
  /** Called with everything written to stdout so far. */
  readonly onStdout?: (stdout: string) => void
}

export interface TestedEnd {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export async function runInProcess(words: readonly string[], on: TestedTerminal = {}): Promise<TestedEnd> {
  const stdout = new Remembered(on)
  const stderr = new Remembered({ ...on, onStdout: () => {} })
  const terminal: Terminal = {
    stdout,
    stderr,
    stdin: stdinOf(on.typed ?? on.stdin ?? ''),
    isInteractive: on.typed !== undefined,
    environment: { ...requestPatience, ...on.environment },
    timeZone: on.timeZone ?? 'UTC',
    nowMs: () => (on.now === undefined ? Date.now() : Date.parse(on.now)),
    interruption: on.interruption ?? new AbortController().signal,
  }
  const cwd = process.cwd()
  const listening = signals.map((signal) => process.listeners(signal))
  process.chdir(on.cwd ?? cwd)
  try {
    const code = await runProgram(words, terminal)
    return { code, stdout: stdout.text, stderr: stderr.text }
  } finally {
    process.chdir(cwd)
    // A service that was refused has already installed its signal handlers, and SIGTERM must end the test process.
    for (const [index, signal] of signals.entries())
      for (const listener of process.listeners(signal))
        if (!listening[index]!.includes(listener)) process.off(signal, listener)
  }
}

class Remembered implements TextOutput {
  readonly isTerminal: boolean
  readonly columns: number | null
  readonly rows: number | null
  readonly isClosed = false
  readonly #onWrite: (text: string) => void
  text = ''

  constructor({ columns, rows, onStdout = () => {} }: TestedTerminal) {
    this.isTerminal = columns !== undefined
    this.columns = columns ?? null
    this.rows = rows ?? null
    this.#onWrite = onStdout
  }

  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean {
    this.text += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8')
    this.#onWrite(this.text)
    done?.()
    return true
  }
}

async function* stdinOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield Buffer.from(text)
}

/** Without notes, such as that monitors tell nobody. */
export function withoutNotes(stderr: string): string {
  return stderr.replace(/^pulseward: note: .*\n/gm, '')
}
