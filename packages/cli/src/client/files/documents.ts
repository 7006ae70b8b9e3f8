// client/files/documents.ts: splits files into documents without holding more than one: YAML at its `---` lines, which
// end a document wherever they stand, NDJSON at every line. A JSON file is one YAML document.
import { createReadStream } from 'node:fs'
import { UsageError } from '@pulseward/server'
import { standardInput } from './source-files.ts'

export interface SourceDocument {
  readonly file: string
  /** Of its first line in the file, from 1. */
  readonly line: number
  readonly text: string
  readonly isJsonLine: boolean
}

/** A list of resources in one document; far beyond what people write by hand. */
const mostCharacters = 64 * 1024 * 1024

export async function* documentsOf(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceDocument, void, undefined> {
  const isJsonLine = /\.ndjson$/i.test(file)
  let lines: string[] = []
  let characters = 0
  let firstLine = 1
  let lineNumber = 0
  const document = (): SourceDocument => ({ file, line: firstLine, text: lines.join('\n'), isJsonLine })
  for await (const line of linesOf(file, bytes)) {
    lineNumber++
    const isEnd = !isJsonLine && /^(---|\.\.\.)(\s|$)/.test(line)
    if (isEnd || (isJsonLine && lines.length > 0)) {
      if (hasContent(lines)) yield document()
      lines = []
      characters = 0
      firstLine = lineNumber
    }
    // Content may stand behind the marker on the same line; a marker alone is not a line of the document.
    const kept = isEnd ? line.replace(/^(---|\.\.\.)/, '   ') : line
    if (isEnd && kept.trim() === '') {
      firstLine = lineNumber + 1
      continue
    }
    lines.push(kept)
    characters += kept.length + 1
    if (characters > mostCharacters)
      throw new UsageError(
        `${file}:${firstLine}: one document has more than 64 MiB; split it with --- lines or use .ndjson.`,
      )
  }
  if (hasContent(lines)) yield document()
}

/** Comments and directives are none. */
function hasContent(lines: readonly string[]): boolean {
  return lines.some((line) => !/^\s*(#.*)?$|^%/.test(line))
}

/** Only line feeds end a line: other separators may stand within the text of a JSON line. */
async function* linesOf(
  file: string,
  bytes: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest = ''
  try {
    for await (const chunk of bytes) {
      const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = parts.pop()!
      for (const part of parts) yield withoutReturn(part)
    }
    rest += decoder.decode()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8 text' : `cannot be read (${code})`
    throw new UsageError(`${file === standardInput ? 'Stdin' : file} ${why}.`, { cause: error })
  }
  if (rest !== '') yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

export function bytesOfFile(file: string): AsyncIterable<Uint8Array> {
  return createReadStream(file, { highWaterMark: 1024 * 1024 })
}
