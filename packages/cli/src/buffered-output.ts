// buffered-output.ts: writes long text to a terminal or a pipe in chunks of a suitable size.
import type { TextOutput } from './terminal.ts'

const writtenAtOnce = 64 * 1024

/** Waits for a slow reader, so that unread output is bounded. */
export class BufferedOutput implements AsyncDisposable {
  readonly #stdout: TextOutput
  #text = ''

  constructor(stdout: TextOutput) {
    this.#stdout = stdout
  }

  async write(text: string): Promise<void> {
    this.#text += text
    if (this.#text.length >= writtenAtOnce) await this.#flush()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#flush()
  }

  #flush(): Promise<void> {
    const text = this.#text
    this.#text = ''
    return new Promise((resolve, reject) =>
      this.#stdout.write(text, (error) => (error ? reject(error) : resolve())),
    )
  }
}
