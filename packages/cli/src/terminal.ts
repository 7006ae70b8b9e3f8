// terminal.ts: the place a command runs in: where it writes, what it reads, and when a person wants it to end. Commands
// get it passed in, so tests hand them a narrow screen, a pipe or an environment of their own.

export interface TextOutput {
  readonly isTerminal: boolean
  /** Null where nothing bounds a line, as in a file. */
  readonly columns: number | null
  readonly rows: number | null
  /** Its reader has gone. */
  readonly isClosed: boolean
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean
}

export interface Terminal {
  readonly stdout: TextOutput
  readonly stderr: TextOutput
  readonly stdin: AsyncIterable<Uint8Array>
  /** A person reads stderr and can answer on stdin. */
  readonly isInteractive: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The zone of the times that people read, as IANA names it. */
  readonly timeZone: string
  /**
   * Aborted by the first Ctrl-C, and when the reader of stdout has gone; the next Ctrl-C ends the process at once.
   * Asking for it takes the signals over.
   */
  readonly interruption: AbortSignal
}

export function processTerminal(): Terminal {
  const ending = new AbortController()
  let isListening = false
  return {
    stdout: outputOf(process.stdout, () => ending.abort()),
    stderr: outputOf(process.stderr, () => {}),
    get stdin() {
      return process.stdin
    },
    get isInteractive() {
      return process.stdin.isTTY === true && process.stderr.isTTY === true
    },
    environment: process.env,
    // Node.js has read TZ for it.
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    get interruption() {
      if (!isListening)
        for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
      isListening = true
      return ending.signal
    },
  }
}

function outputOf(stream: NodeJS.WriteStream, onClosed: () => void): TextOutput {
  let isClosed = false
  const isEnough = (error: NodeJS.ErrnoException | null | undefined) => error?.code === 'EPIPE'
  // A reader that has seen enough (`| head`) is not a failure of ours.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (!isEnough(error)) throw error
    isClosed = true
    onClosed()
  })
  return {
    get isTerminal() {
      return stream.isTTY === true
    },
    get columns() {
      return columnsOf(stream, process.env)
    },
    get rows() {
      return stream.isTTY ? stream.rows : null
    },
    get isClosed() {
      return isClosed
    },
    write: (chunk, done) => stream.write(chunk, (error) => done?.(isEnough(error) ? null : (error ?? null))),
  }
}

/** COLUMNS outdoes what the terminal says of itself; some say 0. Where there is no terminal, nothing bounds a line. */
export function columnsOf(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  { COLUMNS: wanted = '' }: Readonly<Record<string, string | undefined>>,
): number | null {
  if (!isTTY) return null
  return /^[1-9][0-9]{0,5}$/.test(wanted) ? Number(wanted) : columns || null
}
