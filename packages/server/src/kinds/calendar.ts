// kinds/calendar.ts: the kind Calendar: an iCalendar feed of a schedule, found by the digest of its key.
import { missingOne } from './field-error.ts'
import { idErrors } from './judging.ts'
import { defineKind } from './kind.ts'
import { keysOfKind } from './references.ts'

export const calendarKind = defineKind<'Calendar'>({
  names: ({ scheduleRef, personRef }) => [
    ...keysOfKind('Schedule', [scheduleRef]),
    ...keysOfKind('Person', personRef === undefined ? [] : [personRef]),
  ],
  judge:
    () =>
    ({ metadata, spec: { scheduleRef, personRef } }, around) => [
      ...idErrors(metadata),
      ...missingOne(around, 'Schedule', scheduleRef, '/spec/scheduleRef'),
      ...missingOne(around, 'Person', personRef, '/spec/personRef'),
    ],
})
