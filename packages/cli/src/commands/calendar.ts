// commands/calendar.ts: creates and revokes the addresses at which calendar programs read the shifts of a schedule. The key
// is made here: the service gets its digest alone, and the address is printed once.
import { createHash, randomBytes } from 'node:crypto'
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { clientCommand } from '../client/client-command.ts'
import { orNoRevision } from '../client/revision.ts'
import type { Session } from '../client/session.ts'

export const calendar = clientCommand({
  summary: 'create or revoke the address of a calendar of shifts',
  usage: 'create SCHEDULE [--person PERSON] | revoke ID',
  firstWords: ['create', 'revoke'],
  flags: {
    person: { kind: 'value', valueName: 'PERSON', summary: 'Only shifts of this person.' },
  },
  operations: ['CreateCalendar', 'GetCalendar', 'DeleteCalendar'],
  examples: [
    'pulseward calendar create primary --person ana',
    'pulseward calendar revoke primary-ana-1f9c2e',
  ],
  lookAgain: () => 'pulseward get calendars',
  async run(parsed, session) {
    const [verb, name, unexpected] = parsed.operands
    if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
    if (verb === 'create' && name !== undefined) return create(parsed, name, session)
    if (verb === 'revoke' && name !== undefined) return revoke(name, session)
    throw new UsageError(
      'Say what to do: pulseward calendar create SCHEDULE, or pulseward calendar revoke ID.',
    )
  },
})

async function create(parsed: ParsedArguments, schedule: string, session: Session): Promise<number> {
  const person = lastValue(parsed, 'person')
  const key = randomBytes(32).toString('base64url')
  const suffix = randomBytes(3).toString('hex')
  const id = [schedule, ...(person == null ? [] : [person]), suffix].join('-')
  const { client, signal } = session
  const spec = {
    scheduleRef: schedule,
    ...(person == null ? {} : { personRef: person }),
    keyDigest: createHash('sha256').update(key).digest('hex'),
  }
  const body = { apiVersion: 'pulseward/v2', kind: 'Calendar', metadata: { id }, spec } as const
  await client.createCalendar({ body, ifNoneMatch: '*' }, { signal })
  session.print(new URL(`/calendar/${key}.ics`, session.answeredBy).href)
  session.say(
    `Every program that has this address can read the shifts. To revoke it: pulseward calendar revoke ${id}`,
  )
  return 0
}

async function revoke(id: string, session: Session): Promise<number> {
  const { client, signal } = session
  const { resourceVersion } = await client.getCalendar({ id }, { signal })
  const ifMatch = orNoRevision(resourceVersion, `calendar ${id}`)
  await client.deleteCalendar({ id, ifMatch }, { signal })
  session.say(`The calendar ${id} is revoked: its address answers 404.`)
  return 0
}
