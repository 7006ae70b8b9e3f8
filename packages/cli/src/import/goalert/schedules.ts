// import/goalert/schedules.ts: the schedules of GoAlert: targets with rules become layers with hours.
import type { Fields } from '../fields.ts'
import { type FleetDraft, NotCarried } from '../fleet-draft.ts'
import { zoneOf } from './local-moments.ts'
import type { People } from './people.ts'
import type { LayerDraft, Rotations } from './rotations.ts'
import { hoursOf } from './rules.ts'
import { ScheduleDraft } from './schedule-draft.ts'

/** By the id that GoAlert gives them. */
export type Schedules = Map<string, ScheduleDraft>

export function readSchedules(
  schedules: readonly Fields[],
  rotations: Rotations,
  people: People,
  draft: FleetDraft,
): Schedules {
  const read: Schedules = new Map()
  for (const fields of schedules)
    draft.carry(fields, () => {
      const timezone = zoneOf(fields)
      if (timezone === null) throw new NotCarried('timeZone', 'it is not a time zone')
      fields.pass('name', 'description', 'temporarySchedules')
      const schedule = new ScheduleDraft(fields.subject, timezone, draft)
      for (const target of fields.items('targets')) addTarget(target, schedule, rotations, people)
      if (schedule.ids.length === 0) throw new NotCarried('targets', 'none of them can be carried over')
      if (schedule.ids.length > 1)
        fields.note(
          'targets',
          'overlap: there is a schedule for each of those who are on call at the same time, and policies tell all of them',
        )
      read.set(fields.text('id') ?? '', schedule)
    })
  return read
}

function addTarget(target: Fields, schedule: ScheduleDraft, rotations: Rotations, people: People): void {
  const named = target.fields('target')
  const [id, type] = [named?.text('id') ?? '', named?.text('type')]
  target.pass('scheduleID')
  named?.pass('name')
  const hours = hoursOf(target)
  const layer = layerOf(id, type, schedule.timezone, rotations, people)
  if (layer === null)
    target.note('target', 'is not carried over: it is neither a person nor a rotation that is')
  else if (hours?.length === 0) target.note('rules', 'never hold; the target is not carried over')
  else if (!schedule.add(layer, hours)) target.note('rules', 'are too many; the target is not carried over')
}

function layerOf(
  id: string,
  type: string | undefined,
  timezone: string,
  rotations: Rotations,
  people: People,
): LayerDraft | null {
  if (type === 'rotation') return rotations.layer(id, timezone)
  const person = type === 'user' ? people.get(id) : undefined
  return person === undefined ? null : rotations.of(person)
}
