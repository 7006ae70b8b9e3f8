// platform/tls/slim-session.ts: a TLS session without the certificate of its server. OpenSSL serializes the certificate with the
// session and parses it whenever that is resumed, twice in Node.js: a quarter of the cost of a resumed check, and half of
// the bytes to keep. We know what that certificate was, and a server that wants a full handshake sends it again.

const SEQUENCE = 0x30
/** SSL_SESSION_ASN1 of OpenSSL: peer [3] EXPLICIT X509 OPTIONAL. */
const PEER = 0xa3

/** Unchanged if it does not look as expected: then it only costs more. */
export function slimSession(session: Buffer): Buffer {
  const start = startOfSequence(session)
  if (start < 0) return session
  const kept: Buffer[] = []
  let at = bodyOf(session, start).start
  while (at < session.length) {
    const { end } = bodyOf(session, at)
    if (end > session.length) return session
    if (session[at] !== PEER) kept.push(session.subarray(at, end))
    at = end
  }
  const fields = Buffer.concat(kept)
  return Buffer.concat([session.subarray(0, start), sequenceHeader(fields.length), fields])
}

/** Node.js 26 puts the name of the server before what OpenSSL has serialized, which ends with the buffer. */
function startOfSequence(session: Buffer): number {
  let at = session.indexOf(SEQUENCE)
  while (at >= 0 && bodyOf(session, at).end !== session.length) at = session.indexOf(SEQUENCE, at + 1)
  return at
}

/** Of a field in DER: a byte for what it is, its length in one byte or as many as the first one says, and its content. */
function bodyOf(bytes: Buffer, at: number): { start: number; end: number } {
  const first = bytes[at + 1] ?? 0
  if (first < 0x80) return { start: at + 2, end: at + 2 + first }
  const start = at + 2 + (first & 0x7f)
  let length = 0
  for (let place = at + 2; place < start; place++) length = length * 256 + (bytes[place] ?? 0)
  return { start, end: start + length }
}

/** DER wants the length in as few bytes as possible. */
function sequenceHeader(length: number): Buffer {
  if (length < 0x80) return Buffer.of(SEQUENCE, length)
  const bytes = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3
  const header = Buffer.of(SEQUENCE, 0x80 | bytes, ...Buffer.alloc(bytes))
  header.writeUIntBE(length, 2, bytes)
  return header
}
