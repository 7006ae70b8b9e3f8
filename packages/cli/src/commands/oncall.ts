// commands/oncall.ts: who is on call by each schedule of some fleet files, until when, and who is next.
import { LocalTime, rotaOf } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import { formatted, printView } from '../client/output.ts'
import { plain } from '../client/plain-text.ts'
import { type Column, table } from '../client/table/block.ts'
import type { Command } from '../command.ts'
import { momentFrom, type OnCallFleet, onCallFlags, readOnCall } from '../on-call-files.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'

interface Duty {
  readonly schedule: string
  readonly timezone: string
  /** Null if nobody is. */
  readonly person: string | null
  readonly name: string | null
  /** Null if nothing changes within a year. */
  readonly until: string | null
  readonly next: string | null
}

const columns: readonly Column<Duty>[] = [
  { title: 'SCHEDULE', cell: ({ schedule }) => plain(schedule) },
  { title: 'ON CALL', cell: ({ person, name }) => (person === null ? 'nobody' : plain(name ?? person)) },
  {
    title: 'UNTIL',
    cell: ({ until, timezone }) => (until === null ? '' : onClocksOf(timezone, Date.parse(until))),
  },
  { title: 'NEXT', cell: ({ next, until }) => (until === null ? '' : plain(next ?? 'nobody')) },
]

export const oncall: Command = {
  summary: 'who is on call, until when, and who is next',
  usage: 'PATH… [--at TIME] [-o json]',
  flags: { ...onCallFlags, output: outputFlag },
  examples: ['pulseward oncall fleet.yaml', 'pulseward oncall fleet/ --at 2026-12-24T18:00:00Z'],
  async run(parsed, terminal) {
    const fleet = await readOnCall(parsed, parsed.operands, terminal)
    const duties = dutiesAt(fleet, momentFrom(lastValue(parsed, 'at')))
    if (outputFrom(parsed) === 'json') terminal.stdout.write(`${JSON.stringify(duties, null, 2)}\n`)
    else
      printView(
        terminal,
        formatted(terminal, 'wide', duties, () => [
          table(columns, duties, { empty: 'These files have no schedules.' }),
        ]),
      )
    return 0
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

/** Such as 2026-03-30 09:00 Europe/Berlin. */
function onClocksOf(timezone: string, atMs: number): string {
  const local = new Date(LocalTime.of(timezone).localMs(atMs))
  return `${local.toISOString().slice(0, 16).replace('T', ' ')} ${timezone}`
}
