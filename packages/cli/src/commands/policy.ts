// commands/policy.ts: a dry run of an escalation policy of some fleet files: who would be told when, if no recipient answered.
import { nearestName, type PlannedTelling, plannedSteps, UsageError } from '@pulseward/server'
import { lastValue } from '../arguments.ts'
import { oneOfWords } from '../client/flag-values.ts'
import { formatted, printView } from '../client/output.ts'
import { plain } from '../client/plain-text.ts'
import { type Column, table } from '../client/table/block.ts'
import type { Command } from '../command.ts'
import { momentFrom, onCallFlags, readOnCall } from '../on-call-files.ts'
import { outputFlag, outputFrom } from '../output-flag.ts'

const severities = ['critical', 'warning', 'info'] as const

interface Row {
  readonly at: string
  readonly after_seconds: number
  readonly round: number
  readonly step: number
  readonly person: string | null
  readonly endpoints: readonly string[]
  readonly quiet_until: string | null
  /** Whether they drop it; null if there are none. */
  readonly dropped: boolean | null
}

const columns: readonly Column<Row>[] = [
  { title: 'AFTER', cell: ({ after_seconds }) => afterWords(after_seconds) },
  { title: 'ROUND', cell: ({ round }) => String(round) },
  { title: 'STEP', cell: ({ step }) => String(step) },
  {
    title: 'WHO',
    cell: ({ person, endpoints }) => plain(person ?? endpoints[0] ?? 'no recipient: skipped at once'),
  },
  { title: 'WHERE', cell: ({ endpoints }) => plain(endpoints.join(', ')) },
  {
    title: 'QUIET HOURS',
    cell: ({ quiet_until, dropped }) =>
      quiet_until === null ? '' : dropped === true ? 'not told' : `held until ${quiet_until.slice(0, 16)}Z`,
  },
]

export const policy: Command = {
  summary: 'who a policy would tell, and when',
  usage: 'test POLICY --config PATH [--at TIME] [--severity warning] [-o json]',
  firstWords: ['test'],
  flags: {
    ...onCallFlags,
    severity: {
      kind: 'value',
      values: severities,
      summary: 'Of the monitor; quiet hours may depend on it. Default: critical.',
    },
    output: outputFlag,
  },
  examples: [
    'pulseward policy test page --config fleet.yaml',
    'pulseward policy test page --config fleet.yaml --at 2026-12-24T18:00:00Z --severity warning',
  ],
  async run(parsed, terminal) {
    const [verb, name, ...others] = parsed.operands
    if (verb !== 'test' || name === undefined || others.length > 0)
      throw new UsageError('Name one policy: pulseward policy test POLICY --config PATH')
    const fleet = await readOnCall(parsed, [], terminal)
    const rules = fleet.escalationPolicies.get(name)
    if (rules === undefined) throw unknownPolicy(name, [...fleet.escalationPolicies.keys()])
    const severity = oneOfWords(parsed, 'severity', severities) ?? 'critical'
    const atMs = momentFrom(lastValue(parsed, 'at'))
    const drops = rules.quiet?.drops ?? false
    const rows = plannedSteps(rules, fleet, severity, atMs).map((told) => rowOf(told, atMs, drops))
    if (outputFrom(parsed) === 'json') terminal.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
    else
      printView(
        terminal,
        formatted(terminal, 'wide', rows, () => [table(columns, rows, { empty: '' })]),
      )
    return 0
  },
}

function rowOf(
  { atMs, round, step, recipient, quietUntilMs }: PlannedTelling,
  fromMs: number,
  drops: boolean,
): Row {
  const { person = null, endpoints = [], all = false } = recipient ?? {}
  return {
    at: new Date(atMs).toISOString(),
    after_seconds: (atMs - fromMs) / 1000,
    round,
    step,
    person,
    endpoints: all ? endpoints : endpoints.slice(0, 1),
    quiet_until: quietUntilMs === null ? null : new Date(quietUntilMs).toISOString(),
    dropped: quietUntilMs === null ? null : drops,
  }
}

/** Such as 5 min or 1 h 20 min. */
function afterWords(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function unknownPolicy(name: string, known: readonly string[]): UsageError {
  const nearest = nearestName(name, known)
  const hint =
    known.length === 0
      ? 'The files define none.'
      : nearest === null
        ? `They have ${known.join(', ')}.`
        : `Did you mean ${nearest}?`
  return new UsageError(`There is no policy "${name}" in these files. ${hint}`)
}
