// bench/temporary-folder.ts: a folder for the files of a benchmark: `using folder = new TemporaryFolder()`.
// It is deleted at the end, however the benchmark ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'pulseward-bench-'))
  readonly #remove = () => rmSync(this.path, { recursive: true, force: true })

  constructor() {
    process.once('exit', this.#remove)
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#remove)
    this.#remove()
  }
}
