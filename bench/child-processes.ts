// bench/child-processes.ts: the child processes of a benchmark: `using children = new ChildProcesses()`. All
// of them are stopped at the end, however the benchmark ends.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export class ChildProcesses implements Disposable {
  readonly #children: ChildProcess[] = []
  readonly #end = () => {
    for (const child of this.#children) {
      // A helper ends with its input, so that it can first stop what it started itself.
      if (child.stdin === null) child.kill('SIGKILL')
      else child.stdin.destroy()
    }
  }

  constructor() {
    process.once('exit', this.#end)
  }

  start(program: string, words: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'], ...options })
    this.#children.push(child)
    return child
  }

  /** Starts a file of this folder and returns the JSON of its first line; it runs until its input closes. */
  async helper<Answer>(file: string, words: readonly string[] = []): Promise<Answer> {
    const path = fileURLToPath(new URL(file, import.meta.url))
    const child = this.start(process.execPath, [path, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
    return JSON.parse(await firstLine(child))
  }

  [Symbol.dispose](): void {
    process.off('exit', this.#end)
    this.#end()
  }
}

export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).once('line', resolve)
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`a process of the benchmark ended with ${code}`)))
  })
}
