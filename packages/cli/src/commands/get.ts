// commands/get.ts: reads one subject from a service and shows it, once or repeatedly.
import { UsageError } from '@pulseward/server'
import type { ParsedArguments } from '../arguments.ts'
import { clientCommand } from '../client/client-command.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { findSubject, subjects } from '../client/subjects/all-subjects.ts'
import { filterFlags, type Subject } from '../client/subjects/subject.ts'
import { printOrWatch, watchFlags } from '../client/watch.ts'

const idForms = { none: '', optional: ' [ID]', required: ' ID' } as const

export const get = clientCommand({
  summary: 'list monitors, incidents, history and all else',
  usage: `SUBJECT [ID] [filters] [flags]\n\nSubjects:\n${subjectLines()}`,
  firstWords: Object.keys(subjects),
  flags: { output: formatFlag, ...watchFlags, ...filterFlags },
  operations: Object.values(subjects).flatMap(({ operations = [] }) => operations),
  examples: [
    'pulseward get overview',
    'pulseward get monitors --status incident -o wide',
    'pulseward get monitors --q checkout --size 20 --watch',
    'pulseward get monitors -l team=payments',
    'pulseward get monitor 17',
    'pulseward get monitor checkout-api -o yaml',
    'pulseward get history --monitor-id checkout-api --order desc',
    'pulseward get endpoint ops-slack -o yaml',
    'pulseward get operations --state staging',
    'pulseward get endpoints --server https://pulseward.example --token-file token',
  ],
  async run(parsed, session) {
    const [name, ...others] = splitReference(parsed.operands)
    if (name === undefined) throw new UsageError('Name what to show: pulseward get overview. See --help.')
    const subject = findSubject(name)
    const id = idOf(name, subject, others)
    const isOneOfList = subject.id === 'optional' && id !== ''
    refuseOtherFilters(
      parsed,
      isOneOfList ? `${name} ${id}` : name,
      isOneOfList ? (subject.filtersOfOne ?? []) : subject.filters,
    )
    const format = formatFrom(parsed)
    const read = subject.prepare(parsed, id)
    return printOrWatch(parsed, session, async () => {
      const data = await read(session.client, { signal: session.signal })
      return formatted(session.terminal, format, data, () => subject.blocks(data))
    })
  },
})

/** `monitor/checkout-api` means `monitor checkout-api`. */
function splitReference(operands: readonly string[]): readonly string[] {
  const [first = '', ...rest] = operands
  const slash = first.indexOf('/')
  return slash === -1 ? operands : [first.slice(0, slash), first.slice(slash + 1), ...rest]
}

function idOf(name: string, { id }: Subject, [first, second]: readonly string[]): string {
  if (id === 'required' && first === undefined) throw new UsageError(`Name one: pulseward get ${name} ID`)
  const unexpected = id === 'none' ? first : second
  if (unexpected !== undefined) throw new UsageError(`"${unexpected}" is not expected here.`)
  return first ?? ''
}

/** A filter that is silently ignored would show more than was asked for. */
function refuseOtherFilters({ flags }: ParsedArguments, name: string, filters: Subject['filters']): void {
  for (const flag of flags.keys()) {
    if (Object.hasOwn(filterFlags, flag) && !filters.some((filter) => filter === flag))
      throw new UsageError(`--${flag} does not apply to ${name}.`)
  }
}

function subjectLines(): string {
  return Object.entries(subjects)
    .map(([name, { summary, id }]) => `  ${`${name}${idForms[id]}`.padEnd(16)} ${summary}`)
    .join('\n')
}
