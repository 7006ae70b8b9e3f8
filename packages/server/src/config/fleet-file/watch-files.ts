// config/fleet-file/watch-files.ts: notices that fleet files changed. Compares names, sizes and times once
// per second, which works on every file system and with editors that replace files. A change is reported when
// two polls in a row agree, so that a file is not read while it is being written.
import { stat } from 'node:fs/promises'
import { listSources } from './source.ts'

export class FileWatch {
  readonly #paths: readonly string[]
  readonly #lookEveryMs: number
  #reported: string | null = null
  #last: string | null = null
  #timer: NodeJS.Timeout | undefined
  #changed: () => void = () => {}
  #stopped = false

  constructor(paths: readonly string[], lookEveryMs = 1000) {
    this.#paths = paths
    this.#lookEveryMs = lookEveryMs
  }

  /** Records the current state. Call it before reading the files, so that a change during the read is noticed. */
  async remember(): Promise<void> {
    this.#reported = this.#last = await fingerprint(this.#paths)
  }

  start(changed: () => void): void {
    this.#changed = changed
    this.#plan()
  }

  [Symbol.dispose](): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  #plan(): void {
    if (!this.#stopped) this.#timer = setTimeout(() => void this.#look(), this.#lookEveryMs)
  }

  async #look(): Promise<void> {
    const now = await fingerprint(this.#paths)
    if (now === this.#last && now !== this.#reported && !this.#stopped) {
      this.#reported = now
      this.#changed()
    }
    this.#last = now
    this.#plan()
  }
}

/** A file that is missing for a moment is a difference, not an error. */
async function fingerprint(paths: readonly string[]): Promise<string> {
  const files = await listSources(paths).catch((error: Error) => [`!${error.message}`])
  const parts = files.map(async (file) => {
    const entry = await stat(file).catch(() => null)
    return `${file}|${entry?.ino}|${entry?.size}|${entry?.mtimeMs}`
  })
  return (await Promise.all(parts)).join('\n')
}
