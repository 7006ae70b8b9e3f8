// checks/contract/secret-findings.ts: whether a text leaks a secret: whole or in part (quotations are
// truncated), in plain form or in one of the encodings that protocols use.

/** This many consecutive characters of a secret are not a coincidence. */
const PART_LENGTH = 8

export function revealsSecret(text: string, secrets: Iterable<string>): boolean {
  const readings = [text, ...decodedWords(text)].map(flat)
  for (const secret of secrets) {
    if (partsOf(flat(secret)).some((part) => readings.some((reading) => reading.includes(part)))) return true
  }
  return false
}

function* decodedWords(text: string): Generator<string> {
  for (const [word] of text.matchAll(/[\w+/=%-]{8,}/g)) {
    yield Buffer.from(word, 'base64').toString('latin1')
    yield Buffer.from(word, 'hex').toString('latin1')
    if (word.includes('%')) yield word.replace(/%([0-9a-f]{2})/gi, (_, hex) => decodeHex(hex))
  }
}

function decodeHex(hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16))
}

function partsOf(secret: string): string[] {
  if (secret.length <= PART_LENGTH) return [secret]
  return Array.from({ length: secret.length - PART_LENGTH + 1 }, (_, at) =>
    secret.slice(at, at + PART_LENGTH),
  )
}

/** Foreign text in a sentence has spaces in place of line breaks. */
function flat(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}
