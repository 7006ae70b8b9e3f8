// commands/explain.ts: why a monitor is as it is, why an incident opened, or what became of an action; the fields of a kind,
// from the contract that this version was built with; or what a service itself says about a kind or a driver.
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { type ClientCommand, clientCommand } from '../client/client-command.ts'
import { explanationBlocks } from '../client/describing/explanation.ts'
import { type Question, questionFrom } from '../client/explained.ts'
import { fieldTable } from '../client/field-table.ts'
import { switchValue } from '../client/flag-values.ts'
import { kindNames } from '../client/kinds.ts'
import { formatFlag, formatFrom, formatted, printView } from '../client/output.ts'
import { fieldsOf, meaningOf, schemaAt, typeWords } from '../client/schema-fields.ts'
import type { SchemaNode } from '../client/schema-node.ts'
import { type Block, facts, note } from '../client/table/block.ts'
import type { Command } from '../command.ts'
import { momentFrom } from '../on-call-files.ts'
import type { Terminal } from '../terminal.ts'

const asking = clientCommand({
  summary: 'explain why something is as it is, or the fields of a kind',
  usage: `monitor ID [--at TIME] [--endpoint NAME]
       incident ID | action ID
       KIND[.FIELD…] | --online NAME

The first three ask the service (v2), which answers from its record. An incident may be named by its monitor.

Kinds: ${kindNames.join(', ')}`,
  firstWords: kindNames,
  flags: {
    endpoint: {
      kind: 'value',
      valueName: 'NAME',
      summary: 'Of a monitor: what this destination heard of it, or why it heard nothing.',
    },
    at: {
      kind: 'value',
      valueName: 'TIME',
      summary: 'Of a monitor: at this earlier moment, by the log, such as 2026-12-24T18:00:00Z.',
    },
    online: { kind: 'switch', summary: 'Ask the service; it also explains its drivers (v2).' },
    output: formatFlag,
  },
  operations: ['ExplainMonitor', 'ExplainIncident', 'ExplainAction', 'ExplainResource'],
  examples: [
    'pulseward explain monitor checkout-api',
    'pulseward explain monitor checkout-api --endpoint ops-slack',
    'pulseward explain monitor checkout-api --at 2026-03-29T01:00:00Z',
    'pulseward explain incident checkout-api',
    'pulseward explain action 019cb5a9-0000-7000-8000-00000000a001',
    'pulseward explain monitor.spec.check -o json',
    'pulseward explain monitor.spec.check.driver.config.http',
    'pulseward explain --online slack',
  ],
  run: (parsed, session) => {
    const question = switchValue(parsed, 'online') ? null : questionFrom(parsed.operands)
    return question === null ? explainOnline(parsed, session) : explainDecision(question, parsed, session)
  },
})

export const explain = {
  ...asking,
  async run(parsed, terminal) {
    const isOnline = switchValue(parsed, 'online')
    return isOnline || questionFrom(parsed.operands) !== null
      ? asking.run(parsed, terminal)
      : explainOffline(parsed, terminal)
  },
} satisfies Command

type Run = ClientCommand['run']

async function explainDecision(question: Question, ...[parsed, session]: Parameters<Run>): Promise<number> {
  const format = formatFrom(parsed)
  const [endpoint, at] = [lastValue(parsed, 'endpoint'), lastValue(parsed, 'at')]
  for (const [flag, value] of Object.entries({ endpoint, at }))
    if (value !== null && question.kind.kind !== 'Monitor')
      throw new UsageError(`--${flag} is for a monitor: pulseward explain monitor ID --${flag} …`)
  const { client, signal } = session
  const data = await question.ask(
    client,
    {
      ...(endpoint === null ? {} : { endpoint }),
      ...(at === null ? {} : { at: new Date(momentFrom(at)).toISOString() }),
    },
    { signal },
  )
  session.show(formatted(session.terminal, format, data, () => explanationBlocks(data)))
  return 0
}

const explainOnline: Run = async (parsed, session) => {
  const format = formatFrom(parsed)
  const { data } = await session.client.explainResource({ id: nameFrom(parsed) }, { signal: session.signal })
  const blocks = (): Block[] => [
    note(`${data.resource}: ${data.description}`),
    fieldTable(data.schema as SchemaNode),
  ]
  session.show(formatted(session.terminal, format, data, blocks))
  return 0
}

function explainOffline(parsed: ParsedArguments, terminal: Terminal): number {
  const path = nameFrom(parsed)
  for (const flag of ['server', 'endpoint', 'at'])
    if (lastValue(parsed, flag) !== null)
      throw new UsageError(
        `--${flag} is for what a service explains; the fields of a kind are explained without one.`,
      )
  const format = formatFrom(parsed)
  const node = schemaAt(path)
  const hasFields = Object.keys(fieldsOf(node)).length > 0
  const blocks = (): Block[] => [
    facts([
      ['Path', path],
      ['Type', typeWords(node)],
      ['Meaning', meaningOf(node)],
    ]),
    ...(hasFields ? [fieldTable(node)] : []),
  ]
  printView(terminal, formatted(terminal, format, node, blocks))
  return 0
}

function nameFrom({ operands }: ParsedArguments): string {
  const [name, ...others] = operands
  if (name === undefined || others.length > 0)
    throw new UsageError('Name one: pulseward explain KIND[.FIELD…]')
  return name
}
