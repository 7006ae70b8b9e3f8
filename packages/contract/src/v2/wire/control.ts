// v2/wire/control.ts: what a person asks of an incident, a monitor or an action. The credential identifies
// the person, so the body does not.
import { type Static, Type } from 'typebox'
import { limits } from '../limits.ts'
import { reviewResolutions } from './action.ts'
import { duration, listing, oneOf, revision, text, textOfBytes, wireType } from './wire-type.ts'

const words = { maxBytes: limits.controlTextBytes }

/** Shared by single controls and controls of many monitors. */
export const controlWords = {
  reason: Type.Optional(
    textOfBytes('Why: at most 4,096 bytes. Required by dismiss, snooze, recover and review.', words),
  ),
  note: Type.Optional(textOfBytes('At most 4,096 bytes.', words)),
  duration: Type.Optional(duration('For a snooze: longer than 0s, at most 720h.')),
}

export const ControlRequest = wireType(
  'ControlRequest',
  'A control. Which fields apply, and which are required, depends on the control.',
  {
    revision: revision('Equal to If-Match without its quotes.'),
    ...controlWords,
    incidentID: Type.Optional(text('The incident that a recover is for.')),
    evidenceRefs: Type.Optional(
      listing(
        textOfBytes('A reference.', { minLength: 1, maxBytes: limits.evidenceEntryBytes }),
        'References to evidence of a review; never fetched.',
        { maxItems: limits.evidenceEntries },
      ),
    ),
    resolution: Type.Optional(oneOf(reviewResolutions, 'What a review found out.')),
  },
)

export const NoteRequest = wireType('NoteRequest', 'What people add to the record of an incident.', {
  text: textOfBytes('The note: not blank, at most 4,096 bytes. It is text, not markup.', {
    minLength: 1,
    maxBytes: limits.controlTextBytes,
  }),
})

export type NoteRequest = Static<typeof NoteRequest>
export type ControlRequest = Static<typeof ControlRequest>
