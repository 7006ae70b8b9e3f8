// config/fleet-file/source.ts: finds fleet files, and locations in them. A chunk is a piece of a file that
// was read at once. A mistake keeps its chunk and path; its line is looked up only when it is shown, so good
// messages cost a valid file nothing, whatever its size.
import { readdir, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { Path } from '../shape/shape.ts'

export interface SourceChunk {
  readonly file: string
  /** lines: one monitor per line. items: a run of monitors of one document. document: a whole document. */
  readonly kind: 'lines' | 'items' | 'document'
  /** One-based number of the chunk's first line. */
  readonly firstLine: number
  /** Offsets in the file's text (UTF-16 units); unused for lines. */
  readonly from: number
  readonly to: number
  /** Index of the chunk's first monitor in its document. */
  readonly firstItem: number
  /** A range of the text that was read separately, as items, and is not part of this document. */
  readonly cut?: { readonly from: number; readonly to: number }
}

export interface SourceMistake {
  readonly chunk: SourceChunk
  readonly path: Path
  readonly message: string
  readonly atKey?: boolean
  /** Set for syntax errors, whose line is already known. */
  readonly line?: number
}

/** A mistake as it is shown: file, line, path and message. */
export interface LocatedMistake {
  readonly file: string
  readonly line: number
  readonly path: string
  readonly message: string
}

export class SourceError extends Error {
  readonly code = 'fleet_unreadable'
}

const endings = new Set(['.yaml', '.yml', '.json', '.ndjson'])

/** The files at the given paths. A folder is listed depth first in lexical order; links in it are not followed. */
export async function listSources(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) {
    const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new SourceError(
        error.code === 'ENOENT' ? `${path} does not exist.` : `${path} cannot be read (${error.code}).`,
      )
    })
    if (!entry.isDirectory()) files.push(path)
    else {
      const found = await listFolder(path)
      if (found.length === 0) throw new SourceError(`${path} has no .yaml, .yml, .json or .ndjson file.`)
      files.push(...found)
    }
  }
  return files
}

async function listFolder(folder: string): Promise<string[]> {
  const files: string[] = []
  const entries = await readdir(folder, { withFileTypes: true })
  entries.sort((left, right) => (left.name < right.name ? -1 : 1))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.')) continue
    if (entry.isDirectory()) files.push(...(await listFolder(path)))
    else if (entry.isFile() && endings.has(extname(entry.name).toLowerCase())) files.push(path)
  }
  return files
}

/** Such as monitors[3].check.config.url. */
export function formatPath(chunk: SourceChunk, path: Path): string {
  let text = ''
  for (const part of pathInDocument(chunk, path)) {
    if (typeof part === 'number') text += `[${part}]`
    else if (/^[A-Za-z_][A-Za-z0-9_-]*$/.test(part)) text += text === '' ? part : `.${part}`
    else text += `[${JSON.stringify(part)}]`
  }
  return text
}

function pathInDocument(chunk: SourceChunk, path: Path): Path {
  const [item, ...rest] = path
  if (chunk.kind === 'document' || item === undefined) return path
  return chunk.kind === 'lines' ? rest : ['monitors', chunk.firstItem + Number(item), ...rest]
}

export function countNewlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
