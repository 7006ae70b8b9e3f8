// vault/watch-key-ring.ts: notices that the key file changed. Looks at it once a second, as the watch over fleet files
// does, and reads it when two looks in a row agree. A file that cannot be used is a problem and is read again at every
// look until it can; so is a ring that the observer could not take over. Whatever ring is in force stays meanwhile.
import { stat } from 'node:fs/promises'
import { readKeyFile } from './key-file.ts'
import type { KeyRing } from './key-ring.ts'

export interface KeyRingObserver {
  /** The ring in the file, at the start and after each change. No other is given until it settles. */
  changed(ring: KeyRing): Promise<void>
  /** Why the last ring could not be read or taken over; null when all is well again. */
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

  /** Waits for a look that is in flight. */
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

/** With mode and change time: a file may become unusable or usable without being written. */
async function fingerprint(path: string): Promise<string> {
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => error)
  if (entry instanceof Error) return `!${entry.code}`
  return [entry.ino, entry.size, entry.mode, entry.uid, entry.mtimeMs, entry.ctimeMs].join('|')
}
