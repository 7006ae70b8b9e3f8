// terminal.ts: the environment of a command: where it writes, what it reads, and when the user wants it to
// end. It is passed in, so tests can provide a narrow screen, a pipe or their own environment.

export interface TextOutput {
  readonly isTerminal: boolean
  /** Null if line length is unlimited, as in a file. */
  readonly columns: number | null
  readonly rows: number | null
  /** The reader has closed it. */
  readonly isClosed: boolean
  write(chunk: string | Uint8Array, done?: (error?: Error | null) => void): boolean
}

export interface Terminal {
  readonly stdout: TextOutput
  readonly stderr: TextOutput
  readonly stdin: AsyncIterable<Uint8Array>
  /** Whether a person reads stderr and can answer on stdin. */
  readonly isInteractive: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The time zone for times that people read, as an IANA name. */
  readonly timeZone: string
  /** The present time of the reader: what is of today is shown without its date. */
  nowMs(): number
  /**
   * Aborted by the first Ctrl-C, and when the reader of stdout has closed it; the next Ctrl-C ends the
   * process at once. Reading this property installs the signal handlers.
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
    // Node.js applies TZ.
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    nowMs: () => Date.now(),
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
  // A reader that has seen enough (`| head`) is not an error.
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

/** COLUMNS overrides what the terminal reports; some report 0. Without a terminal, line length is unlimited. */
export function columnsOf(
  { isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number },
  { COLUMNS: wanted = '' }: Readonly<Record<string, string | undefined>>,
): number | null {
  if (!isTTY) return null
  return /^[1-9][0-9]{0,5}$/.test(wanted) ? Number(wanted) : columns || null
}
