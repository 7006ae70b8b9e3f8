// platform/network/outbound-headers.ts: the headers that a fleet file may add to an outbound request. Those that frame
// the message are refused at load: a second one would make two requests of one.

import { OpenOrSecret } from '../schema.ts'
import { Type } from '../schema-type.ts'

const OWN_HEADERS = new Set(['connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te'])

export const OutboundHeaders = Type.Refine(
  Type.Record(Type.String({ pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$" }), OpenOrSecret, {
    additionalProperties: false,
    description: 'Headers to send, each an open string or { credential: NAME }.',
  }),
  (headers) => Object.keys(headers).every((name) => !OWN_HEADERS.has(name.toLowerCase())),
  () => `must not set ${[...OWN_HEADERS].join(', ')}: they are set by the service itself`,
)
