// client/explained.ts: why something is as it is, as the service explains it: of a monitor, an incident or an action.
import type { CallOptions, Client, v2 } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import { findKind, type Kind } from './kinds.ts'

type Ask = (
  client: Client,
  id: string,
  asked: Asked,
  options: CallOptions,
) => Promise<{ data: v2.DecisionExplanation }>

export interface Asked {
  /** The destination that is asked about. */
  readonly endpoint?: string
  /** The moment that is asked about; now if absent. */
  readonly at?: string
}

const questions: Readonly<Record<string, Ask>> = {
  Monitor: (client, id, asked, options) => client.explainMonitor({ id, ...asked }, options),
  Incident: (client, id, _asked, options) => client.explainIncident({ id }, options),
  Action: (client, id, _asked, options) => client.explainAction({ id }, options),
}

export interface Question {
  readonly kind: Kind
  readonly id: string
  ask(client: Client, asked: Asked, options: CallOptions): Promise<v2.DecisionExplanation>
}

/** Null if the words name a field of a kind: `monitor.spec`, or a kind alone. */
export function questionFrom(operands: readonly string[]): Question | null {
  const [first = ''] = operands
  const slash = first.indexOf('/')
  const words =
    slash === -1 ? operands : [first.slice(0, slash), first.slice(slash + 1), ...operands.slice(1)]
  const [name = '', id, ...others] = words
  if (id === undefined) return null
  const kind = findKind(name)
  const question = questions[kind.kind]
  if (question === undefined)
    throw new UsageError(`A ${kind.names[0]} is not explained; a monitor, an incident and an action are.`)
  if (id === '' || others.length > 0)
    throw new UsageError('Name one: pulseward explain monitor|incident|action ID')
  return {
    kind,
    id,
    ask: (client, asked, options) =>
      kind.withId(client, id, options, async (found) => (await question(client, found, asked, options)).data),
  }
}
