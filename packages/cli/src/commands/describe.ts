// commands/describe.ts: tells people about one thing: how it is and why, what belongs to it, and what happens next; or about
// the service itself. Programs get the body of v2; -o wide shows every field of it as well.
import type { v2 } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import { type FlagSpec, lastValue, type ParsedArguments } from '../arguments.ts'
import { clientCommand } from '../client/client-command.ts'
import { describeKind } from '../client/describing/describe-kind.ts'
import { incidentAsMarkdown } from '../client/describing/incident-story.ts'
import { describeMonitor } from '../client/describing/monitor.ts'
import { fieldLines } from '../client/field-lines.ts'
import { kindNames, operationsNamed, type Reference, referenceFrom } from '../client/kinds.ts'
import { isNotServed } from '../client/named-monitor.ts'
import { formatFlag, formatFrom, formats, formatted } from '../client/output.ts'
import type { Session } from '../client/session.ts'
import { readDetail } from '../client/subjects/fleet.ts'
import { type Block, facts } from '../client/table/block.ts'

const service = 'service'
const markdown = 'markdown'

const outputFlag: FlagSpec = {
  ...formatFlag,
  values: [...formats, markdown],
  summary:
    'How to print. Default table; json and yaml are the body of the API, markdown is the whole story of an incident.',
}

interface Described {
  readonly body: object
  /** Not called for programs. */
  blocks(): Promise<readonly Block[]> | readonly Block[]
}

export const describe = clientCommand({
  summary: 'tell how one thing is, why, and what happens next',
  usage: `KIND ID | ${service}\n\nKinds: ${kindNames.join(', ')}`,
  firstWords: [...kindNames, service],
  flags: { output: outputFlag },
  operations: [
    'ListIncidents',
    'GetIncident',
    'GetAction',
    'GetOperation',
    'GetVersion',
    'GetCapabilities',
    'GetShifts',
    ...operationsNamed('Get'),
  ],
  examples: [
    'pulseward describe monitor checkout-api',
    'pulseward describe incident checkout-api',
    'pulseward describe incident inc-01JQ8X4A -o yaml',
    'pulseward describe incident inc-01JQ8X4A -o markdown > post-mortem.md',
    'pulseward describe endpoint ops-slack -o wide',
    'pulseward describe service',
  ],
  async run(parsed, session) {
    if (lastValue(parsed, 'output') === markdown) return tellStory(parsed, session)
    const format = formatFrom(parsed)
    const { body, blocks } = await described(parsed, session)
    const isForPeople = format === 'table' || format === 'wide'
    const shown = isForPeople ? await blocks() : []
    const fields = format === 'wide' ? [facts(fieldLines(body), 'Every field')] : []
    session.show(formatted(session.terminal, format, body, () => [...shown, ...fields]))
    return 0
  },
})

/** The document to begin a post-mortem with. */
async function tellStory({ operands }: ParsedArguments, session: Session): Promise<number> {
  const { kind, id } = referenceFrom(operands, 'describe KIND ID')
  if (kind.kind !== 'Incident')
    throw new UsageError('-o markdown is for an incident: pulseward describe incident ID -o markdown')
  const { client, signal } = session
  const options = { signal }
  await kind.withId(client, id, options, async (found) => {
    const incident = (await kind.get(client, found, options)).data as v2.Incident
    const text = await incidentAsMarkdown(incident, { client, options })
    session.show({ text: text.trimEnd(), hint: null })
  })
  return 0
}

async function described({ operands }: ParsedArguments, session: Session): Promise<Described> {
  if (operands.length === 1 && operands[0] === service) return ofService(session)
  const reference = referenceFrom(operands, 'describe KIND ID')
  const { client, signal } = session
  const options = { signal }
  const { kind } = reference
  try {
    return await kind.withId(client, reference.id, options, async (id) => {
      const { data } = await kind.get(client, id, options)
      return { body: data, blocks: () => describeKind(kind.kind)(data, { client, options }) }
    })
  } catch (error) {
    if (kind.kind !== 'Monitor' || !isNotServed(error)) throw error
    return ofMonitorInV1(reference, session)
  }
}

/** Editions without v2 know how a monitor is. */
async function ofMonitorInV1({ id }: Reference, { client, signal }: Session): Promise<Described> {
  const options = { signal }
  const body = await readDetail(client, id, options)
  return { body, blocks: () => describeMonitor(null, id, { client, options }) }
}

async function ofService({ client, signal }: Session): Promise<Described> {
  const [version, capabilities] = await Promise.all([
    client.getVersion({}, { signal }),
    client.getCapabilities({}, { signal }),
  ])
  const body = { version: version.data, capabilities: capabilities.data }
  return { body, blocks: () => [facts(fieldLines(body))] }
}
