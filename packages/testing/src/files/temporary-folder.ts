// files/temporary-folder.ts: real files for a test, deleted at the end of its scope:
// `using folder = temporaryFolder({ 'fleet.yaml': 'monitors: []' })`.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Files by their path relative to the folder. */
export type FileContents = Readonly<Record<string, string | Uint8Array>>

export interface TemporaryFolder extends Disposable {
  readonly root: string
  path(name: string): string
  /** Writes a file, creates its parent folders, and returns its path. */
  write(name: string, content: string | Uint8Array): string
}

export function temporaryFolder(files: FileContents = {}): TemporaryFolder {
  const root = mkdtempSync(join(tmpdir(), 'pulseward-test-'))
  const folder: TemporaryFolder = {
    root,
    path: (name) => join(root, name),
    write(name, content) {
      const path = join(root, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, content)
      return path
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
  for (const [name, content] of Object.entries(files)) folder.write(name, content)
  return folder
}
