// import/read-source.ts: reads a foreign file: whole, with a size limit, as YAML or JSON. Every error is one
// sentence that names the file.
import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { SourceError } from '@pulseward/server'
import { binaryTag, CORE_SCHEMA, loadAll, mergeTag, YAMLException } from 'js-yaml'
import { isMapping } from './fields.ts'
import { ImportError } from './import-error.ts'

const largestMiB = 256
const largestBytes = largestMiB * 1024 * 1024
const sqliteMagic = 'SQLite format 3\0'
/** Enough for sharing settings through anchors, far too few for a document that explodes when it is walked. */
const limits = { maxAliases: 1_000, maxDepth: 64, maxTotalMergeKeys: 10_000 }

export async function isSqlite(file: string): Promise<boolean> {
  return withFile(file, async (handle) => {
    const { buffer, bytesRead } = await handle.read(
      Buffer.alloc(sqliteMagic.length),
      0,
      sqliteMagic.length,
      0,
    )
    return buffer.subarray(0, bytesRead).toString('latin1') === sqliteMagic
  })
}

export async function readText(file: string): Promise<string> {
  return withFile(file, async (handle) => {
    const { size } = await handle.stat()
    if (size > largestBytes)
      throw new ImportError(
        `${file} is larger than ${largestMiB} MiB, the most that is read; split it, and import the parts.`,
      )
    const bytes = await handle.readFile()
    if (bytes.length > largestBytes)
      throw new ImportError(`${file} grew beyond ${largestMiB} MiB while it was read.`)
    if (!isUtf8(bytes)) throw new ImportError(`${file} is not a text file: it is not valid UTF-8.`)
    return new TextDecoder().decode(bytes)
  })
}

/** The documents of the file, each a mapping. */
export async function readDocuments(file: string): Promise<Record<string, unknown>[]> {
  const documents = parseDocuments(await readText(file), file).filter(
    (document) => document !== null && document !== undefined,
  )
  if (documents.length === 0) throw new ImportError(`${file} is empty.`)
  return documents.map((document) => {
    if (isMapping(document)) return document
    throw new ImportError(`${file} is not a configuration: it should be a mapping of names to settings.`)
  })
}

function parseDocuments(text: string, file: string): unknown[] {
  if (text.trimStart().startsWith('{')) {
    try {
      return [JSON.parse(text)]
    } catch {
      // YAML allows mappings in braces too, and its parser reports where the mistake is.
    }
  }
  try {
    return loadAll(text, { schema: CORE_SCHEMA.withTags(mergeTag, binaryTag), ...limits })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    // Only the reason: the text around the mistake may be a secret.
    const line = error.mark === undefined ? '' : ` in line ${error.mark.line + 1}`
    throw new ImportError(`${file} cannot be read as YAML or JSON: there is a mistake${line}.`, {
      cause: error,
    })
  }
}

type Handle = Awaited<ReturnType<typeof open>>

async function withFile<Result>(file: string, work: (handle: Handle) => Promise<Result>): Promise<Result> {
  try {
    await using handle = await open(file, 'r')
    // The size of a pipe is not known beforehand, and a database is not read from start to end.
    if (!(await handle.stat()).isFile()) throw new SourceError(`${file} is not a file.`)
    return await work(handle)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof ImportError || error instanceof SourceError || code === undefined) throw error
    const problem = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
    throw new SourceError(`${file} ${problem}.`, { cause: error })
  }
}
