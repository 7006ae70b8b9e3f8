// commands/wait.ts: waits for a condition: an operation has ended, a monitor is healthy, an incident is
// closed, an action has ended. Reads only: stopping the wait changes nothing.
import { setTimeout as pause } from 'node:timers/promises'
import { CancelledError, type v2 } from '@pulseward/client'
import { UsageError } from '@pulseward/server'
import { lastValue, type ParsedArguments } from '../arguments.ts'
import { awaitOperation, operationExitCode } from '../client/await-operation.ts'
import { clientCommand } from '../client/client-command.ts'
import { durationFlag, inWords, oneOfWords } from '../client/flag-values.ts'
import { type Reference, referenceFrom, shown, shownFirst } from '../client/kinds.ts'
import { mayPass } from '../client/may-pass.ts'
import { formatFlag, formatFrom, formatted } from '../client/output.ts'
import { operationBlocks } from '../client/subjects/operation-blocks.ts'
import { statusOfHealth } from '../client/subjects/words.ts'
import { note } from '../client/table/block.ts'

const lookEveryMs = 2_000
const longest = { ms: 24 * 3_600_000, words: '24h' }
const defaultTimeoutMs = 600_000

interface Conditions {
  readonly words: readonly string[]
  /** What scripts may still call them. */
  readonly earlier?: Readonly<Record<string, string>>
  of(body: object): string
}

/** The conditions per kind, the usual one first, and where to find the answer. */
const conditions: Readonly<Record<string, Conditions>> = {
  Monitor: {
    words: ['up', 'degraded', 'down'],
    earlier: { healthy: 'up', warning: 'degraded', unhealthy: 'down' },
    of: (body) => statusOfHealth[(body as v2.Monitor).status?.health ?? 'unknown'],
  },
  Incident: { words: ['closed', 'open'], of: (body) => (body as v2.Incident).state },
  Action: {
    words: ['ended'],
    of: (body) => (['queued', 'started'].includes((body as v2.Action).state) ? 'in flight' : 'ended'),
  },
}

const conditionWords = Object.values(conditions).flatMap(({ words }) => words)

export const wait = clientCommand({
  summary: 'wait until a monitor is up, an incident closed, and so on',
  usage: 'operation ID | monitor ID [--for up] | incident ID [--for closed] | action ID',
  firstWords: ['operation', 'monitor', 'incident', 'action'],
  flags: {
    for: {
      kind: 'value',
      valueName: 'CONDITION',
      values: conditionWords,
      summary: `${conditionWords.join(', ')}.`,
    },
    timeout: { kind: 'value', valueName: 'DURATION', summary: 'How long to wait. Default 10m.' },
    output: formatFlag,
  },
  operations: ['GetOperation', 'GetMonitor', 'GetIncident', 'GetAction'],
  examples: [
    'pulseward wait operation op-01JQ8X4E --timeout 30m',
    'pulseward wait monitor checkout-api --for up --timeout 5m',
    'pulseward wait incident inc-01JQ8X4A',
  ],
  async run(parsed, session) {
    const format = formatFrom(parsed)
    const reference = referenceFrom(parsed.operands, 'wait KIND ID')
    const timeoutMs = durationFlag(parsed, 'timeout', longest)?.ms ?? defaultTimeoutMs
    const isMet = conditionFrom(parsed, reference)
    const signal = AbortSignal.any([session.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const body =
        isMet === null ? await awaitOperation(session, reference.id, signal) : await untilMet(isMet)
      const blocks = () =>
        isMet === null
          ? operationBlocks(body as v2.Operation)
          : [note(`${shownFirst(reference)} is ${isMet.wanted}.`)]
      session.show(formatted(session.terminal, format, body, blocks))
      return isMet === null ? operationExitCode(body as v2.Operation) : 0
    } catch (error) {
      if (!(error instanceof CancelledError) || !signal.aborted) throw error
      const why = session.signal.aborted ? 'Stopped waiting' : 'The time is over'
      session.say(`${why}: ${shown(reference)} is not ${isMet?.wanted ?? 'done'} yet; only the wait ended.`)
      return 1
    }

    function untilMet(condition: Condition): Promise<object> {
      return reference.kind.withId(session.client, reference.id, { signal }, (id) => until(condition, id))
    }

    async function until(condition: Condition, id: string): Promise<object> {
      for (;;) {
        try {
          const { data } = await reference.kind.get(session.client, id, { signal })
          if (condition.holds(data)) return data
        } catch (error) {
          if (!mayPass(error)) throw error
        }
        // The next request reports that the time is over.
        await pause(lookEveryMs, undefined, { signal }).catch(() => {})
      }
    }
  },
})

interface Condition {
  readonly wanted: string
  holds(body: object): boolean
}

/** Null for an operation, where the end is the only condition. */
function conditionFrom(parsed: ParsedArguments, { kind }: Reference): Condition | null {
  if (kind.kind === 'Operation') {
    if (parsed.flags.has('for'))
      throw new UsageError('--for does not apply to an operation; the command waits until it ends.')
    return null
  }
  const known = conditions[kind.kind]
  if (known === undefined)
    throw new UsageError(
      `Kind ${kind.names[0]} cannot be waited for; ${inWords(['an operation', 'a monitor', 'an incident', 'an action'])} can.`,
    )
  const earlier = known.earlier?.[lastValue(parsed, 'for')?.toLowerCase() ?? '']
  const wanted = earlier ?? oneOfWords(parsed, 'for', known.words) ?? known.words[0]!
  return { wanted, holds: (body) => known.of(body) === wanted }
}
