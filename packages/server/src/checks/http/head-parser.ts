// checks/http/head-parser.ts: reads the head of HTTP/1 responses and the trailer of chunked ones, line by line from text
// in which one character is one byte. It is as strict as Node's own parser in its default mode, with the exceptions that
// differential.test.ts lists, because a lenient reader calls a broken server healthy.
import { bytesInWords, quote } from './wording.ts'

/** More than any sane server sends, and little enough to hold for thousands of checks at once. */
export const MAX_HEAD_BYTES = 65_536

const CR = 13
const LF = 10
const SPACE = 32
const TAB = 9
const DELETE = 127
const ZERO = 48
const COLON = 58

const IS_TOKEN = new Uint8Array(256)
for (const character of "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz") {
  IS_TOKEN[character.charCodeAt(0)] = 1
}

const VERSIONS = new Set(['0.9 ', '1.0 ', '1.1 ', '2.0 '])

export class HeadParser {
  status = 0
  headers: string[] = []
  /** -1 without a Content-Length. */
  contentLength = -1
  hasTransferEncoding = false
  /** The last transfer coding is chunked. */
  chunked = false
  /** Why the bytes are not an HTTP response, as a sentence; null while they may be one. */
  problem: string | null = null

  #line: 'status' | 'header' | 'done' = 'status'
  #inTrailer = false
  #bytes = 0

  get done(): boolean {
    return this.#line === 'done'
  }

  /** A 1xx head is over and the next one begins. The bound keeps counting, so 1xx heads are bounded too. */
  restart(): void {
    this.status = 0
    this.headers = []
    this.contentLength = -1
    this.hasTransferEncoding = false
    this.chunked = false
    this.#line = 'status'
  }

  /** The last chunk is over: trailer lines follow. They are validated like headers and then discarded. */
  beginTrailer(): void {
    this.#inTrailer = true
    this.#line = 'header'
  }

  /** Reads whole lines from a position on and returns where it stopped. The caller passes the rest again. */
  read(text: string, at: number): number {
    while (this.#line !== 'done') {
      if (this.#line === 'status') at = this.#skipLineEnds(text, at)
      const end = text.indexOf('\n', at)
      if (end === -1) {
        this.#checkPartialLine(text, at)
        break
      }
      if (!this.#count(end + 1 - at)) break
      this.#readLine(text, at, end)
      if (this.problem !== null) break
      at = end + 1
    }
    return at
  }

  /** A status line may be preceded by any number of line ends, as in Node. */
  #skipLineEnds(text: string, at: number): number {
    const from = at
    while (text.charCodeAt(at) === CR || text.charCodeAt(at) === LF) at++
    if (at > from) this.#count(at - from)
    return at
  }

  #readLine(text: string, from: number, end: number): void {
    if (this.#line === 'status' && notHttp(text, from, end)) {
      this.problem = foreignAnswer(text.slice(from, end))
    } else if (end === from || text.charCodeAt(end - 1) !== CR) {
      this.problem = 'a line of the response head does not end with CR LF'
    } else if (this.#line === 'status') {
      this.#readStatusLine(text, from, end - 1)
    } else if (end - 1 === from) {
      this.#line = 'done'
    } else {
      this.#readHeaderLine(text, from, end - 1)
    }
  }

  #readStatusLine(text: string, from: number, end: number): void {
    const status = readStatus(text, from, end)
    if (status === -1) {
      this.problem = `the status line is malformed: ${quote(text.slice(from, end))}`
      return
    }
    this.status = status
    this.#line = 'header'
  }

  #readHeaderLine(text: string, from: number, end: number): void {
    const first = text.charCodeAt(from)
    if (first === SPACE || first === TAB) {
      this.#readFoldedLine(text, from, end)
      return
    }
    let colon = from
    while (colon < end && IS_TOKEN[text.charCodeAt(colon)] === 1) colon++
    if (colon === from || text.charCodeAt(colon) !== COLON || colon === end) {
      this.problem = `a header line is malformed: ${quote(text.slice(from, end))}`
      return
    }
    const value = readValue(text, colon + 1, end)
    if (value === null) {
      this.problem = `the value of the header ${quote(text.slice(from, colon))} holds a control character`
      return
    }
    const name = text.slice(from, colon)
    if (name.length === 14 && name.toLowerCase() === 'content-length') this.#readContentLength(value)
    else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
      this.#readTransferEncoding(value)
    }
    if (!this.#inTrailer) this.headers.push(name, value)
  }

  /** A folded line continues the previous value, joined by one space (RFC 9112 §5.2). Framing headers never fold. */
  #readFoldedLine(text: string, from: number, end: number): void {
    const last = this.headers.length - 1
    const value = readValue(text, from, end)
    const name = last > 0 ? this.headers[last - 1]!.toLowerCase() : ''
    if (value === null || this.#inTrailer || last < 0 || FRAMING.has(name)) {
      this.problem = `a header line is malformed: ${quote(text.slice(from, end))}`
      return
    }
    const before = this.headers[last]!
    this.headers[last] = before === '' || value === '' ? before + value : `${before} ${value}`
  }

  #readContentLength(value: string): void {
    if (this.hasTransferEncoding) this.problem = BOTH_FRAMINGS
    else if (this.contentLength !== -1) this.problem = 'the response has more than one Content-Length'
    else if (!/^[0-9]+$/.test(value) || !Number.isSafeInteger(Number(value))) {
      this.problem = `the Content-Length is not a number: ${quote(value)}`
    } else this.contentLength = Number(value)
  }

  #readTransferEncoding(value: string): void {
    if (this.contentLength !== -1) this.problem = BOTH_FRAMINGS
    else if (value === '') this.problem = 'the Transfer-Encoding is empty'
    this.hasTransferEncoding = true
    this.chunked = LAST_CODING_IS_CHUNKED.test(value)
  }

  #count(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes <= MAX_HEAD_BYTES) return true
    this.problem = `the response head is larger than ${bytesInWords(MAX_HEAD_BYTES)}`
    return false
  }

  /** Refuses what can no longer become a line, so that the check does not wait for a peer that sends no line end. */
  #checkPartialLine(text: string, from: number): void {
    if (this.#line === 'status' && notHttp(text, from, text.length)) {
      this.problem = foreignAnswer(text.slice(from))
    } else if (this.#bytes + text.length - from > MAX_HEAD_BYTES) {
      this.problem = `the response head is larger than ${bytesInWords(MAX_HEAD_BYTES)}`
    }
  }
}

// Blanks are only SP and TAB: trim() would also remove a no-break space, which is part of the word.
const LAST_CODING_IS_CHUNKED = /(?:^|,)[ \t]*chunked$/i

const FRAMING = new Set(['content-length', 'transfer-encoding'])
const BOTH_FRAMINGS = 'the response has both a Content-Length and a Transfer-Encoding'

/** The code of a line that begins with HTTP/, or -1: a known version, a blank, three digits, a blank or the end. */
function readStatus(text: string, from: number, end: number): number {
  if (!text.startsWith('1.1 ', from + 5) && !VERSIONS.has(text.slice(from + 5, from + 9))) return -1
  const hundreds = text.charCodeAt(from + 9) - ZERO
  const tens = text.charCodeAt(from + 10) - ZERO
  const ones = text.charCodeAt(from + 11) - ZERO
  // If the line is too short, these are its line end or NaN, and neither is a digit.
  if (!isDigit(hundreds) || !isDigit(tens) || !isDigit(ones)) return -1
  if (end > from + 12 && text.charCodeAt(from + 12) !== SPACE) return -1
  for (let index = from + 12; index < end; index++) if (text.charCodeAt(index) === CR) return -1
  return hundreds * 100 + tens * 10 + ones
}

/** The value between two positions without surrounding blanks; null if it holds a forbidden character. */
function readValue(text: string, from: number, end: number): string | null {
  while (from < end && isBlank(text.charCodeAt(from))) from++
  while (end > from && isBlank(text.charCodeAt(end - 1))) end--
  for (let index = from; index < end; index++) {
    const code = text.charCodeAt(index)
    if ((code < SPACE && code !== TAB) || code === DELETE) return null
  }
  return text.slice(from, end)
}

/** Whether the text neither is nor can become the beginning of a status line. */
function notHttp(text: string, from: number, end: number): boolean {
  const length = Math.min(5, end - from)
  for (let index = 0; index < length; index++) {
    if (text.charCodeAt(from + index) !== 'HTTP/'.charCodeAt(index)) return true
  }
  return false
}

function foreignAnswer(text: string): string {
  // A TLS server answers plain text with an alert record: type 21 (or 22, a handshake), version 3.x.
  if (
    (text.charCodeAt(0) === 21 || text.charCodeAt(0) === 22) &&
    (text.length < 2 || text.charCodeAt(1) === 3)
  ) {
    return 'the server spoke TLS on a plain http port'
  }
  return `the server answered with something that is not HTTP: ${quote(text)}`
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

function isDigit(value: number): boolean {
  return value >= 0 && value <= 9
}
