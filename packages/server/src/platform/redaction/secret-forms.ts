// platform/redaction/secret-forms.ts: the texts by which a secret gives itself away that no decoding of a sentence
// turns back into it: in base64 it depends on what stands before it, and in hexadecimal anything looks like anything.
import { onOneLine } from '../wording.ts'

/** Fewer characters of base64, and fewer bytes in hexadecimal, stand in any sentence by chance. */
const MIN_CORE_LENGTH = 4
const MIN_HEX_BYTES = 4

export interface SecretForms {
  readonly whole: readonly string[]
  /** What is always seen of it in base64, whatever stands around it there. */
  readonly cores: readonly string[]
}

export function formsOf(secrets: readonly string[]): SecretForms {
  const values = secrets.flatMap((secret) => [secret, onOneLine(secret), ...passwordsIn(secret)])
  const whole = new Set<string>()
  const cores = new Set<string>()
  for (const value of values) {
    if (value === '' || whole.has(value)) continue
    const bytes = Buffer.from(value)
    whole.add(value).add(bytes.toString('base64')).add(bytes.toString('base64url'))
    const hex = bytes.length >= MIN_HEX_BYTES ? bytes.toString('hex') : ''
    if (hex !== '') whole.add(hex).add(hex.toUpperCase())
    for (const core of coresOf(bytes)) {
      cores.add(core).add(core.replaceAll('+', '-').replaceAll('/', '_'))
    }
  }
  return { whole: [...whole], cores: [...cores] }
}

/** The password of a secret that is a URL, which the other side sees by itself. */
function passwordsIn(secret: string): string[] {
  const password = secret.includes('@') ? (URL.parse(secret)?.password ?? '') : ''
  if (password === '') return []
  try {
    return [password, decodeURIComponent(password)]
  } catch {
    // A stray percent sign stands for itself.
    return [password]
  }
}

/** As in `Basic base64(user:password)`: one text for each of the three ways to fall into groups of three bytes. */
function coresOf(bytes: Buffer): string[] {
  const cores = [0, 1, 2].map((before) => {
    const padded = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const bits = (before + bytes.length) * 8
    return padded.slice(Math.ceil((before * 8) / 6), Math.floor(bits / 6))
  })
  return cores.filter((core) => core.length >= MIN_CORE_LENGTH)
}
