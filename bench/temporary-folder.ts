// bench/temporary-folder.ts: a folder for the files of a benchmark: `using folder = new TemporaryFolder()`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export class TemporaryFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'pulseward-bench-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
