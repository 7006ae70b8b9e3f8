// vault/watch-key-ring.ts: detects changes of the key file. Checks it once per second, like the watch over fleet files,
// and reads it when two successive checks agree. An unusable file is a problem and is read again at every check until it
// is usable; the same holds for a ring that the observer could not take over. Meanwhile the ring in force stays.
import { stat } from 'node:fs/promises'
import { readKeyFile } from './key-file.ts'
import type { KeyRing } from './key-ring.ts'

export interface KeyRingObserver {
  /** Called with the ring in the file, at startup and after each change. The next call waits until it settles. */
  changed(ring: KeyRing): Promise<void>
  /** Why the last ring could not be read or taken over; null once it could. */
  problem(problem: Error | null): void
}

export function watchKeyRing(path: string, observer: KeyRingObserver, lookEveryMs = 1_000): KeyRingWatch {
  return new KeyRingWatch(path, observer, lookEveryMs)
}

export class KeyRingWatch {
  readonly #path: string
  readonly #observer: KeyRingObserver
  readonly #lookEveryMs: number
  #last: string | null = null
  #taken: string | null = null
  #timer: NodeJS.Timeout | undefined
  #look: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(path: string, observer: KeyRingObserver, lookEveryMs: number) {
    this.#path = path
    this.#observer = observer
    this.#lookEveryMs = lookEveryMs
    this.#plan()
  }

  /** Waits for a check in flight. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    await this.#look
  }

  #plan(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#look = this.#lookOnce().finally(() => this.#plan())
    }, this.#lookEveryMs)
  }

  async #lookOnce(): Promise<void> {
    const now = await fingerprint(this.#path)
    const isSettled = now === this.#last
    this.#last = now
    if (!isSettled || now === this.#taken || this.#stopped) return
    try {
      const ring = await readKeyFile(this.#path)
      await this.#observer.changed(ring)
      this.#taken = now
      this.#observer.problem(null)
    } catch (error) {
      this.#taken = null
      this.#observer.problem(error as Error)
    }
  }
}

/** Includes mode and change time: a file may become unusable or usable without being written. */
async function fingerprint(path: string): Promise<string> {
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (entry instanceof Error) return `!${entry.code}`
  return [entry.ino, entry.size, entry.mode, entry.uid, entry.mtimeMs, entry.ctimeMs].join('|')
}
