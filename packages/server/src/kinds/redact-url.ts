// kinds/redact-url.ts: removes user info and query values from URLs, in every notation that the parsers of
// our drivers accept. A URL that cannot be parsed may contain a secret anywhere: nothing of it is shown.
export const redactedText = '[REDACTED]'

const wholeUrl = /^[a-z][a-z0-9+.-]*:\/\//i
/** Matches only at the start of a word: a long text without any URL is scanned once. */
const urlWithin = /(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S+/gi
/** Parsers accept these without their slashes too. */
const specialUrl = /^(https?|wss?|ftp):/i
const parts = /^([^:]+:\/\/)([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?$/s

/** The text with the secrets of every URL in it redacted; unchanged if it has none. */
export function redactUrls(text: string): string {
  const read = asParsersRead(text)
  if (wholeUrl.test(read)) {
    const shown = redactUrl(read)
    return shown === read ? text : shown
  }
  if (specialUrl.test(read)) {
    const href = URL.parse(read)?.href
    const shown = href === undefined ? null : redactUrl(href)
    if (shown !== null && shown !== href) return shown
  }
  return text.replace(urlWithin, redactUrl)
}

export function isUrl(text: string): boolean {
  return wholeUrl.test(asParsersRead(text))
}

/** Parsers skip line ends and tabs anywhere, and leading spaces and control characters. */
function asParsersRead(text: string): string {
  return text.replace(/[\t\n\r]/g, '').replace(/^[\u0000-\u0020]+/, '')
}

function redactUrl(url: string): string {
  const [, scheme = '', authority = '', path = '', query = '', fragment = ''] = parts.exec(url) ?? []
  const parsed = URL.parse(url)
  if (parsed === null) return `${scheme}${redactedText}`
  // Parsers ignore extra slashes; their normalized form has the user info in its place.
  if (`${parsed.username}${parsed.password}` !== '' && !authority.includes('@')) return redactUrl(parsed.href)
  // The last @ ends the user info: parsers treat earlier ones as part of the password.
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  const user = host === authority ? '' : `${redactedText}@`
  const anchor = fragment.length > 1 ? `#${redactedText}` : fragment
  return `${scheme}${user}${host}${path}${redactQuery(query)}${anchor}`
}

/** Names stay. A value without a name may be a token by itself. */
function redactQuery(query: string): string {
  if (query.length <= 1) return query
  const shown = query
    .slice(1)
    .split('&')
    .map((part) => {
      const equals = part.indexOf('=')
      if (equals >= 0) return `${part.slice(0, equals)}=${redactedText}`
      return part === '' ? '' : redactedText
    })
  return `?${shown.join('&')}`
}
