// commands/explain.ts: explains the fields of a kind, from the contract that this version was built with; or
// what a service itself says about a kind or a driver.
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { clientCommand } from '../client/client-command.ts'
import { fieldTable } from '../client/field-table.ts'
import { switchValue } from '../client/flag-values.ts'
import { kindNames } from '../client/kinds.ts'
import { formatFlag, formatFrom, formatted, printView } from '../client/output.ts'
import { fieldsOf, meaningOf, schemaAt, typeWords } from '../client/schema-fields.ts'
import type { SchemaNode } from '../client/schema-node.ts'
import { type Block, facts, note } from '../client/table/block.ts'
import type { Command } from '../command.ts'
import type { Terminal } from '../terminal.ts'

const online = clientCommand({
  summary: 'explain the fields of a kind',
  usage: `KIND[.FIELD…] | --online NAME\n\nKinds: ${kindNames.join(', ')}`,
  firstWords: kindNames,
  flags: {
    online: { kind: 'switch', summary: 'Ask the service; it also explains its drivers (v2).' },
    output: formatFlag,
  },
  operations: ['ExplainResource'],
  examples: [
    'pulseward explain monitor',
    'pulseward explain monitor.spec.check -o json',
    'pulseward explain monitor.spec.check.driver.config.http',
    'pulseward explain --online slack',
  ],
  async run(parsed, session) {
    const format = formatFrom(parsed)
    const { data } = await session.client.explainResource(
      { id: nameFrom(parsed) },
      { signal: session.signal },
    )
    const blocks = (): Block[] => [
      note(`${data.resource}: ${data.description}`),
      fieldTable(data.schema as SchemaNode),
    ]
    session.show(formatted(session.terminal, format, data, blocks))
    return 0
  },
})

export const explain = {
  ...online,
  async run(parsed, terminal) {
    return switchValue(parsed, 'online') ? online.run(parsed, terminal) : explainOffline(parsed, terminal)
  },
} satisfies Command

function explainOffline(parsed: ParsedArguments, terminal: Terminal): number {
  const path = nameFrom(parsed)
  if (lastValue(parsed, 'server') !== null)
    throw new UsageError('--server is for --online; without it nothing is asked.')
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
