// platform/make-private-file.ts: creates a file that only its owner may open, before other code opens it.
import { closeSync, existsSync, openSync } from 'node:fs'

/** Never opens an existing file: closing it again would release every lock that this process holds on it. */
export function makePrivateFile(path: string): void {
  if (existsSync(path)) return
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    // Another process created it meanwhile.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
