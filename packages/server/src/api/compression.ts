// api/compression.ts: answers in fewer bytes, for clients that ask for it. Fast levels, off the engine's thread; what
// is small, already compressed or a stream goes out as it is.
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, zstdCompress } from 'node:zlib'
import { v1Limits } from '@pulseward/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodedTag } from './entity-tag.ts'
import { isV2, pathOf } from './request-path.ts'

export type Encoding = 'zstd' | 'br' | 'gzip'

/** The cheapest first: it is taken when the client has no wish of its own. */
const encodings: readonly Encoding[] = ['zstd', 'br', 'gzip']

const zstdFast = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }
const brotliFast = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const gzipFast = { level: 1 }

const compressors: Readonly<Record<Encoding, (bytes: Uint8Array) => Promise<Buffer>>> = {
  zstd: (bytes) => promisify(zstdCompress)(bytes, zstdFast),
  br: (bytes) => promisify(brotliCompress)(bytes, brotliFast),
  gzip: (bytes) => promisify(gzip)(bytes, gzipFast),
}

/** Text in any form, and the map; images and fonts are compressed by themselves. */
const compressible =
  /^(text\/|application\/(json|problem\+json|javascript|manifest\+json|octet-stream|openmetrics-text)|image\/svg\+xml)/

/** Whether the body may go out in another form; most are too small. */
export function isCompressible(reply: FastifyReply, body: unknown): boolean {
  const length =
    typeof body === 'string' ? Buffer.byteLength(body) : ((body as Uint8Array | null)?.byteLength ?? 0)
  if (length <= v1Limits.compressedFromBytes || reply.hasHeader('content-encoding')) return false
  return compressible.test(String(reply.getHeader('content-type')))
}

/** What goes out in place of a body that is compressible, with the headers that belong to it. */
export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string | Uint8Array,
): Promise<string | Uint8Array> {
  addVary(reply, 'Accept-Encoding')
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  if (encoding === null) return body
  const small = await compressors[encoding](bytesOf(body))
  reply.header('content-encoding', encoding)
  // Fastify writes the length that fits, once there is none.
  reply.removeHeader('content-length')
  const tag = reply.getHeader('etag')
  // The tag of a resource of v2 is its version, whatever the bytes are that it travels in.
  if (typeof tag === 'string' && !isV2(pathOf(request))) reply.header('etag', encodedTag(tag, encoding))
  return small
}

/**
 * To a client that has this body already, in a reply with the headers that the body would have had. Without it there is no
 * content to describe, but caches must still learn on what the answer depends.
 */
export function sendNotModified(reply: FastifyReply, body: Uint8Array): FastifyReply {
  if (isCompressible(reply, body)) addVary(reply, 'Accept-Encoding')
  return reply.code(304).removeHeader('content-type').send()
}

/** Null for an answer as it is. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding | null {
  const wishes = readWishes(String(accepted ?? ''))
  const wishFor = (name: string) => wishes.get(name) ?? wishes.get('*') ?? 0
  let best: Encoding | null = null
  for (const encoding of encodings)
    if (wishFor(encoding) > (best === null ? 0 : wishFor(best))) best = encoding
  const plain = wishes.get('identity') ?? 0
  return best !== null && wishFor(best) >= plain ? best : null
}

/** `gzip;q=0.5, br` by name. */
function readWishes(header: string): Map<string, number> {
  const wishes = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((text) => text.startsWith('q='))?.slice(2) ?? '1'
    // A weight that cannot be read asks for nothing.
    if (name !== '') wishes.set(name, /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0)
  }
  return wishes
}

export function addVary(reply: FastifyReply, header: string): void {
  const before = reply.getHeader('vary')
  reply.header('vary', before === undefined ? header : `${before}, ${header}`)
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? Buffer.from(body) : body
}
