// import/goalert/policies.ts: the escalation policies of GoAlert.
import { carryDestination } from '../destination.ts'
import { asDuration } from '../durations.ts'
import { Fields, noCounterpart } from '../fields.ts'
import { type FleetDraft, NotCarried } from '../fleet-draft.ts'
import { destinationOf, destinationTable } from './destinations.ts'
import type { People } from './people.ts'
import type { Rotations } from './rotations.ts'
import { ScheduleDraft } from './schedule-draft.ts'
import type { Schedules } from './schedules.ts'

const mostSteps = 32
const mostRecipients = 32
const mostRepeats = 5
const minuteMs = 60_000
const usualDelayMinutes = 5

interface Sources {
  readonly schedules: Schedules
  readonly rotations: Rotations
  readonly people: People
}

type Recipient = Readonly<Record<string, string>>

interface StepDraft {
  readonly notify: readonly Recipient[]
  waitMinutes: number
}

export function readPolicies(policies: readonly Fields[], sources: Sources, draft: FleetDraft): void {
  for (const fields of policies)
    draft.carry(fields, () => {
      fields.pass('id', 'name', 'description')
      const steps = readSteps(fields, sources, draft)
      if (steps.length === 0) throw new NotCarried('steps', 'none of them tells anyone who is carried over')
      const wished = fields.number('repeat') ?? 0
      const repeat = Math.min(Math.max(Math.round(wished), 0), mostRepeats)
      if (repeat !== wished) fields.note('repeat', `is set to ${repeat}, the nearest that is allowed`)
      draft.policy(fields.subject, {
        steps: steps.map(({ notify, waitMinutes }) => ({ notify, wait: asDuration(waitMinutes * minuteMs) })),
        ...(repeat === 0 ? {} : { repeat }),
      })
    })
}

function readSteps(policy: Fields, sources: Sources, draft: FleetDraft): StepDraft[] {
  const inOrder = policy
    .items('steps')
    .map((fields, index) => ({ fields, number: fields.number('stepNumber') ?? index }))
    .sort((one, other) => one.number - other.number)
  const steps: StepDraft[] = []
  for (const { fields } of inOrder) {
    fields.pass('id')
    fields.refuse(noCounterpart, 'multiAck')
    const waitMinutes = Math.max(0, fields.number('delayMinutes') ?? usualDelayMinutes)
    const notify = fields.items('actions').flatMap((action) => recipientsOf(action, sources, draft))
    const distinct = [...new Map(notify.map((one) => [JSON.stringify(one), one])).values()]
    if (distinct.length > mostRecipients)
      fields.note('actions', `are more than ${mostRecipients}; the others are left out`)
    const before = steps.at(-1)
    if (distinct.length > 0) steps.push({ notify: distinct.slice(0, mostRecipients), waitMinutes })
    else {
      fields.note('', 'is left out: nothing that it tells is carried over')
      if (before !== undefined) before.waitMinutes += waitMinutes
    }
  }
  if (steps.length > mostSteps) policy.note('steps', `are more than ${mostSteps}; the others are left out`)
  return steps.slice(0, mostSteps)
}

function recipientsOf(action: Fields, sources: Sources, draft: FleetDraft): Recipient[] {
  const { type, args } = destinationOf(action)
  const id = (key: string) => (typeof args[key] === 'string' ? args[key] : '')
  const found =
    type === 'builtin-user'
      ? named('person', sources.people.get(id('user_id')))
      : type === 'builtin-schedule'
        ? scheduled(sources.schedules.get(id('schedule_id')))
        : type === 'builtin-rotation'
          ? scheduled(scheduleOfRotation(id('rotation_id'), sources, draft))
          : named('endpoint', endpointOf(type, args, action.subject, draft))
  if (found.length === 0) action.note('', 'is not carried over: what it tells is not')
  return found
}

function named(key: 'person' | 'endpoint', name: string | null | undefined): Recipient[] {
  return name === null || name === undefined ? [] : [{ [key]: name }]
}

/** A chat channel or a webhook. */
function endpointOf(
  type: string,
  args: Record<string, unknown>,
  policy: string,
  draft: FleetDraft,
): string | null {
  const name = `${policy} ${type.replace(/^builtin-/, '')}`
  const fields = new Fields(args, name, draft.notes)
  return carryDestination(draft, destinationTable(new Map()), { name, type, fields })
}

function scheduled(schedule: ScheduleDraft | null | undefined): Recipient[] {
  return schedule?.ids.map((id) => ({ schedule: id })) ?? []
}

/** A step may name a rotation; here it names a schedule that has only this rotation. */
function scheduleOfRotation(
  id: string,
  { schedules, rotations }: Sources,
  draft: FleetDraft,
): ScheduleDraft | null {
  const key = `rotation ${id}`
  const known = schedules.get(key)
  if (known !== undefined) return known
  const rotation = rotations.named(id)
  const layer = rotation === undefined ? null : rotations.layer(id, rotation.timezone)
  if (rotation === undefined || layer === null) return null
  const schedule = new ScheduleDraft(rotation.name, rotation.timezone, draft)
  schedule.add(layer, null)
  schedules.set(key, schedule)
  return schedule
}
