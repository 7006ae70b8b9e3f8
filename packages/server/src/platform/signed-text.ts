// platform/signed-text.ts: packs a few short parts into one opaque text that only the issuing store accepts. It
// names the store and is signed with the store's key, together with the context that it is valid for.
import { createHmac, timingSafeEqual } from 'node:crypto'

/** Parts can be separated by dots. */
const partForm = /^[0-9A-Za-z_-]*$/
/** 132 bits. */
const signatureLength = 22

/** Whose texts they are. */
export interface Signer {
  readonly id: string
  readonly key: Uint8Array
}

export type Opened =
  | { readonly parts: readonly string[] }
  /** Not issued by us or not for this use; or valid except that another store issued it. */
  | { readonly refused: 'unknown' | 'other store' }

export class SignedText {
  readonly #version: string
  readonly #store: string
  readonly #key: Uint8Array

  /** A text of another version is refused as unknown. */
  constructor(version: string, { id, key }: Signer) {
    this.#version = version
    this.#store = id.replaceAll('-', '').slice(-12)
    this.#key = key
  }

  write(parts: readonly string[], use: readonly unknown[]): string {
    const plain = [this.#version, this.#store, ...parts].join('.')
    return Buffer.from(`${plain}.${this.#sign(plain, use)}`).toString('base64url')
  }

  /** The parts, if the text was written with that many and for the same use. */
  read(text: string, partCount: number, use: readonly unknown[]): Opened {
    const bytes = Buffer.from(text, 'base64url')
    // The decoder skips characters that are not base64url.
    if (bytes.toString('base64url') !== text) return { refused: 'unknown' }
    const [version, store = '', ...rest] = bytes.toString('latin1').split('.')
    const signature = rest.pop() ?? ''
    const isOfThisForm =
      version === this.#version &&
      rest.length === partCount &&
      [store, ...rest].every((part) => partForm.test(part))
    if (!isOfThisForm || signature.length !== signatureLength) return { refused: 'unknown' }
    if (store !== this.#store) return { refused: 'other store' }
    const right = this.#sign([version, store, ...rest].join('.'), use)
    const isOurs = timingSafeEqual(Buffer.from(right), Buffer.from(signature, 'latin1'))
    return isOurs ? { parts: rest } : { refused: 'unknown' }
  }

  #sign(plain: string, use: readonly unknown[]): string {
    const text = JSON.stringify([plain, ...use])
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, signatureLength)
  }
}
