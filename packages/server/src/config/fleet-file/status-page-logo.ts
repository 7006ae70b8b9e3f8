// config/fleet-file/status-page-logo.ts: judges the logo of a status page. Its bytes are served to everybody from the address of
// the page, so a picture that could run, load or include anything is refused. It is served under a policy that forbids the
// same, and shown as an image, which browsers never run: this is the first of three defences.

/** Of the file. */
export const longestLogoBytes = 65_536
/** A browser decodes a picture as a whole, however small its file is. */
const mostPixelsPerSide = 4_096

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** Why it cannot be a logo; null if it can. */
export function logoProblem(type: string, bytes: Buffer): string | null {
  if (bytes.length > longestLogoBytes)
    return `is larger than ${longestLogoBytes / 1_024} KiB; make it smaller.`
  return type === 'image/png' ? pngProblem(bytes) : svgProblem(bytes.toString('utf8'))
}

function pngProblem(bytes: Buffer): string | null {
  const isPng = bytes.subarray(0, 8).equals(pngSignature) && bytes.toString('latin1', 12, 16) === 'IHDR'
  if (!isPng || bytes.length < 33) return 'is not a PNG.'
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  if (width === 0 || height === 0 || width > mostPixelsPerSide || height > mostPixelsPerSide)
    return `has ${width} by ${height} pixels; at most ${mostPixelsPerSide} by ${mostPixelsPerSide} are shown.`
  return null
}

/** Elements that run, load or hold something else than a picture. */
const refusedElements =
  /<\s*(?:[\w-]+:)?(script|foreignObject|iframe|embed|object|audio|video|canvas|handler|listener|link|meta|base)\b/i
const refused: readonly (readonly [RegExp, string])[] = [
  [/<!(?:DOCTYPE|ENTITY)/i, 'has a document type, which may name other files'],
  [/<\?(?!xml\s)/i, 'has a processing instruction, which may load other files'],
  [/[\s"'/]on\w+\s*=/i, 'has an event handler'],
  [/&#|&(?!(?:amp|lt|gt|quot|apos);)/i, 'has entities other than those of XML'],
  [/javascript\s*:/i, 'has a script in an address'],
  [/@import|\\[0-9a-f]/i, 'has a style that may load other files'],
  [/attributeName\s*=\s*["']?\s*(?:[\w-]+:)?(?:href|on)/i, 'animates an address or an event handler'],
]

function svgProblem(text: string): string | null {
  if (text.includes('\ufffd') || text.includes('\u0000')) return 'is not text in UTF-8, as an SVG is.'
  if (!/^\ufeff?\s*(?:<\?xml\s[^>]*\?>\s*)?(?:<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(text))
    return 'is not an SVG: it does not begin with the element svg.'
  const element = refusedElements.exec(text)?.[1]
  if (element !== undefined) return `has the element ${element}; a logo is a picture and nothing else.`
  for (const [pattern, what] of refused)
    if (pattern.test(text)) return `${what}; a logo is a picture and nothing else.`
  return foreignAddress(text)
}

/** Only parts of itself, and pictures that are inside of it. */
function foreignAddress(text: string): string | null {
  const addresses = [
    ...text.matchAll(/(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*))/gi),
    ...text.matchAll(/url\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*))\s*\)/gi),
  ]
  for (const [, ...alternatives] of addresses) {
    const address = alternatives.find((one) => one !== undefined)?.trim() ?? ''
    if (!/^(?:#|data:image\/(?:png|jpeg|gif|webp);base64,)/i.test(address))
      return 'refers to another file or host; a logo is complete in itself.'
  }
  return null
}
