// api/request-path.ts: what a request asks for. A path is decoded once, here, so that whoever judges it and whoever
// answers it see the same one.

export interface RequestTarget {
  /** Decoded, but for a slash that was sent as %2F and therefore separates nothing. As it came, when it cannot be decoded. */
  readonly path: string
  /** Decoded; the first is what stands before the first slash. Null when the path cannot be decoded. */
  readonly segments: readonly string[] | null
  /** Behind the question mark, as it came. */
  readonly search: string
}

/** Proxies may send the whole URL instead of its path. */
const absolute = /^https?:\/\/([^/?#]*)/i

export function readTarget(url: string): RequestTarget {
  const mark = url.indexOf('?')
  const search = mark === -1 ? '' : url.slice(mark + 1)
  const [origin = '', authority] = absolute.exec(url) ?? []
  const [path = ''] = url.slice(origin.length).split(/[?#]/, 1)
  const isSound = authority === undefined || (authority !== '' && URL.canParse(url))
  if (isSound && !path.includes('%')) return { path, segments: path.split('/'), search }
  const segments = isSound ? decoded(path) : null
  const shown = segments?.map((segment) => segment.replaceAll('/', '%2F')).join('/')
  return { path: shown ?? path, segments, search }
}

function decoded(path: string): string[] | null {
  try {
    return path.split('/').map((segment) => decodeURIComponent(segment))
  } catch {
    return null
  }
}

export function isV2(path: string): boolean {
  return path.startsWith('/api/v2/') || path === '/api/v2'
}
