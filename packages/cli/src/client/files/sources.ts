// client/files/sources.ts: opens the files of a command line: what each contains and how it is read. Every
// source can be read any number of times; stdin and other pipes are spooled for that.
import { closeSync, createReadStream, openSync, readSync, renameSync, statSync } from 'node:fs'
import { UsageError } from '@pulseward/server'
import { standardInput } from './source-files.ts'
import { formatOf, type SourceFormat } from './source-format.ts'
import { bytesOf, Spool } from './spool.ts'

export interface Source extends SourceFormat {
  /** As shown to the user. */
  readonly name: string
  /** Where it is on disk. */
  readonly path: string
  bytes(): AsyncIterable<Uint8Array>
}

/** Enough to reach the first key after leading comments. */
const headBytes = 64 * 1024

export class Sources implements Disposable {
  readonly all: readonly Source[]
  readonly #spools: readonly Spool[]

  private constructor(all: readonly Source[], spools: readonly Spool[]) {
    this.all = all
    this.#spools = spools
  }

  /** `stdin` is called only if one of the files is stdin. */
  static async open(
    files: readonly string[],
    stdin: () => AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Sources> {
    using opened = new DisposableStack()
    const sources: Source[] = []
    const spools: Spool[] = []
    for (const name of files) {
      const stream = name === standardInput ? stdin() : pipeAt(name)
      if (stream === null) sources.push(sourceAt(name))
      else {
        const spool = opened.use(await Spool.fill(stream, signal))
        spools.push(spool)
        sources.push(spooled(name, spool))
      }
    }
    opened.move()
    return new Sources(sources, spools)
  }

  /** Called when the paths of the files are no longer needed. */
  forgetNames(): void {
    for (const spool of this.#spools) spool.forgetName()
  }

  [Symbol.dispose](): void {
    for (const spool of this.#spools) spool[Symbol.dispose]()
  }
}

/** Null for a file that can be read twice; the shell's `<(command)` is a pipe. */
function pipeAt(path: string): AsyncIterable<Uint8Array> | null {
  return statSync(path).isFile() ? null : createReadStream(path)
}

function sourceAt(path: string): Source {
  return { name: path, path, bytes: () => bytesAt(path), ...formatOf(path, headOf(path, path)) }
}

async function* bytesAt(path: string): AsyncGenerator<Uint8Array, void, undefined> {
  const file = openSync(path, 'r')
  try {
    yield* bytesOf(file)
  } finally {
    closeSync(file)
  }
}

/** The loader of fleet files recognizes formats by file extension. */
function spooled(name: string, spool: Spool): Source {
  const format = formatOf(name, headOf(spool.path, name === standardInput ? 'Stdin' : name))
  const path = `${spool.path}.${format.isLines ? 'ndjson' : 'yaml'}`
  renameSync(spool.path, path)
  return { name, path, bytes: () => spool.bytes(), ...format }
}

function headOf(path: string, shown: string): string {
  try {
    const file = openSync(path, 'r')
    try {
      const head = Buffer.alloc(headBytes)
      return head.toString('utf8', 0, readSync(file, head, 0, headBytes, 0)).replace(/^\ufeff/, '')
    } finally {
      closeSync(file)
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${shown} cannot be read (${code}).`, { cause: error })
  }
}
