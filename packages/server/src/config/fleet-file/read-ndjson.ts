// config/fleet-file/read-ndjson.ts: the fast format for huge fleets, one monitor per line, read as a stream.
// A chunk of lines is parsed by one JSON.parse; only if that fails is it parsed line by line.
import { isUtf8 } from 'node:buffer'
import { open } from 'node:fs/promises'
import { countKeys, countKeysInJson } from './duplicate-keys.ts'
import { duplicateKeysInJson } from './explain-yaml.ts'
import type { SourceChunk, SourceMistake } from './source.ts'

/**
 * Small enough that parsed values are garbage before the next collection: faster, and 70 MB less for a million monitors.
 */
const readBytes = 1 << 17
/** A monitor may have 1 MiB. A longer line is refused and skipped, so that the buffer stays bounded. */
const longestLine = 1 << 20
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])

export interface MonitorBatch {
  readonly chunk: SourceChunk
  /** Undefined where the line could not be read. */
  readonly monitors: unknown[]
  readonly mistakes: SourceMistake[]
}

/** `onBytes` receives all bytes that are read. */
export async function* readNdjson(
  file: string,
  onBytes: (bytes: Uint8Array) => void = () => {},
): AsyncGenerator<MonitorBatch> {
  const handle = await open(file)
  // One buffer for the whole file: the unconsumed rest moves to its front. Consumers must not keep a view of it.
  const buffer = Buffer.allocUnsafe(longestLine + 2 * readBytes)
  let kept = 0
  let firstLine = 1
  let skipping = false
  try {
    for (let isFirst = true; ; isFirst = false) {
      const { bytesRead } = await handle.read(buffer, kept, readBytes)
      onBytes(buffer.subarray(kept, kept + bytesRead))
      let bytes = buffer.subarray(0, kept + bytesRead)
      const atEnd = bytesRead === 0
      if (isFirst && bytes.subarray(0, 3).equals(byteOrderMark)) bytes = bytes.subarray(3)
      const newline = bytes.indexOf(10)
      // Only the first line can be too long, because the lines after it came with a single read.
      const isTooLong = !skipping && (newline === -1 ? bytes.length : newline) > longestLine
      if (isTooLong) yield lineTooLong(file, firstLine)
      if (skipping || isTooLong) {
        skipping = newline === -1
        bytes = skipping ? bytes.subarray(bytes.length) : bytes.subarray(newline + 1)
        if (!skipping) firstLine++
      }
      const end = atEnd ? bytes.length : bytes.lastIndexOf(10) + 1
      if (end > 0) {
        const body = bytes.subarray(0, end)
        const lines = countLines(body)
        yield readLines(file, body, firstLine, lines)
        firstLine += lines
      }
      if (atEnd) return
      kept = bytes.length - end
      buffer.set(bytes.subarray(end))
    }
  } finally {
    await handle.close()
  }
}

function readLines(file: string, body: Buffer, firstLine: number, lines: number): MonitorBatch {
  const chunk: SourceChunk = { file, kind: 'lines', firstLine, from: 0, to: 0, firstItem: 0 }
  const whole = isUtf8(body) ? parseTogether(body) : null
  if (whole !== null && whole.length === lines) return { chunk, monitors: whole, mistakes: [] }
  return parseOneByOne(chunk, body)
}

/** Parses all lines at once; null if anything about them is unusual. */
function parseTogether(body: Buffer): unknown[] | null {
  const text = `[${body.toString('utf8').trimEnd().replaceAll('\n', ',')}]`
  try {
    const monitors: unknown[] = JSON.parse(text)
    // Compact JSON that round-trips unchanged has no duplicate keys; only other layouts need the slower count.
    const single = JSON.stringify(monitors) === text || countKeysInJson(body) === countKeys(monitors)
    return single ? monitors : null
  } catch {
    return null
  }
}

function parseOneByOne(chunk: SourceChunk, body: Buffer): MonitorBatch {
  const monitors: unknown[] = []
  const mistakes: SourceMistake[] = []
  let start = 0
  for (let line = 0; start < body.length; line++) {
    const newline = body.indexOf(10, start)
    const end = newline === -1 ? body.length : newline
    const bytes = body.subarray(start, end)
    start = end + 1
    const refuse = (message: string) => {
      mistakes.push({ chunk, path: [line], message })
      monitors.push(undefined)
    }
    if (!isUtf8(bytes)) refuse('the line is not valid UTF-8.')
    else if (bytes.toString('utf8').trim() === '') monitors.push(undefined)
    else {
      try {
        const monitor: unknown = JSON.parse(bytes.toString('utf8'))
        if (countKeysInJson(bytes) !== countKeys(monitor)) {
          for (const { path, message } of duplicateKeysInJson(bytes.toString('utf8')))
            mistakes.push({ chunk, path: [line, ...path], message })
        }
        monitors.push(monitor)
      } catch (error) {
        refuse(`the line is not valid JSON: ${withoutContent((error as Error).message)}.`)
      }
    }
  }
  return { chunk, monitors, mistakes }
}

/** The parser quotes the text that it could not read, which may be a secret. */
function withoutContent(message: string): string {
  return message
    .replace(/,? ?(?:\.\.\.)?"[\s\S]*$/, '')
    .replace(/(?: in JSON)? at position \d+ \(line 1 column (\d+)\)$/, ' at column $1')
}

function lineTooLong(file: string, firstLine: number): MonitorBatch {
  const chunk: SourceChunk = { file, kind: 'lines', firstLine, from: 0, to: 0, firstItem: 0 }
  const message = 'the line is too long; a monitor may have at most 1 MiB.'
  return { chunk, monitors: [], mistakes: [{ chunk, path: [0], message }] }
}

function countLines(body: Buffer): number {
  let lines = 0
  for (let at = body.indexOf(10); at !== -1; at = body.indexOf(10, at + 1)) lines++
  return body.length > 0 && body[body.length - 1] !== 10 ? lines + 1 : lines
}
