// platform/make-private-file.ts: makes a file that only its owner may open, before something else opens it.
import { closeSync, existsSync, openSync } from 'node:fs'

/** Never opens one that is there: closing it again would free every lock that this process holds on it. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process made it since.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
