// store/sqlite/file-guard.ts: notices that a file we hold open is no longer the one under its name. SQLite would
// go on writing into a file that cannot be opened any more. Only looks: opening and closing a file that SQLite has
// locked would free the lock.
import { statSync } from 'node:fs'
import { storeError } from '../store-errors.ts'

export class FileGuard {
  readonly #files: readonly { path: string; inode: number; device: number }[]

  constructor(paths: readonly string[]) {
    this.#files = paths.map((path) => {
      const { ino, dev } = statSync(path)
      return { path, inode: ino, device: dev }
    })
  }

  requireSame(): void {
    for (const { path, inode, device } of this.#files) {
      const now = statSync(path, { throwIfNoEntry: false })
      if (now?.ino !== inode || now.dev !== device)
        throw storeError('gone', now === undefined ? '(a file is missing)' : '(a file is another one)')
    }
  }
}
