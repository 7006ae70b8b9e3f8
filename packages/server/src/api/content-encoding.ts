// api/content-encoding.ts: whether the body of a request comes as it is. Nothing is unpacked here: what a small body
// unpacks to has no bound. Only names of known codings are repeated; anything else that was sent may be a secret.
const known = new Set(['br', 'compress', 'deflate', 'gzip', 'x-gzip', 'zstd'])

/** What the body is encoded as, in words; null where it comes as it is. */
export function codingOf(contentEncoding: string | undefined): string | null {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0) return null
  return codings.every((coding) => known.has(coding)) ? codings.join(', ') : 'something else'
}
