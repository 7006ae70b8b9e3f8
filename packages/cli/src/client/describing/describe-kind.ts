// client/describing/describe-kind.ts: how each kind is described. A kind without an entry is shown by its fields.
import type { v2 } from '@pulseward/client'
import { fieldLines } from '../field-lines.ts'
import { operationBlocks } from '../subjects/operation-blocks.ts'
import { type Block, facts } from '../table/block.ts'
import { listed } from '../table/values.ts'
import { describeActionOf } from './action.ts'
import { type Describe, known } from './description.ts'
import { describeEndpoint, describeGroup, ownFacts } from './destinations.ts'
import { describeIncident } from './incident.ts'
import { describeMonitor } from './monitor.ts'
import { describePerson, describePolicy, describeSchedule } from './on-call.ts'

const describeCredential: Describe<v2.Credential> = async ({ metadata, spec, status }) => [
  known([
    ['Credential', metadata.id],
    ['Name', metadata.name],
    ['State', status?.available ? 'ok' : 'its value cannot be read'],
    ['Description', spec.description],
    ['Used by', listed(status?.references)],
    ...ownFacts(metadata),
  ]),
]

/** `never`: each is called only with a body of its own kind. */
const kinds: Readonly<Record<string, Describe<never>>> = {
  Monitor: (body: v2.Monitor, reading) => describeMonitor(body, body.metadata.id, reading),
  Incident: describeIncident,
  Action: describeActionOf,
  Operation: async (body: v2.Operation) => operationBlocks(body),
  NotificationEndpoint: describeEndpoint,
  NotificationGroup: describeGroup,
  Credential: describeCredential,
  Person: describePerson,
  Schedule: describeSchedule,
  Policy: describePolicy,
}

export const describeKind = (kind: string): Describe<object> =>
  (kinds[kind] ?? describeFields) as Describe<object>

async function describeFields(body: object): Promise<readonly Block[]> {
  return [facts(fieldLines(body))]
}
