// config/fleet-file/read-yaml.ts: YAML and JSON fleet files, one or several documents each. Large documents
// are parsed in runs of monitors, so that memory stays at one run and a mistake is found by parsing one run
// again; whatever looks unusual (anchors, flow style, odd layout) is simply parsed whole.
import { readFile } from 'node:fs/promises'
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml'
import { countKeys, countKeysInJson } from './duplicate-keys.ts'
import { syntaxMistakes } from './locate.ts'
import type { SourceChunk, SourceMistake } from './source.ts'

/** Documents below this are parsed whole. */
const runCharacters = 256 * 1024
const schema = CORE_SCHEMA.withTags(mergeTag)
/** Enough for sharing settings by anchors, far too few for a document that explodes when it is walked. */
const limits = { maxAliases: 1000, maxDepth: 64, maxTotalMergeKeys: 10_000 }

export interface FleetPiece {
  readonly chunk: SourceChunk
  /** The document without the monitors that come as pieces of their own; undefined for a run of monitors. */
  readonly document: unknown
  readonly monitors: unknown[]
  readonly mistakes: SourceMistake[]
}

export async function* readYaml(file: string): AsyncGenerator<FleetPiece> {
  const bytes = await readFile(file)
  const text = new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes)
  if (text.trimStart().startsWith('{')) {
    const whole = parseJson(bytes, text)
    if (whole !== undefined) {
      yield piece(wholeFile(file, text), whole)
      return
    }
  }
  for (const chunk of splitDocuments(file, text)) yield* readDocument(chunk, text)
}

/** JSON is YAML, but JSON.parse is much faster; anything it cannot vouch for goes the YAML way. */
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

/** Documents end at a line that begins with --- or ... ; everywhere else those are content. */
function* splitDocuments(file: string, text: string): Generator<SourceChunk> {
  const marker = /^(?:---|\.\.\.)(?=\s|$)/gm
  let from = 0
  let firstLine = 1
  for (let match = marker.exec(text); match !== null; match = marker.exec(text)) {
    yield { file, kind: 'document', firstLine, from, to: match.index, firstItem: 0 }
    firstLine += countNewlines(text, from, match.index)
    // The marker's own line may carry the beginning of the document (--- {a: 1}); the marker itself goes.
    from = match.index + 3
  }
  yield { file, kind: 'document', firstLine, from, to: text.length, firstItem: 0 }
}

function* readDocument(chunk: SourceChunk, text: string): Generator<FleetPiece> {
  const body = text.slice(chunk.from, chunk.to)
  if (body.replace(/^(?:\s*#.*|%.*)$/gm, '').trim() === '') return
  const runs = body.length > runCharacters ? findRuns(body) : null
  if (runs === null) yield parsePiece(chunk, body)
  else yield* readRuns(chunk, body, runs)
}

interface Runs {
  /** Offsets of the monitors' block in the document. */
  readonly from: number
  readonly to: number
  /** Beginnings of runs of whole monitors. */
  readonly starts: readonly number[]
}

/** Where the monitors stand, if the document has the ordinary layout; null when in doubt. */
function findRuns(body: string): Runs | null {
  if (/(?:^|[\s[{,:-])[&*][^\s,[\]{}]/m.test(body)) return null
  const header = /^monitors:[ \t]*(?:#.*)?\r?\n/m.exec(body)
  if (header === null) return null
  const from = header.index + header[0].length
  const first = /^(?:[ \t]*(?:#.*)?\r?\n)*( *)- /.exec(body.slice(from, from + 4096))
  if (first === null) return null
  const indent = first[1]!
  const item = new RegExp(`^${indent}-(?= )`, 'gm')
  const nextKey = /^[^\s#-]/gm
  nextKey.lastIndex = from
  const to = nextKey.exec(body)?.index ?? body.length
  const starts: number[] = []
  item.lastIndex = from
  for (let match = item.exec(body); match !== null && match.index < to; match = item.exec(body)) {
    if (starts.length === 0 || match.index - starts.at(-1)! >= runCharacters) starts.push(match.index)
  }
  return starts.length > 1 ? { from, to, starts } : null
}

function* readRuns(chunk: SourceChunk, body: string, runs: Runs): Generator<FleetPiece> {
  const cut = { from: chunk.from + runs.from, to: chunk.from + runs.to }
  yield parsePiece({ ...chunk, cut }, body.slice(0, runs.from) + body.slice(runs.to))
  let firstItem = 0
  let firstLine = chunk.firstLine + countNewlines(body, 0, runs.starts[0]!)
  for (const [number, from] of runs.starts.entries()) {
    const to = runs.starts[number + 1] ?? runs.to
    const run: SourceChunk = {
      file: chunk.file,
      kind: 'items',
      firstLine,
      from: chunk.from + from,
      to: chunk.from + to,
      firstItem,
    }
    const { document, mistakes } = parsePiece(run, body.slice(from, to))
    const monitors = Array.isArray(document) ? document : []
    yield { chunk: run, document: undefined, monitors, mistakes }
    firstItem += monitors.length
    firstLine += countNewlines(body, from, to)
  }
}

function parsePiece(chunk: SourceChunk, body: string): FleetPiece {
  try {
    return piece(chunk, load(body, { schema, ...limits }))
  } catch (error) {
    const mistakes = syntaxMistakes(chunk, body)
    if (mistakes.length > 0) return { chunk, document: undefined, monitors: [], mistakes }
    const message = `the document cannot be read: ${(error as { reason?: string }).reason ?? (error as Error).message}.`
    return {
      chunk,
      document: undefined,
      monitors: [],
      mistakes: [{ chunk, path: [], message, line: chunk.firstLine }],
    }
  }
}

function piece(chunk: SourceChunk, document: unknown): FleetPiece {
  const monitors = (document as { monitors?: unknown } | null)?.monitors
  return { chunk, document, monitors: Array.isArray(monitors) ? monitors : [], mistakes: [] }
}

function countNewlines(text: string, from: number, to: number): number {
  let count = 0
  for (let at = text.indexOf('\n', from); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) count++
  return count
}
