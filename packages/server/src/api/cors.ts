// api/cors.ts: pages of other origins that may read the API. Off unless the settings name origins. Such a
// page may only read, and must send the token itself: cookies and browser logins are not allowed.
import { UsageError } from '../platform/usage-error.ts'

type Headers = Readonly<Record<string, string>>

const forAnswers: Headers = {
  'access-control-expose-headers': 'X-Request-ID, Retry-After, ETag',
}

const forQuestions: Headers = {
  'access-control-allow-methods': 'GET, HEAD',
  'access-control-allow-headers': 'Authorization, If-None-Match, Last-Event-ID, X-Request-ID',
  'access-control-max-age': '600',
}

export class AllowedOrigins {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    for (const text of origins) requireOrigin(text)
    this.#origins = new Set(origins)
  }

  get any(): boolean {
    return this.#origins.size > 0
  }

  /** The CORS headers of an answer; none for an origin that the settings do not name. */
  headersFor(origin: string | undefined): Headers {
    if (origin === undefined || !this.#origins.has(origin)) return {}
    return { 'access-control-allow-origin': origin, ...forAnswers }
  }

  /** The answer to a preflight request; null if the origin may not read. */
  preflightFor(origin: string | undefined): Headers | null {
    if (origin === undefined || !this.#origins.has(origin)) return null
    return { 'access-control-allow-origin': origin, ...forQuestions }
  }
}

function requireOrigin(text: string): void {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== text)
    throw new UsageError(
      `cors: "${text}" is not an origin; write scheme, host and port alone, such as https://status.example.`,
    )
}
