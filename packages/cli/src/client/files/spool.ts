// client/files/spool.ts: the content of stdin or another pipe, in a private temporary file, so that it can be read twice
// whatever its size. The file is unlinked as soon as its path is no longer needed, so it disappears with the process.
import { closeSync, mkdtempSync, openSync, read, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { UsageError } from '@pulseward/server'

export class Spool implements Disposable {
  readonly #folder: string
  readonly #file: number
  readonly path: string

  private constructor(name: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'pulseward-stdin-'))
    this.path = join(this.#folder, name)
    this.#file = openSync(this.path, 'wx+', 0o600)
  }

  /** Throws a UsageError if there is no room for it. */
  static async fill(chunks: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Spool> {
    const spool = new Spool('stdin')
    try {
      for await (const chunk of untilAborted(chunks, signal)) spool.#write(chunk)
      return spool
    } catch (error) {
      spool[Symbol.dispose]()
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOSPC' && code !== 'EDQUOT' && code !== 'EFBIG') throw error
      throw new UsageError(
        `${tmpdir()} has no room for what comes from a pipe (${code}); put it into a file, or set TMPDIR.`,
        { cause: error },
      )
    }
  }

  bytes(): AsyncIterable<Uint8Array> {
    return bytesOf(this.#file)
  }

  forgetName(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  [Symbol.dispose](): void {
    closeSync(this.#file)
    this.forgetName()
  }

  #write(chunk: Uint8Array): void {
    for (let written = 0; written < chunk.length; ) written += writeSync(this.#file, chunk, written)
  }
}

/** Small enough that what was parsed is dead before the next collection. */
const readBytes = 128 * 1024

const readAt = promisify(read)

/** Reads from the beginning. Each chunk overwrites the previous one. */
export async function* bytesOf(file: number): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.allocUnsafe(readBytes)
  for (let position = 0; ; ) {
    const { bytesRead } = await readAt(file, buffer, 0, readBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A pipe may stay open forever; then only the user can end it. */
async function* untilAborted(
  chunks: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const aborted = Promise.withResolvers<never>()
  aborted.promise.catch(() => {})
  const stop = () => aborted.reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  const reading = chunks[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await Promise.race([reading.next(), aborted.promise])
      if (done) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
    // A stream that is no longer read must not keep the process alive.
    void reading.return?.()
  }
}
