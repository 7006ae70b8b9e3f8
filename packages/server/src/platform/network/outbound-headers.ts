// platform/network/outbound-headers.ts: the headers that a configuration may add to a request, the same for
// every driver that sends any. Headers that frame the message are refused: a second one could split one
// request into two. So is a value that no header can hold, even if it comes from a credential.
import { OpenOrSecretLine } from '../schema.ts'
import { Type } from '../schema-type.ts'

export const HEADER_NAME = "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$"

const FRAMING = ['connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te']

interface HeaderRules {
  readonly description: string
  /** Headers that the configuration must not set, and the words that say so. */
  readonly own?: RegExp
  readonly refusal: string
}

export function headersWith({ description, own = framing, refusal }: HeaderRules) {
  return Type.Refine(
    Type.Record(Type.String({ pattern: HEADER_NAME }), OpenOrSecretLine, {
      additionalProperties: false,
      description,
    }),
    (headers) => Object.keys(headers).every((name) => !own.test(name)),
    () => refusal,
  )
}

const framing = new RegExp(`^(${FRAMING.join('|')})$`, 'i')
export const FRAMING_REFUSED = `must not set ${FRAMING.join(', ')}`

export const OutboundHeaders = headersWith({
  description: 'Headers to send, each an open string or { credential: NAME }.',
  refusal: `${FRAMING_REFUSED}: they are set by the service itself`,
})

/** The value in the form that Node needs: Node writes one byte per character, and refuses larger characters. */
export function inUtf8(value: string): string {
  return Buffer.from(value).toString('latin1')
}
