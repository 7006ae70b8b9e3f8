// checks/http/config.ts: what a fleet file may say about an http check. Mistakes that can be seen without the
// network (a malformed URL, a header that the check must write itself) are refused at load.
import type { Static } from 'typebox'
import { FRAMING_REFUSED, headersWith } from '../../platform/network/outbound-headers.ts'
import {
  closed,
  Duration,
  HttpUrl,
  OneLineSecret,
  OpenOrSecret,
  OpenOrSecretLine,
  oneOf,
} from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { tlsOptions } from '../../platform/tls/tls-options.ts'
import { expectation } from './expectation.ts'

export const DEFAULT_MAX_BODY_BYTES = 1_048_576
export const MAX_REDIRECTS = 5

const RequestHeaders = headersWith({
  description:
    'Headers to send, each an open string or { credential: NAME }. They never follow a redirect elsewhere.',
  refusal: `${FRAMING_REFUSED}: the check sets them itself`,
})

const Url = Type.Refine(
  HttpUrl,
  (url) => URL.canParse(url),
  () => 'must be an http or https URL with a valid host and port',
)

const BasicAuth = closed(
  { username: OpenOrSecretLine, password: OneLineSecret },
  { description: 'A user name and a password, sent with every request.' },
)

export const httpConfig = closed({
  url: Url,
  method: Type.Optional(
    oneOf(
      ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
      'The method; GET unless there is a body, then POST.',
    ),
  ),
  headers: Type.Optional(RequestHeaders),
  body: Type.Optional(Type.Unsafe<string>({ ...OpenOrSecret, description: 'The body to send.' })),
  auth: Type.Optional(
    Type.Union([closed({ basic: BasicAuth }), closed({ bearer: OneLineSecret })], {
      description: 'Basic or bearer authentication; it never follows a redirect to another origin.',
    }),
  ),
  expect: Type.Optional(expectation),
  max_latency: Type.Optional(
    Type.Unsafe<string>({
      ...Duration,
      description: 'A good answer that takes longer is a success with a warning.',
    }),
  ),
  redirects: Type.Optional(
    closed(
      {
        follow: Type.Optional(
          Type.Boolean({
            default: false,
            description: 'Whether redirects are followed. Never from https to http.',
          }),
        ),
        max: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: MAX_REDIRECTS,
            default: MAX_REDIRECTS,
            description: 'How many redirects are followed in a row.',
          }),
        ),
      },
      { description: 'By default a redirect is not followed: it is an answer with a status like any other.' },
    ),
  ),
  tls: Type.Optional(tlsOptions),
  http_version: Type.Optional(
    oneOf(['1.0', '1.1', '2'], 'The protocol version. Version 2 over http is by prior knowledge.', {
      default: '1.1',
    }),
  ),
  proxy: Type.Optional(
    Type.Unsafe<string>({
      ...OpenOrSecret,
      description:
        'An http:// URL of a proxy, with user info if it needs a login (then as a credential): CONNECT for https, ' +
        'absolute form for http. The proxy resolves the name of the target.',
    }),
  ),
  family: Type.Optional(
    oneOf(['any', 'ipv4', 'ipv6'], 'Which addresses of the host are tried.', { default: 'any' }),
  ),
  max_body_bytes: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 16_777_216,
      default: DEFAULT_MAX_BODY_BYTES,
      description: 'How much of a body is read, also after decoding.',
    }),
  ),
})

export type HttpConfig = Static<typeof httpConfig>
