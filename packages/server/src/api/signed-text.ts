// api/signed-text.ts: a few short parts as one opaque text that only the store that gave it takes back. It names the store
// and is signed with the store's key, together with everything that it must not be used apart from.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { StoreIdentity } from '../store/store.ts'

/** Parts that may be told apart by dots. */
const partForm = /^[0-9A-Za-z_-]*$/
/** 132 bits. */
const signatureLength = 22

export type Opened =
  | { readonly parts: readonly string[] }
  /** Not ours, or not for this use; or ours in every respect but the store. */
  | { readonly refused: 'unknown' | 'other store' }

export class SignedText {
  readonly #version: string
  readonly #store: string
  readonly #key: Uint8Array

  /** Texts of another version are unknown to this one. */
  constructor(version: string, { id, key }: StoreIdentity) {
    this.#version = version
    this.#store = id.replaceAll('-', '').slice(-12)
    this.#key = key
  }

  write(parts: readonly string[], use: readonly unknown[]): string {
    const plain = [this.#version, this.#store, ...parts].join('.')
    return Buffer.from(`${plain}.${this.#sign(plain, use)}`).toString('base64url')
  }

  /** The parts, when it was written with as many and for the same use. */
  read(text: string, partCount: number, use: readonly unknown[]): Opened {
    const bytes = Buffer.from(text, 'base64url')
    // Decoding skips what is not base64url.
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
