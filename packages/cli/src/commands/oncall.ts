// commands/oncall.ts: who is on call by each schedule, until when, and who is next: of a service, or of some fleet files.
import { rotaOf, UsageError } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import { type ClientCommand, inSession } from '../client/client-command.ts'
import { connectionFlags } from '../client/connection.ts'
import type { Command } from '../command.ts'
import { type Duty, printDuties } from '../duty.ts'
import { momentFrom, type OnCallFleet, onCallFlags, readOnCall } from '../on-call-files.ts'
import { outputFlag } from '../output-flag.ts'
import { operationsOfDuties, servedDuties } from '../served-duties.ts'
import { isServed } from '../trial/served.ts'

export const oncall: Command & Pick<ClientCommand, 'operations'> = {
  summary: 'who is on call, until when, and who is next',
  usage: `[--at TIME] [-o json]
       PATH… [--at TIME] [-o json]

Without a PATH, a service is asked, which answers for now by its own clock. With one, fleet files are read.`,
  flags: { ...onCallFlags, output: outputFlag, ...connectionFlags },
  operations: operationsOfDuties,
  examples: [
    'pulseward oncall',
    'pulseward oncall --server https://pulseward.example --at 2026-12-24T18:00:00Z',
    'pulseward oncall fleet.yaml',
  ],
  async run(parsed, terminal) {
    const isOfFiles = parsed.operands.length > 0 || parsed.flags.has('config')
    const at = lastValue(parsed, 'at')
    if (isOfFiles && isServed(parsed)) throw new UsageError('Name fleet files or a service, and not both.')
    const atMs = momentFrom(at)
    if (isOfFiles) {
      const fleet = await readOnCall(parsed, parsed.operands, terminal)
      printDuties(parsed, terminal, dutiesAt(fleet, atMs), 'These files have no schedules.')
      return 0
    }
    const run: ClientCommand['run'] = async (_, session) => {
      const duties = await servedDuties(session, at === null ? null : atMs)
      printDuties(parsed, terminal, duties, 'This service has no schedules.')
      return 0
    }
    return await inSession({ run }, parsed, terminal)
  },
}

function dutiesAt({ schedules, people }: OnCallFleet, atMs: number): Duty[] {
  return Array.from(schedules, ([schedule, definition]) => {
    const { person, untilMs, next } = rotaOf(definition).dutyAt(atMs)
    return {
      schedule,
      timezone: definition.timezone,
      person,
      name: person === null ? null : (people.get(person)?.name ?? null),
      until: untilMs === null ? null : new Date(untilMs).toISOString(),
      next,
    }
  })
}
