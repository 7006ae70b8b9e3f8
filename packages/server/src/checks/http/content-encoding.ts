// checks/http/content-encoding.ts: decodes a content encoding that a server applied without being asked. The
// output is bounded, so a small body cannot unfold into a large one.
import type { Transform } from 'node:stream'
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'
import type { Attempt } from './attempt.ts'
import { BodyBuffer } from './body-buffer.ts'
import { headerValues, type Response } from './response.ts'
import { quote } from './wording.ts'

/** Servers apply one, rarely two; a long list would be an attack on our CPU time. */
const MAX_ENCODINGS = 2

export interface Content {
  readonly bytes: Buffer
  readonly cut: boolean
}

/** The body without its content encodings, or a sentence that says why it cannot be read. */
export async function decodeContent(
  response: Response,
  limitBytes: number,
  attempt: Attempt,
): Promise<Content | string> {
  const encodings = headerValues(response.headers, 'content-encoding')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((encoding) => encoding.trim())
    .filter((encoding) => encoding !== '' && encoding !== 'identity')
  let content: Content = { bytes: response.body, cut: response.bodyCut }
  if (encodings.length > MAX_ENCODINGS) return `the body is encoded ${encodings.length} times over`
  // Encodings are undone in reverse order.
  for (const encoding of encodings.reverse()) {
    if (content.bytes.length === 0) break
    const decoder = decoderFor(encoding, content.bytes)
    if (decoder === null) return `the body is encoded as ${quote(encoding)}, which cannot be read here`
    const decoded = await unfold(decoder, content, limitBytes, attempt)
    if (decoded === null) return `the body is said to be ${encoding} but is not`
    content = decoded
  }
  return content
}

function decoderFor(encoding: string, bytes: Buffer): Transform | null {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      return createZstdDecompress()
    case 'deflate':
      // Servers send it with the zlib header, as they should, or without. The header's low half-byte is always 8.
      return (bytes.readUInt8() & 0x0f) === 8 ? createInflate() : createInflateRaw()
    default:
      return null
  }
}

function unfold(
  decoder: Transform,
  source: Content,
  limitBytes: number,
  attempt: Attempt,
): Promise<Content | null> {
  const unfolded = new BodyBuffer(limitBytes)
  return new Promise((resolve) => {
    const decide = (readable: boolean): void => {
      attempt.run.onStop = undefined
      decoder.destroy()
      resolve(readable ? { bytes: unfolded.content(), cut: unfolded.cut || source.cut } : null)
    }
    decoder.on('data', (bytes: Buffer) => {
      if (unfolded.cut) return
      unfolded.append(bytes, 0, bytes.length)
      if (unfolded.cut) decide(true)
    })
    decoder.on('end', () => decide(true))
    // A body that was cut ends in the middle of its encoding; what came out before that is valid.
    decoder.on('error', () => decide(source.cut))
    const stop = (): void => decide(false)
    attempt.run.onStop = stop
    decoder.end(source.bytes)
  })
}
