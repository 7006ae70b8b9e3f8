// platform/redaction/readings.ts: the decoded forms of a sentence: percent encoding, plus signs for spaces,
// JSON escapes and HTML entities, also nested. Each reading maps its characters back to the sentence.

/** How many nested encodings are decoded. */
const MAX_DEPTH = 2

export interface Reading {
  readonly text: string
  /** Where the character begins in the sentence, and where the one before this position ends. */
  startOf(index: number): number
  endOf(index: number): number
}

/** The characters that an encoded piece represents, each with the length that it takes in the piece. */
type Decoded = readonly (readonly [character: string, length: number])[]

interface Decoder {
  readonly pattern: RegExp
  decode(piece: string): Decoded
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const decoders: readonly Decoder[] = [
  { pattern: /(?:%[0-9a-f]{2})+/gi, decode: percentDecoded },
  {
    pattern: /\+|(?:%[0-9a-f]{2})+/gi,
    decode: (piece) => (piece === '+' ? [[' ', 1]] : percentDecoded(piece)),
  },
  {
    pattern: /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi,
    decode: (piece) => [[jsonUnescaped(piece.slice(1)), piece.length]],
  },
  {
    pattern: /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);/gi,
    decode: (piece) => [[htmlUnescaped(piece.slice(1, -1).toLowerCase()), piece.length]],
  },
]

/** The sentence itself comes first. */
export function readingsOf(sentence: string): Reading[] {
  const plain: Reading = { text: sentence, startOf: (index) => index, endOf: (index) => index }
  const readings = [plain]
  let latest = readings
  for (let depth = 0; depth < MAX_DEPTH; depth++) {
    latest = latest.flatMap((reading) =>
      decoders.map((decoder) => decoded(reading, decoder)).filter((next) => next !== null),
    )
    readings.push(...latest)
  }
  return readings
}

/** Null if there is nothing to decode. */
function decoded(reading: Reading, { pattern, decode }: Decoder): Reading | null {
  const starts: number[] = []
  const ends: number[] = []
  let text = ''
  let at = 0
  const take = (character: string, length: number): void => {
    text += character
    for (let unit = 0; unit < character.length; unit++) {
      starts.push(reading.startOf(at))
      ends.push(reading.endOf(at + length))
    }
    at += length
  }
  for (const { 0: piece, index } of reading.text.matchAll(pattern)) {
    while (at < index) take(reading.text[at]!, 1)
    for (const [character, length] of decode(piece)) take(character, length)
  }
  if (at === 0) return null
  while (at < reading.text.length) take(reading.text[at]!, 1)
  return { text, startOf: (index) => starts[index]!, endOf: (index) => ends[index - 1]! }
}

/** As UTF-8, or one character per byte if it is not valid UTF-8. */
function percentDecoded(piece: string): Decoded {
  const bytes = Buffer.from(piece.replaceAll('%', ''), 'hex')
  const text = bytes.toString('utf8')
  if (text.includes('\ufffd')) return Array.from(bytes.toString('latin1'), (character) => [character, 3])
  return Array.from(text, (character) => [character, 3 * Buffer.byteLength(character)])
}

function jsonUnescaped(written: string): string {
  if (written.length > 1) return String.fromCharCode(Number.parseInt(written.slice(1), 16))
  return escapes[written] ?? written
}

function htmlUnescaped(entity: string): string {
  if (!entity.startsWith('#')) return entities[entity]!
  const code = entity.startsWith('#x') ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
  return code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'
}
