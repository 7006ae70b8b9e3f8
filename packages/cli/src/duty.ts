// duty.ts: who is on call by a schedule, until when and who is next, as `pulseward oncall` prints it.
import { LocalTime } from '@pulseward/server'
import type { ParsedArguments } from './arguments.ts'
import { formatted, printView } from './client/output.ts'
import { plain } from './client/plain-text.ts'
import { type Column, table } from './client/table/block.ts'
import { outputFrom } from './output-flag.ts'
import type { Terminal } from './terminal.ts'

export interface Duty {
  readonly schedule: string
  readonly timezone: string
  /** Null if no person is. */
  readonly person: string | null
  readonly name: string | null
  /** Null if no change is near. */
  readonly until: string | null
  readonly next: string | null
}

const columns: readonly Column<Duty>[] = [
  { title: 'SCHEDULE', cell: ({ schedule }) => plain(schedule) },
  { title: 'ON CALL', cell: ({ person, name }) => (person === null ? 'no person' : plain(name ?? person)) },
  {
    title: 'UNTIL',
    cell: ({ until, timezone }) => (until === null ? '' : onClocksOf(timezone, Date.parse(until))),
  },
  { title: 'NEXT', cell: ({ next, until }) => (until === null ? '' : plain(next ?? 'no person')) },
]

/** `empty`: what is said of no schedules. */
export function printDuties(
  parsed: ParsedArguments,
  terminal: Terminal,
  duties: readonly Duty[],
  empty: string,
): void {
  if (outputFrom(parsed) === 'json') terminal.stdout.write(`${JSON.stringify(duties, null, 2)}\n`)
  else
    printView(
      terminal,
      formatted(terminal, 'wide', duties, () => [table(columns, duties, { empty })]),
    )
}

/** Such as 2026-03-30 09:00 Europe/Berlin. */
function onClocksOf(timezone: string, atMs: number): string {
  const local = new Date(LocalTime.of(timezone).localMs(atMs))
  return `${local.toISOString().slice(0, 16).replace('T', ' ')} ${timezone}`
}
