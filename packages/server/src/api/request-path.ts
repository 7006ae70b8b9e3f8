// api/request-path.ts: the path of a request. It is decoded once, here, so that the code that authorizes a
// request and the code that answers it see the same path.

export interface RequestTarget {
  /** Decoded, except for slashes sent as %2F, which separate nothing. Unchanged if the path cannot be decoded. */
  readonly path: string
  /** Decoded; the first is the part before the first slash. Null if the path cannot be decoded. */
  readonly segments: readonly string[] | null
  /** The part after the question mark, undecoded. */
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
