// checks/http/expectation.ts: what a fleet file may expect of a response: its status, its headers and its body.
import type { Static } from 'typebox'
import { HEADER_NAME } from '../../platform/network/outbound-headers.ts'
import { closed } from '../../platform/schema.ts'
import { Type } from '../../platform/schema-type.ts'
import { JSON_PATH_PATTERN } from './json-path.ts'
import { regexProblem } from './regex-cache.ts'

const StatusRange = Type.Refine(
  Type.String({
    pattern: '^[0-9]{3}-[0-9]{3}$',
    description: 'A range of statuses with both ends, such as 300-399.',
  }),
  (range) => range.slice(0, 3) <= range.slice(4),
  () => 'must be a range whose first status is not above its last',
)

const Regex = Type.Refine(
  Type.String({
    minLength: 1,
    maxLength: 1_000,
    description:
      'A regular expression that must match somewhere. JavaScript syntax without back references, look-around and ' +
      '\\p classes, so that every search takes linear time; the prefixes (?i), (?m) and (?s) set flags.',
  }),
  (source) => regexProblem(source) === null,
  (source) => `must be a regular expression that can be searched in linear time: ${regexProblem(source)}`,
)

const JsonAssertion = closed({
  path: Type.String({
    maxLength: 500,
    pattern: JSON_PATH_PATTERN,
    description:
      "Where the value is: $ with .name, ['name'] and [0] in any order, such as $.checks[0].status.",
  }),
  equals: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    description: 'The value that must be there, of the same type.',
  }),
})

const BodyExpectation = closed(
  {
    contains: Type.Optional(Type.String({ minLength: 1, description: 'Text that must be in the body.' })),
    not_contains: Type.Optional(
      Type.String({ minLength: 1, description: 'Text that must not be in the body.' }),
    ),
    regex: Type.Optional(Regex),
    json: Type.Optional(
      Type.Array(JsonAssertion, {
        minItems: 1,
        maxItems: 50,
        description: 'Values that must be in a JSON body.',
      }),
    ),
  },
  { description: 'What the body must hold. With it the whole body is read, up to max_body_bytes.' },
)

const HeaderExpectation = Type.Union(
  [
    Type.String({ description: 'The exact value.' }),
    closed({ contains: Type.String({ minLength: 1, description: 'Text that must be in the value.' }) }),
    closed({ regex: Regex }),
  ],
  { description: 'The exact value, or { contains: TEXT }, or { regex: EXPRESSION }.' },
)

export const expectation = closed(
  {
    status: Type.Optional(
      Type.Array(Type.Union([Type.Integer({ minimum: 100, maximum: 999 }), StatusRange]), {
        minItems: 1,
        maxItems: 50,
        default: ['200-299'],
        description: 'Statuses and ranges that are fine.',
      }),
    ),
    headers: Type.Optional(
      Type.Record(Type.String({ pattern: HEADER_NAME }), HeaderExpectation, {
        additionalProperties: false,
        description: 'Headers that must be there; of several with one name, one must match.',
      }),
    ),
    body: Type.Optional(BodyExpectation),
  },
  {
    description:
      'What makes an answer good. Without a body expectation the check ends with the head of the response.',
  },
)

export type Expectation = Static<typeof expectation>
