// import/goalert/overrides.ts: overrides and temporary schedules of GoAlert, as overrides of a schedule.
import type { Fields } from '../fields.ts'
import type { Nodes } from './answer.ts'
import { momentOf } from './local-moments.ts'
import type { People } from './people.ts'
import type { ScheduleDraft, Span } from './schedule-draft.ts'
import type { Schedules } from './schedules.ts'

export function readOverrides(nodes: Nodes, schedules: Schedules, people: People): void {
  // A temporary schedule counts before overrides.
  for (const fields of nodes.schedules) {
    const schedule = schedules.get(fields.text('id') ?? '')
    if (schedule !== undefined) readTemporary(fields, schedule, people)
  }
  for (const fields of nodes.userOverrides) {
    const target = fields.fields('target')
    const schedule = schedules.get(target?.text('id') ?? '')
    target?.pass('type', 'name')
    fields.pass('id')
    const why = schedule === undefined ? 'its schedule is not' : readOverride(fields, schedule, people)
    if (why === null) fields.close()
    else fields.note('override', `is not carried over: ${why}`)
  }
}

/** Why it is not carried over; null if it is. */
function readOverride(fields: Fields, schedule: ScheduleDraft, people: People): string | null {
  const span = spanOf(fields)
  const [added, removed] = [fields.text('addUserID'), fields.text('removeUserID')]
  if (span === null) return 'it does not begin and end at times'
  if (removed === undefined) return 'it adds a person, and a schedule here has one at a time'
  if (added === undefined) return 'it removes a person without another in their place'
  const [person, replaced] = [people.get(added), people.get(removed)]
  if (person === undefined || replaced === undefined) return 'one of its people is not'
  return schedule.replace(span, replaced, person)
    ? null
    : 'the person whom it replaces is not on call then, or another override holds'
}

function readTemporary(fields: Fields, schedule: ScheduleDraft, people: People): void {
  for (const temporary of fields.items('temporarySchedules')) {
    temporary.pass('start', 'end')
    fields.note(
      'temporarySchedules',
      'are carried over as overrides: outside of their shifts the layers hold',
    )
    for (const shift of temporary.items('shifts')) {
      const [span, person] = [spanOf(shift), people.get(shift.text('userID') ?? '')]
      shift.pass('user', 'truncated')
      if (span === null || person === undefined || !schedule.override(span, person))
        shift.note('', 'is not carried over: its person or its time is not known, or others have that time')
    }
    temporary.close()
  }
}

function spanOf(fields: Fields): Span | null {
  const [fromMs, toMs] = [momentOf(fields.take('start')), momentOf(fields.take('end'))]
  return fromMs === null || toMs === null || fromMs >= toMs ? null : { fromMs, toMs }
}
