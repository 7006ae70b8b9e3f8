// store/sqlite/file-guard.ts: detects that an open file was moved or replaced. SQLite would keep writing into a file that
// can no longer be opened. It only calls stat: opening and closing a file that SQLite has locked would release the lock.
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
