// commands/api-resources.ts: lists the kinds that a service offers, their names in commands, and
// what can be done with them.
import { v2 } from '@pulseward/contract'
import { clientCommand } from '../client/client-command.ts'
import { noOperands } from '../client/flag-values.ts'
import { type Kind, kinds } from '../client/kinds.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { table } from '../client/table/block.ts'

export const apiResources = clientCommand({
  summary: 'list the kinds of a service and what can be done with them',
  usage: '[flags]',
  flags: { output: formatFlag },
  operations: ['GetCapabilities'],
  examples: ['pulseward api-resources', 'pulseward api-resources -o json'],
  async run(parsed, session) {
    noOperands(parsed)
    const format = formatFrom(parsed)
    const { data } = await session.client.getCapabilities({}, { signal: session.signal })
    const isWritten = (kind: string) => (v2.resourceKinds as readonly string[]).includes(kind)
    // Every v2 has incidents, actions and operations; the service decides which kinds can be written.
    const offered = kinds.filter(({ kind }) => !isWritten(kind) || data.resources.includes(kind))
    const blocks = () => [
      table<Kind>(
        [
          { title: 'NAME', cell: ({ names }) => names[0] },
          { title: 'KIND', cell: ({ kind }) => kind, dispensable: 1 },
          { title: 'COMMANDS', cell: ({ verbs }) => verbs.join(', '), minimum: 16 },
        ],
        offered,
        { empty: 'It offers nothing.' },
      ),
    ]
    session.show(formatted(session.terminal, format, data, blocks))
    return 0
  },
})
