// vault/key-ring.ts: the keys that wrap the data keys of sealed values, as the key file holds them: one key
// per line, the first is current. A line ends with the id of its key, which is also its checksum, so that a
// damaged line is distinguished from a valid but wrong key. A ring is immutable, and its keys never appear in
// an error, log or inspection.
import { createSecretKey, hash, type KeyObject, randomBytes } from 'node:crypto'
import { inspect } from 'node:util'

const keyBytes = 32
const lineForm = /^pwkey1\.([\w-]{43})\.([0-9a-f]{16})$/

/** Why a text is not a ring: it has no lines, or this line (from 1) is not a complete key. */
export class RingMistake {
  readonly line: number | null
  constructor(line: number | null) {
    this.line = line
  }
}

export class KeyRing {
  /** In the order of the file. */
  readonly #keys: ReadonlyMap<string, KeyObject>
  readonly currentId: string

  private constructor(currentId: string, keys: ReadonlyMap<string, KeyObject>) {
    this.currentId = currentId
    this.#keys = keys
  }

  /** A ring of one new key. */
  static generate(): KeyRing {
    const [id, key] = newKey()
    return new KeyRing(id, new Map([[id, key]]))
  }

  /** A repeated key counts once. Blank lines and Windows line ends are accepted: people copy keys. */
  static parse(text: string): KeyRing | RingMistake {
    const keys = new Map<string, KeyObject>()
    for (const [index, line] of text.split('\n').entries()) {
      if (line.trim() === '') continue
      const found = keyIn(line.trim())
      if (found === null) return new RingMistake(index + 1)
      if (!keys.has(found[0])) keys.set(...found)
    }
    const [currentId] = keys.keys()
    return currentId === undefined ? new RingMistake(null) : new KeyRing(currentId, keys)
  }

  /** The current key comes first. */
  get ids(): readonly string[] {
    return [...this.#keys.keys()]
  }

  keyOf(id: string): KeyObject | null {
    return this.#keys.get(id) ?? null
  }

  withNewKey(): KeyRing {
    const [id, key] = newKey()
    return new KeyRing(id, new Map([[id, key], ...this.#keys]))
  }

  onlyCurrent(): KeyRing {
    const current = [...this.#keys].filter(([id]) => id === this.currentId)
    return new KeyRing(this.currentId, new Map(current))
  }

  /** This ring plus the keys of an earlier one, which it can then open; its own keys come first. */
  retaining(earlier: KeyRing): KeyRing {
    return new KeyRing(this.currentId, new Map([...this.#keys, ...earlier.#keys]))
  }

  equals(other: KeyRing): boolean {
    return this.ids.join() === other.ids.join()
  }

  /** The content of the key file: the keys in plain text. */
  fileText(): string {
    return [...this.#keys].map(([id, key]) => `pwkey1.${key.export().toString('base64url')}.${id}\n`).join('')
  }

  [inspect.custom](): string {
    return `KeyRing { ${this.ids.join(', ')} }`
  }
}

function newKey(): [id: string, key: KeyObject] {
  return identified(randomBytes(keyBytes))
}

function keyIn(line: string): [id: string, key: KeyObject] | null {
  const [, encoded = '', id] = lineForm.exec(line) ?? []
  const bytes = Buffer.from(encoded, 'base64url')
  // The last character has two bits that decoding ignores.
  if (bytes.length !== keyBytes || bytes.toString('base64url') !== encoded) return null
  const found = identified(bytes)
  return found[0] === id ? found : null
}

function identified(bytes: Buffer): [id: string, key: KeyObject] {
  const id = hash('sha256', bytes, 'hex').slice(0, 16)
  const key = createSecretKey(bytes)
  bytes.fill(0)
  return [id, key]
}
