// api/compression.ts: compresses answers for clients that accept it. Uses fast levels, off the engine's
// thread; small bodies, streams and types that are already compressed are sent as they are.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { v1Limits } from '@pulseward/contract'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** Cheapest first: the first one is used if the client has no preference. */
const encodings: readonly Encoding[] = ['zstd', 'br', 'gzip']

const zstdFast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const brotliFast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const gzipFast = { level: 1 }

const compressors: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  zstd: (bytes) => promisify(zstdCompress)(bytes, zstdFast),
  br: (bytes) => promisify(brotliCompress)(bytes, brotliFast),
  gzip: (bytes) => promisify(gzip)(bytes, gzipFast),
}

/** Text in any form, and the map; images and fonts are already compressed. */
const compressible =
  /^(text\/|application\/(json|problem\+json|javascript|manifest\+json|octet-stream|openmetrics-text)|image\/svg\+xml)/

/** Whether a body of this type is worth compressing; most are too small. */
export function isCompressible(contentType: string | undefined, body: string | Uint8Array): boolean {
  if (Buffer.byteLength(body) <= v1Limits.compressedFromBytes) return false
  return contentType !== undefined && compressible.test(contentType)
}

export function compress(encoding: Encoding, body: string | Uint8Array): Promise<Buffer> {
  return compressors[encoding](typeof body === 'string' ? Buffer.from(body) : body)
}

/** Null to send the body as it is. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | null {
  const wishes = readWishes(String(accepted ?? ''))
  const wishFor = (name: string) => wishes.get(name) ?? wishes.get('*') ?? 0
  let best: Encoding | null = null
  for (const encoding of encodings)
    if (wishFor(encoding) > (best === null ? 0 : wishFor(best))) best = encoding
  const plain = wishes.get('identity') ?? 0
  return best !== null && wishFor(best) >= plain ? best : null
}

/** Reads `gzip;q=0.5, br` into weights by name. */
function readWishes(header: string): Map<string, number> {
  const wishes = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1'
    // A malformed weight counts as 0.
    if (name !== '') wishes.set(name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0)
  }
  return wishes
}
