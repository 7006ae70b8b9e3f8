// client/describing/on-call.ts: people, schedules and policies for people: who is on call and when, and what a policy does
// now.
import type { v2 } from '@pulseward/client'
import { counted } from '@pulseward/server'
import { plain } from '../plain-text.ts'
import { type Column, type Phrase, table } from '../table/block.ts'
import { exactMoment, listed, moment } from '../table/values.ts'
import { type Describe, ifReadable, known } from './description.ts'
import { ownFacts } from './destinations.ts'

const mostShifts = 20

export const describePerson: Describe<v2.Person> = async ({ metadata, spec, status }) => [
  known([
    ['Person', metadata.id],
    ['Name', metadata.name],
    ['Told on', listed(spec.endpointRefs)],
    ['Time zone', spec.timezone],
    ...ownFacts(metadata),
  ]),
  table(dutyColumns, status?.onCall ?? [], { heading: 'On call by', empty: 'They are not on call now.' }),
]

const dutyColumns: readonly Column<v2.OnCallDuty>[] = [
  { title: 'SCHEDULE', cell: ({ scheduleRef }) => plain(scheduleRef) },
  { title: 'UNTIL', cell: ({ until }) => moment(until) },
]

export const describeSchedule: Describe<v2.Schedule> = async (
  { metadata, spec, status },
  { client, options },
) => {
  const list = await ifReadable(client.getShifts({ id: metadata.id }, options))
  const shifts = list?.data.shifts ?? []
  const { personRef, name, until } = status?.onCall ?? {}
  return [
    known([
      ['Schedule', metadata.id],
      ['Name', metadata.name],
      ['On call', name ?? personRef ?? 'no person'],
      ['Until', moment(until)],
      ['Time zone', spec.timezone ?? 'UTC'],
      ['Layers', spec.layers.map(({ personRefs }) => personRefs.join(', ')).join('; ')],
      ...ownFacts(metadata),
    ]),
    table(shiftColumns, shifts.slice(0, mostShifts), {
      heading:
        shifts.length > mostShifts ? `The next ${mostShifts} shifts` : 'Shifts of the next eight weeks',
      empty: 'No shift is known.',
    }),
  ]
}

const shiftColumns: readonly Column<v2.Shift>[] = [
  { title: 'FROM', cell: ({ from }) => exactMoment(from) },
  { title: 'TO', cell: ({ to }) => exactMoment(to) },
  { title: 'ON CALL', cell: ({ name, personRef }) => plain(name ?? personRef ?? 'no person') },
  { title: 'BY', cell: ({ isOverride }) => (isOverride ? 'override' : null), dispensable: 1 },
]

export const describePolicy: Describe<v2.Policy> = async ({ metadata, spec, status }) => [
  known([
    ['Policy', metadata.id],
    ['Name', metadata.name],
    ['Repeats', spec.repeat ?? 0],
    ['Quiet hours', spec.quiet?.hours],
    ['Acknowledged', spec.ackTimeout === undefined ? null : `starts again after ${spec.ackTimeout}`],
    ...ownFacts(metadata),
  ]),
  table(stepColumns, [...spec.steps.entries()], { heading: 'Steps', empty: 'It has no steps.' }),
  table(pageColumns, status?.running ?? [], {
    heading: headingOf(status),
    empty: 'No page of it is running.',
  }),
]

function headingOf({ pages = 0, running = [] }: v2.PolicyStatus = {}): string {
  return pages > running.length ? `The first ${running.length} of ${counted(pages, 'page')}` : 'Pages'
}

const stepColumns: readonly Column<[number, v2.PolicyStep]>[] = [
  { title: 'STEP', cell: ([index]) => index + 1 },
  { title: 'TELLS', cell: ([, { notify }]) => listed(notify.map(recipientInWords)), minimum: 12 },
  { title: 'WAITS', cell: ([, { wait }]) => wait ?? '5m' },
]

const pageColumns: readonly Column<v2.EscalationPage>[] = [
  { title: 'MONITOR', cell: ({ leadMonitorID }) => plain(leadMonitorID), minimum: 10 },
  { title: 'INCIDENTS', cell: ({ incidents }) => incidents },
  {
    title: 'STATE',
    cell: ({ state, acknowledgedBy }) =>
      acknowledgedBy ? `acknowledged by ${plain(acknowledgedBy)}` : state,
  },
  {
    title: 'NEXT STEP',
    cell: ({ state, round, step }) => (state === 'running' ? `${step} of round ${round}` : null),
  },
  { title: 'AT', cell: ({ nextStepAt }) => moment(nextStepAt) },
  {
    title: 'TOLD',
    cell: ({ told }) => listed(told.map(({ personRef, endpointRef }) => personRef ?? endpointRef)),
    minimum: 8,
  },
]

/** Such as schedule primary. */
export function recipientInWords(recipient: v2.PolicyRecipient): string {
  const { scheduleRef, personRef, groupRef, endpointRef } = recipient
  if (scheduleRef !== undefined) return `schedule ${scheduleRef}`
  if (personRef !== undefined) return `person ${personRef}`
  return groupRef === undefined ? `endpoint ${endpointRef}` : `group ${groupRef}`
}

/** What the policy of an incident has done, and does next. */
export function pageSentences(page: v2.EscalationPage | undefined): (string | Phrase)[] {
  if (page === undefined) return []
  const { policyRef, state, told, step, round, nextStepAt, waitsForCheck, restartsAt } = page
  const names = listed(told.map(({ personRef, endpointRef }) => personRef ?? endpointRef))
  const heard = names === null ? 'has told no recipient yet' : `has told ${names}`
  const first: string | Phrase = `The policy ${policyRef} ${heard}.`
  if (state === 'running') {
    const words = `Its step ${step} of round ${round} `
    return waitsForCheck
      ? [first, `${words}waits until a check has failed again.`]
      : [first, [words, 'fires at ', moment(nextStepAt), ', unless it is acknowledged before.']]
  }
  if (state === 'paused')
    return [first, 'It waits while the monitor is snoozed, in maintenance or suppressed.']
  if (state === 'spent') return [first, 'It has told its last step.']
  return restartsAt === undefined
    ? [first]
    : [first, ['It starts again at ', moment(restartsAt), ' if the incident is still open.']]
}
