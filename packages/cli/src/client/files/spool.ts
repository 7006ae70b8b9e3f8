// client/files/spool.ts: what came from stdin or another pipe, in a file of its own that nobody else can read, so that it can be read twice
// whatever its size. The file loses its name as soon as it need not be found by it: it is gone with the process then.
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

  /** Throws a UsageError when there is no room for it. */
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

/** Small enough that what was parsed is dead before the collector looks. */
const readBytes = 128 * 1024

const readAt = promisify(read)

/** From the beginning. Each piece is in the place of the one before. */
export async function* bytesOf(file: number): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.allocUnsafe(readBytes)
  for (let position = 0; ; ) {
    const { bytesRead } = await readAt(file, buffer, 0, readBytes, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

/** A pipe may stay open for ever; then only a person ends it. */
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
    // A stream that is read no more must not keep the process.
    void reading.return?.()
  }
}
