// v2/wire/problem.ts: an error as RFC 9457 problem+json, with the members that v2 adds.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { text, wireType } from './wire-type.ts'

export const FieldError = wireType('FieldError', 'What is wrong with one field.', {
  field: text(
    'A JSON pointer into the body, such as /spec/check/interval, or the name of a parameter or a header. Empty for the whole body.',
  ),
  reason: Type.Optional(text('A stable word for it, such as required, unknownField or duplicateKey.')),
  message: text(
    'What is wrong and what to do, to follow the field. Shows names, times and durations; never options of drivers or values of credentials.',
  ),
})

export const Problem = wireType('Problem', 'Why a request was not answered.', {
  type: Type.Optional(text('urn:pulseward:problem: and the code.')),
  title: Type.Optional(text('The kind of problem in words.')),
  status: Type.Optional(
    Type.Integer({ minimum: 400, maximum: 599, description: 'The status of the answer.' }),
  ),
  detail: Type.Optional(text('What happened this time, in words and without secrets.')),
  instance: Type.Optional(text('A URI of this occurrence.')),
  requestID: Type.Optional(text('The X-Request-ID of the answer.')),
  operationID: Type.Optional(text('The X-Operation-ID of the answer.')),
  code: Type.Optional(Type.String({ pattern: '^[a-z][A-Za-z_]*$', description: 'A stable code.' })),
  errors: Type.Optional(
    Type.Array(FieldError, {
      maxItems: limits.problemErrors,
      description: `Everything that is wrong, field by field: the first ${limits.problemErrors}.`,
    }),
  ),
  active: Type.Optional(
    Type.Object(
      { name: text('The name of its machine.'), url: text('Where to ask instead.') },
      { description: 'The process that is active, from one that stands by and knows it.' },
    ),
  ),
})

export type FieldError = Static<typeof FieldError>
export type Problem = Static<typeof Problem>
