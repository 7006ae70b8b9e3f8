// v2/wire/control.ts: what a person asks of an incident, a monitor or an action. Who asks is known from the
// credential and has no place in the body.
import { type Static, Type } from 'typebox'
import { reviewResolutions } from './action.ts'
import { duration, listing, oneOf, revision, text, wireType } from './wire-type.ts'

const words = { maxLength: 4096 }

export const ControlRequest = wireType(
  'ControlRequest',
  'A control. Which fields apply, and which are required, depends on the control.',
  {
    revision: revision('Equal to If-Match without its quotes.'),
    reason: Type.Optional(
      text('Why: at most 4,096 bytes. Required by dismiss, snooze, recover and review.', words),
    ),
    note: Type.Optional(text('At most 4,096 bytes.', words)),
    duration: Type.Optional(duration('Of a snooze: more than nothing, at most 720h.')),
    incidentID: Type.Optional(text('The incident that a recover is for.')),
    evidenceRefs: Type.Optional(
      listing(
        Type.String({ minLength: 1, maxLength: 4096 }),
        'References to evidence of a review; never fetched.',
        {
          maxItems: 64,
        },
      ),
    ),
    resolution: Type.Optional(oneOf(reviewResolutions, 'What a review found out.')),
  },
)

export type ControlRequest = Static<typeof ControlRequest>
