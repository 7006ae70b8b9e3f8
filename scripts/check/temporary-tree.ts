// scripts/check/temporary-tree.ts: a small repository for the tests of the parts, deleted at the end of its scope.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface TemporaryTree extends Disposable {
  readonly root: string
}

/** Writes files, given as path from the root to content. */
export function temporaryTree(files: Readonly<Record<string, string>>): TemporaryTree {
  const root = mkdtempSync(join(tmpdir(), 'check-'))
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
