// client/files/sources.ts: the files of a command line, opened: what each of them holds and how it is read. Every source can be
// read as often as it is needed; stdin is spooled for that.
import { closeSync, createReadStream, openSync, readSync, renameSync } from 'node:fs'
import { UsageError } from '@pulseward/server'
import { standardInput } from './source-files.ts'
import { formatOf, type SourceFormat } from './source-format.ts'
import { readBytes, Spool } from './spool.ts'

export interface Source extends SourceFormat {
  /** As people call it. */
  readonly name: string
  /** Where it is. */
  readonly path: string
  bytes(): AsyncIterable<Uint8Array>
}

/** Enough for the first key behind comments. */
const headBytes = 64 * 1024

export class Sources implements Disposable {
  readonly all: readonly Source[]
  readonly #spool: Spool | null

  private constructor(all: readonly Source[], spool: Spool | null) {
    this.all = all
    this.#spool = spool
  }

  /** stdin is called when one of the files is it. */
  static async open(
    files: readonly string[],
    stdin: () => AsyncIterable<Uint8Array>,
    signal: AbortSignal,
  ): Promise<Sources> {
    const spool = files.includes(standardInput) ? await Spool.fill(stdin(), signal) : null
    try {
      const all = files.map((name) =>
        name === standardInput && spool !== null ? spooled(spool) : sourceAt(name),
      )
      return new Sources(all, spool)
    } catch (error) {
      spool?.[Symbol.dispose]()
      throw error
    }
  }

  /** Where files are is not needed any more. */
  forgetNames(): void {
    this.#spool?.forgetName()
  }

  [Symbol.dispose](): void {
    this.#spool?.[Symbol.dispose]()
  }
}

function sourceAt(path: string): Source {
  const bytes = () => createReadStream(path, { highWaterMark: readBytes })
  return { name: path, path, bytes, ...formatOf(path, headOf(path, path)) }
}

/** The loader of fleet files tells them by the ends of their names. */
function spooled(spool: Spool): Source {
  const format = formatOf(standardInput, headOf(spool.path, 'Stdin'))
  const path = `${spool.path}.${format.isLines ? 'ndjson' : 'yaml'}`
  renameSync(spool.path, path)
  return { name: standardInput, path, bytes: () => spool.bytes(), ...format }
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
