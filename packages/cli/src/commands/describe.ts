// commands/describe.ts: shows everything that v2 says about one resource or record, field by field, or
// about the service itself.
import type { v2 } from '@pulseward/client'
import type { ParsedArguments } from '../arguments.ts'
import { audienceFacts } from '../client/audience-facts.ts'
import { clientCommand } from '../client/client-command.ts'
import { type FieldLine, fieldLines } from '../client/field-lines.ts'
import { kindNames, operationsNamed, referenceFrom } from '../client/kinds.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import type { Session } from '../client/session.ts'
import { facts } from '../client/table/block.ts'

const service = 'service'

export const describe = clientCommand({
  summary: 'show every field of one thing, or of the service itself (v2)',
  usage: `KIND ID | ${service}\n\nKinds: ${kindNames.join(', ')}`,
  firstWords: [...kindNames, service],
  flags: { output: formatFlag },
  operations: [
    'GetIncident',
    'GetAction',
    'GetOperation',
    'GetVersion',
    'GetCapabilities',
    ...operationsNamed('Get'),
  ],
  examples: [
    'pulseward describe monitor checkout-api',
    'pulseward describe incident inc-01JQ8X4A -o yaml',
    'pulseward describe service',
  ],
  async run(parsed, session) {
    const format = formatFrom(parsed)
    const body = await read(parsed, session)
    session.show(formatted(session.terminal, format, body, () => [facts(linesOf(body))]))
    return 0
  },
})

async function read({ operands }: ParsedArguments, { client, signal }: Session): Promise<object> {
  if (operands.length === 1 && operands[0] === service) {
    const [version, capabilities] = await Promise.all([
      client.getVersion({}, { signal }),
      client.getCapabilities({}, { signal }),
    ])
    return { version: version.data, capabilities: capabilities.data }
  }
  const { kind, id } = referenceFrom(operands, 'describe KIND ID')
  return (await kind.get(client, id, { signal })).data
}

/** Who is told is shown in words, instead of a field for each part of each rule. */
function linesOf(body: object): FieldLine[] {
  if (!('kind' in body) || body.kind !== 'Monitor') return fieldLines(body)
  const { status = {}, ...monitor } = body as v2.Monitor
  const { audience, ...others } = status
  return [
    ...fieldLines({ ...monitor, status: others }),
    ...(audience === undefined ? [] : audienceFacts(audience)),
  ]
}
