// api/content-encoding.ts: refuses encoded request bodies. The service does not decompress them: a small body
// may expand without bound. Refusals repeat only the names of known codings; any other value may be a secret.
const known = new Set(['br', 'compress', 'deflate', 'gzip', 'x-gzip', 'zstd'])

/** The coding of the body, in words; null if the body is not encoded. */
export function codingOf(contentEncoding: string | undefined): string | null {
  const codings = (contentEncoding ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length === 0) return null
  return codings.every((coding) => known.has(coding)) ? codings.join(', ') : 'something else'
}
