// client/files/documents.ts: splits sources into documents without holding more than a chunk of the file: YAML at its
// `---` lines, which end a document wherever they are, NDJSON at every line. A JSON file is one YAML document. Documents
// come in batches of one chunk: a million lines would otherwise take a million turns of the event loop.
import { UsageError } from '@pulseward/server'
import { standardInput } from './source-files.ts'
import type { Source } from './sources.ts'

export interface SourceDocument {
  readonly file: string
  /** The number of its first line in the file, from 1. */
  readonly line: number
  readonly text: string
  readonly isJsonLine: boolean
}

/** For a list of resources in one document; far more than people write by hand. */
const mostCharacters = 64 * 1024 * 1024

export async function* documentsOf(source: Source): AsyncGenerator<SourceDocument[], void, undefined> {
  const splitter = source.isLines ? new LineSplitter(source.name) : new YamlSplitter(source.name)
  for await (const lines of linesOf(source)) {
    const documents = splitter.take(lines)
    if (documents.length > 0) yield documents
  }
  const last = splitter.end()
  if (last.length > 0) yield last
}

class LineSplitter {
  readonly #file: string
  #lineNumber = 0

  constructor(file: string) {
    this.#file = file
  }

  take(lines: readonly string[]): SourceDocument[] {
    const documents: SourceDocument[] = []
    for (const text of lines) {
      this.#lineNumber++
      if (text.startsWith('{') || hasContent([text]))
        documents.push({ file: this.#file, line: this.#lineNumber, text, isJsonLine: true })
    }
    return documents
  }

  end(): SourceDocument[] {
    return []
  }
}

class YamlSplitter {
  readonly #file: string
  #lines: string[] = []
  #characters = 0
  #firstLine = 1
  #lineNumber = 0

  constructor(file: string) {
    this.#file = file
  }

  take(lines: readonly string[]): SourceDocument[] {
    return lines.flatMap((line) => this.#takeLine(line))
  }

  end(): SourceDocument[] {
    const { file, line, text } = { file: this.#file, line: this.#firstLine, text: this.#lines.join('\n') }
    return hasContent(this.#lines) ? [{ file, line, text, isJsonLine: false }] : []
  }

  #takeLine(line: string): SourceDocument[] {
    this.#lineNumber++
    const isEnd = /^(---|\.\.\.)(\s|$)/.test(line)
    const ended = isEnd ? this.end() : []
    if (isEnd) {
      this.#lines = []
      this.#characters = 0
      this.#firstLine = this.#lineNumber
    }
    // Content may follow the marker on the same line; a marker alone is not a line of the document.
    const kept = isEnd ? line.replace(/^(---|\.\.\.)/, '   ') : line
    if (isEnd && kept.trim() === '') this.#firstLine = this.#lineNumber + 1
    else this.#keep(kept)
    return ended
  }

  #keep(line: string): void {
    this.#lines.push(line)
    this.#characters += line.length + 1
    if (this.#characters > mostCharacters) throw tooLong(this.#file, this.#firstLine)
  }
}

function tooLong(file: string, line: number): UsageError {
  return new UsageError(
    `${file}:${line}: one document has more than 64 MiB; split it with --- lines or use .ndjson.`,
  )
}

/** Comments and directives are not content. */
function hasContent(lines: readonly string[]): boolean {
  return lines.some((line) => !/^\s*(#.*)?$|^%/.test(line))
}

/** Only line feeds end a line: other separators may occur within the text of a JSON line. */
async function* linesOf(source: Source): AsyncGenerator<string[], void, undefined> {
  const { name } = source
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let lineCount = 0
  let rest = ''
  try {
    for await (const chunk of source.bytes()) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      lineCount += lines.length
      if (rest.length > mostCharacters) throw tooLong(name, lineCount + 1)
      if (lines.length > 0) yield lines.map(withoutReturn)
    }
    rest += decoder.decode()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (error instanceof UsageError || code === undefined) throw error
    const why =
      code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'is not UTF-8 text' : `cannot be read (${code})`
    throw new UsageError(`${name === standardInput ? 'Stdin' : name} ${why}.`, { cause: error })
  }
  if (rest !== '') yield [withoutReturn(rest)]
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}
