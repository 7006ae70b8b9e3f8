// status-pages/page/markup.ts: text becomes markup only here, so that no name can be anything but text.

/** A text of people in which values that are markup stand: the text is escaped, and the values are not. */
export function textAround(write: (...places: string[]) => string, ...values: readonly string[]): string {
  const places = values.map((_, number) => String.fromCharCode(firstPlace + number))
  return escaped(write(...places)).replace(
    /[\ue000-\ue00f]/g,
    (place) => values[place.charCodeAt(0) - firstPlace] ?? '',
  )
}

/** Characters that mean nothing. */
const firstPlace = 0xe000

/** For HTML, SVG and XML, in text and in quoted attributes. Characters that XML does not allow are left out. */
export function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
