// config/fleet-file/read-yaml.ts: reads YAML and JSON fleet files with one or several documents. Large
// documents are parsed in runs of monitors: only one run is in memory, and a mistake is located by parsing
// one run again. Anything unusual (anchors, flow style, odd layout) is parsed whole.
import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'
import { countKeys, countKeysInJson } from './duplicate-keys.ts'
import { type Explanation, explainYaml } from './explain-yaml.ts'
import { chunkText } from './locate.ts'
import { countNewlines, type SourceChunk, type SourceMistake } from './source.ts'

/** Documents up to this length are parsed whole. */
const runCharacters = 256 * 1024
const schema = CORE_SCHEMA.withTags(mergeTag)
/** Enough for sharing settings by anchors, and far too few for a document that explodes when it is walked. */
const limits = { maxAliases: 1000, maxDepth: 64, maxTotalMergeKeys: 10_000 }

export interface FleetPiece {
  readonly chunk: SourceChunk
  /**
   * The document without the monitors that come as separate pieces; undefined for a run of monitors and for a
   * document that cannot be read.
   */
  readonly document: unknown
  readonly monitors: unknown[]
  readonly mistakes: readonly SourceMistake[]
}

/** `onBytes` receives all bytes that are read. */
export async function* readYaml(
  file: string,
  onBytes: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<FleetPiece> {
  const bytes = await readFile(file)
  onBytes(bytes)
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes)
  if (!isUtf8(bytes)) {
    const chunk = wholeFile(file, text)
    yield { chunk, document: undefined, monitors: [], mistakes: foreignLines(chunk, bytes) }
    return
  }
  if (text.trimStart().startsWith('{')) {
    const whole = parseJson(bytes, text)
    if (whole !== undefined) {
      yield piece(wholeFile(file, text), whole)
      return
    }
  }
  for (const chunk of splitDocuments(file, text)) yield* readDocument(chunk, text)
}

/** JSON is YAML, but JSON.parse is much faster. Invalid JSON and duplicate keys are left to the YAML parser. */
function parseJson(bytes: Uint8Array, text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return countKeysInJson(bytes) === countKeys(value) ? value : undefined
  } catch {
    return undefined
  }
}

function wholeFile(file: string, text: string): SourceChunk {
  return { file, kind: 'document', firstLine: 1, from: 0, to: text.length, firstItem: 0 }
}

/** Lines that are not UTF-8. Decoded leniently, a name would silently become another one. */
function foreignLines(chunk: SourceChunk, bytes: Buffer): SourceMistake[] {
  const mistakes: SourceMistake[] = []
  for (let line = 1, from = 0; from < bytes.length; line++) {
    const newline = bytes.indexOf(10, from)
    const to = newline === -1 ? bytes.length : newline
    if (!isUtf8(bytes.subarray(from, to)))
      mistakes.push({ chunk, path: [], message: 'the line is not valid UTF-8.', line })
    from = to + 1
  }
  return mistakes
}

/** Documents end at a line that begins with --- or ... ; anywhere else these are content. */
function* splitDocuments(file: string, text: string): Generator<SourceChunk> {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm
  let from = 0
  let firstLine = 1
  for (let match = marker.exec(text); match !== null; match = marker.exec(text)) {
    yield { file, kind: 'document', firstLine, from, to: match.index, firstItem: 0 }
    firstLine += countNewlines(text, from, match.index)
    // The rest of the marker's line may begin the document (--- {a: 1}), so only the marker is skipped.
    from = match.index + 3
  }
  yield { file, kind: 'document', firstLine, from, to: text.length, firstItem: 0 }
}

function* readDocument(chunk: SourceChunk, text: string): Generator<FleetPiece> {
  const body = text.slice(chunk.from, chunk.to)
  // Only empty lines, comments and directives: not a document.
  if (!/^(?!%)[ \t\r]*[^\s#]/m.test(body)) return
  const runs = body.length > runCharacters ? findRuns(body) : null
  if (runs === null) yield parsePiece(chunk, body)
  else yield* readRuns(chunk, text, body, runs)
}

interface Runs {
  /** Offsets of the monitors' block in the document. */
  readonly from: number
  readonly to: number
  /** Offsets at which runs of whole monitors begin. */
  readonly starts: readonly number[]
  /** The number of each run's first monitor. */
  readonly firstItems: readonly number[]
}

/** Finds the monitors if the document has the ordinary layout; null when in doubt. */
function findRuns(body: string): Runs | null {
  if (/(?:^|[\s[{,:-])[&*][^\s,[\]{}]/m.test(body)) return null
  const header = /^monitors:[ \t]*(?:#.*)?\r?\n/m.exec(body)
  if (header === null) return null
  const from = header.index + header[0].length
  const first = /^(?:[ \t]*(?:#.*)?\r?\n)*( *)-\s/.exec(body.slice(from, from + 4096))
  if (first === null) return null
  const indent = first[1]!
  const item = new RegExp(`^${indent}-(?=\\s)`, 'gm')
  const nextKey = /^[^\s#-]/gm
  nextKey.lastIndex = from
  const to = nextKey.exec(body)?.index ?? body.length
  const starts: number[] = []
  const firstItems: number[] = []
  item.lastIndex = from
  let items = 0
  for (let match = item.exec(body); match !== null && match.index < to; match = item.exec(body)) {
    if (starts.length === 0 || match.index - starts.at(-1)! >= runCharacters) {
      starts.push(match.index)
      firstItems.push(items)
    }
    items++
  }
  return starts.length > 1 ? { from, to, starts, firstItems } : null
}

function* readRuns(chunk: SourceChunk, text: string, body: string, runs: Runs): Generator<FleetPiece> {
  const cut = { from: chunk.from + runs.from, to: chunk.from + runs.to }
  yield withoutMonitors(parsePiece({ ...chunk, cut }, chunkText({ ...chunk, cut }, text)))
  let firstLine = chunk.firstLine + countNewlines(body, 0, runs.starts[0]!)
  for (const [number, from] of runs.starts.entries()) {
    const to = runs.starts[number + 1] ?? runs.to
    const run: SourceChunk = {
      file: chunk.file,
      kind: 'items',
      firstLine,
      from: chunk.from + from,
      to: chunk.from + to,
      firstItem: runs.firstItems[number]!,
    }
    const { document, mistakes } = parsePiece(run, body.slice(from, to))
    const monitors = Array.isArray(document) ? document : []
    yield { chunk: run, document: undefined, monitors, mistakes }
    firstLine += countNewlines(body, from, to)
  }
}

function parsePiece(chunk: SourceChunk, body: string): FleetPiece {
  try {
    return piece(chunk, load(body, { schema, ...limits }))
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    // Exceeding a limit would cost the slower parser far more.
    const isLimit = /exceeded max/.test(error.reason)
    const { value, mistakes } = isLimit ? unexplained : explainYaml(chunk, body, limits.maxAliases)
    // People close brackets at the left margin, and only this parser objects to it.
    const isHarmless = error.reason === 'deficient indentation' && value !== undefined
    if (mistakes.length > 0 || isHarmless) return { ...piece(chunk, value), mistakes }
    const message = `the document cannot be read: ${error.reason}.`
    const line = chunk.firstLine + (error.mark?.line ?? 0)
    return { ...piece(chunk, undefined), mistakes: [{ chunk, path: [], message, line }] }
  }
}

const unexplained: Explanation = { value: undefined, mistakes: [] }

/** Only the key is left of monitors that were cut out. */
function withoutMonitors(piece: FleetPiece): FleetPiece {
  const { monitors: _cut, ...head } = (piece.document ?? {}) as { monitors?: unknown }
  return piece.document === undefined ? piece : { ...piece, document: head }
}

function piece(chunk: SourceChunk, document: unknown): FleetPiece {
  const monitors = (document as { monitors?: unknown } | null)?.monitors
  return { chunk, document, monitors: Array.isArray(monitors) ? monitors : [], mistakes: [] }
}
