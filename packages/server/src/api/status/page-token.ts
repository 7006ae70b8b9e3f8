// api/status/page-token.ts: whether a request has a token of a page: as a bearer, as Statuspage clients send it (OAuth), or as the
// password of Basic authentication, for which browsers ask without a script and without a cookie. Only digests are known
// here, so the time of a comparison tells nothing about a token.
import { createHash } from 'node:crypto'

/** Longer than every token. */
const longestHeader = 1_024

export function opens(tokenDigests: readonly string[], authorization: string | undefined): boolean {
  const token = tokenIn(authorization ?? '')
  return token !== null && tokenDigests.includes(createHash('sha256').update(token).digest('hex'))
}

function tokenIn(authorization: string): string | null {
  if (authorization.length > longestHeader) return null
  const [, scheme = '', value = ''] = /^(\w+) +([^ ]+) *$/.exec(authorization) ?? []
  switch (scheme.toLowerCase()) {
    case 'bearer':
    case 'oauth':
      return value
    case 'basic': {
      const pair = Buffer.from(value, 'base64').toString('utf8')
      const colon = pair.indexOf(':')
      return colon === -1 ? null : pair.slice(colon + 1)
    }
    default:
      return null
  }
}
