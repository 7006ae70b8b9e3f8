// notify/driver/url.ts: builds URLs of providers. Parts that come from configurations are encoded.

/** A path below a base URL, which may already have a path. */
export function under(base: string, ...segments: readonly string[]): string {
  return [base.replace(/\/+$/, ''), ...segments.map(encoded)].join('/')
}

// A colon needs no encoding within a path, and the tokens of some providers contain one.
function encoded(segment: string): string {
  return encodeURIComponent(segment.toWellFormed()).replaceAll('%3A', ':')
}

/** The URL with more in its query. A text that is not a URL is returned unchanged; sending reports it. */
export function withQuery(url: string, query: Readonly<Record<string, string>>): string {
  const parsed = URL.parse(url)
  if (parsed === null) return url
  for (const [name, value] of Object.entries(query)) parsed.searchParams.set(name, value)
  return parsed.href
}
