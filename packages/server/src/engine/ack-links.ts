// engine/ack-links.ts: the token of a link by which a person acknowledges a page: signed with the key of the store, for one
// page and one person. It says when it was made; whether the page is still open is for others to know.
import { SignedText, type Signer } from '../platform/signed-text.ts'

/** Where such links lead; the token follows. */
export const ackPath = '/ack/'

const lifetimeMs = 24 * 3_600_000
const partCount = 3
const use = ['acknowledge a page'] as const

export interface AckClaim {
  readonly page: string
  readonly person: string
}

export type ReadAckLink = AckClaim | { readonly refused: 'unknown' | 'other store' | 'expired' }

export class AckLinks {
  readonly #texts: SignedText

  constructor(store: Signer) {
    this.#texts = new SignedText('a1', store)
  }

  write({ page, person }: AckClaim, atMs: number): string {
    const encoded = Buffer.from(person).toString('base64url')
    return this.#texts.write([page, encoded, Math.floor(atMs / 1_000).toString(36)], use)
  }

  read(token: string, nowMs: number): ReadAckLink {
    const opened = this.#texts.read(token, partCount, use)
    if ('refused' in opened) return opened
    const [page = '', person = '', madeAt = ''] = opened.parts
    if (nowMs - Number.parseInt(madeAt, 36) * 1_000 > lifetimeMs) return { refused: 'expired' }
    return { page, person: Buffer.from(person, 'base64url').toString() }
  }
}
