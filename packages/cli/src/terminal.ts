// terminal.ts: the place a command runs in: where it writes, what it reads, and when a person wants it to end. Commands
// get it passed in, so tests hand them a narrow screen, a pipe or an environment of their own.

export interface TextOutput {
  readonly isTerminal: boolean
  /** Null where nothing bounds a line, as in a file. */
  readonly columns: number | null
  readonly rows: number | null
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean
}

export interface Terminal {
  readonly stdout: TextOutput
  readonly stderr: TextOutput
  readonly stdin: AsyncIterable<Uint8Array>
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Aborted by the first Ctrl-C; the next one ends the process at once. Asking for it takes the signal over. */
  readonly interruption: AbortSignal
}

export function processTerminal(): Terminal {
  let interruption: AbortSignal | undefined
  return {
    stdout: outputOf(process.stdout),
    stderr: outputOf(process.stderr),
    stdin: process.stdin,
    environment: process.env,
    get interruption() {
      interruption ??= onInterruption()
      return interruption
    },
  }
}

function outputOf(stream: NodeJS.WriteStream): TextOutput {
  // A reader that has seen enough (`| head`) is no failure of ours.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return {
    get isTerminal() {
      return stream.isTTY === true
    },
    get columns() {
      return stream.isTTY ? stream.columns : null
    },
    get rows() {
      return stream.isTTY ? stream.rows : null
    },
    write: (chunk, done) => stream.write(chunk, done),
  }
}

function onInterruption(): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, abort)
  return controller.signal
}
